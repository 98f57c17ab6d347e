"""Supersampled seams: pixels that a slab's edge shares with slabs behind it are repainted more finely.

Normally, a slab that covers a part of a pixel is blended with the mean light behind it over the whole pixel,
the hidden part included. Where that light changes within a pixel, as at the foot of a lid, lines beside the
edge would darken and lighten from row to row.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, U8
from ..geometry.raster import Box, extent
from .canvas import Canvas

TIMES = 3  # number of pixels of the finer canvas along each axis of a pixel; by cost
CLOSE = 8.0  # px per mm; above this scale, light hardly changes within a pixel; by cost
LEAST = 0.02  # share of a pixel below which a slab makes no visible difference; by eye
FEWEST = 2  # samples along each axis of a pixel of the finer canvas; by cost
WORTH = 2000  # fixed cost of a box, in px: as many could be painted in the same time; by cost


def mark(shared: NDArray[np.bool_], alpha: F32, under: F32) -> None:
    """Mark in `shared` (h, w), in place, the pixels that a slab shares with slabs behind it.

    The slab covers the share `alpha` (h, w) of each pixel, the slabs behind it the share `under` (h, w).
    """
    shared &= alpha < 1 - LEAST
    shared |= (alpha > LEAST) & (alpha < 1 - LEAST) & (under > LEAST)


def tiles(shared: NDArray[np.bool_], box: Box) -> Iterator[Box]:
    """Boxes of the canvas that hold all pixels `shared` (h, w) of a `box`, and few others.

    A box is halved again and again where its pieces, with their fixed costs, are cheaper than the whole.
    """
    whole = extent(shared)
    for part in _halved(shared, whole) if whole.area else ():
        yield _moved(part, box)


def _halved(shared: NDArray[np.bool_], part: Box) -> list[Box]:
    if part.area <= WORTH:
        return [part]
    x, y = (part.width // 2, 0) if part.width > part.height else (0, part.height // 2)
    first = Box(part.x, part.y, x or part.width, y or part.height)
    second = Box(part.x + x, part.y + y, part.width - x, part.height - y)
    halves = [_moved(tight, half) for half in (first, second) if (tight := extent(shared[half.slices])).area]
    # A single halving may save nothing, as along the outline of a rectangle.
    boxes = [box for half in halves for box in _halved(shared, half)]
    return boxes if sum(box.area + WORTH for box in boxes) < part.area + WORTH else [part]


def _moved(part: Box, within: Box) -> Box:
    """A box given relative to another, in canvas coordinates."""
    return Box(within.x + part.x, within.y + part.y, part.width, part.height)


def finer(box: Box) -> Box:
    """A box on the finer canvas."""
    return Box(*(TIMES * side for side in box))


def needed(shared: NDArray[np.bool_], part: Box, box: Box) -> U8:
    """Which pixels of the finer canvas of a part have to be painted: 255 in and beside `shared` pixels.

    `shared` (h, w) are the pixels of a `box`, all others are 0.
    """
    some = shared[part.within(box)].view(np.uint8)
    # Gaps and edges take light from the pixels beside them.
    near = cv2.dilate(some * np.uint8(255), np.ones((3, 3), np.uint8))
    size = (TIMES * part.width, TIMES * part.height)
    return np.asarray(cv2.resize(near, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def mend(canvas: Canvas, fine: Canvas, shared: NDArray[np.bool_], part: Box) -> None:
    """Replace the `shared` pixels (h, w) of a part of a canvas by the means of the pixels of a finer canvas,
    in place."""
    at = part.within(canvas.box)
    some = shared[at]
    planes = (canvas.rgb, fine.rgb), (canvas.alpha, fine.alpha), *zip(canvas.gains, fine.gains, strict=True)
    for plane, own in planes:
        mean = cv2.resize(own, (part.width, part.height), interpolation=cv2.INTER_AREA)
        plane[at][some] = mean[some]
