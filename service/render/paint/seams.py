"""Pixels that the edge of a slab shares with others behind it, painted again more finely.

A slab laid over a part of a pixel leaves the others their mean light over all of it. Where that changes
within the pixel, as at the foot of a lid, what is hidden counts as much as what is seen: lines beside such an
edge would darken and lighten as it passes from row to row.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32
from service.render.geometry.raster import Box
from service.render.paint.canvas import Canvas

TIMES = 3  # as fine, along each axis
CLOSE = 8.0  # px per mm from which light hardly changes within a pixel
LEAST = 0.02  # of a pixel; what is less makes no difference
WIDE, APART = 64, 8  # px: parts are so wide, and the rows of one no farther from each other


def mark(shared: NDArray[np.bool_], alpha: F32, under: F32) -> None:
    """Note in `shared` (h, w), in place, which pixels a slab shares with what lies `under` it.

    It covers the share `alpha` (h, w) of each, what is under it the share `under` (h, w).
    """
    shared &= alpha < 1 - LEAST
    shared |= (alpha > LEAST) & (alpha < 1 - LEAST) & (under > LEAST)


def tiles(shared: NDArray[np.bool_], box: Box) -> Iterator[Box]:
    """Boxes of the canvas that hold all pixels `shared` (h, w) of a `box`, and few others."""
    for x in range(0, box.width, WIDE):
        part = shared[:, x : x + WIDE]
        rows = np.flatnonzero(part.any(axis=1))
        for run in np.split(rows, np.flatnonzero(np.diff(rows) > APART) + 1) if len(rows) else ():
            top, end = int(run[0]), int(run[-1]) + 1
            columns = np.flatnonzero(part[top:end].any(axis=0))
            left, right = int(columns[0]), int(columns[-1]) + 1
            yield Box(box.x + x + left, box.y + top, right - left, end - top)


def finer(box: Box) -> Box:
    """A box on the finer canvas."""
    return Box(*(TIMES * side for side in box))


def mend(canvas: Canvas, fine: Canvas, shared: NDArray[np.bool_], part: Box) -> None:
    """Give a canvas' `shared` pixels (h, w) in a part of it the mean of the finer canvas, in place."""
    at = part.within(canvas.box)
    some = shared[at]
    planes = (canvas.rgb, fine.rgb), (canvas.alpha, fine.alpha), *zip(canvas.gains, fine.gains, strict=True)
    for plane, own in planes:
        mean = cv2.resize(own, (part.width, part.height), interpolation=cv2.INTER_AREA)
        plane[at][some] = mean[some]
