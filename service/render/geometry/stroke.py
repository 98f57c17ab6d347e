"""Lines of constant width on the canvas, antialiased by distance."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

import cv2
import numpy as np

from ...arrays import F32, F64
from .raster import Box

FLAT = 0.04  # px; the error allowed when points of a line are left out
# px; the longest piece of a line, since the box around a longer slanted one would be mostly empty
LONGEST = 64.0


def stroke(lines: Iterable[F32 | F64], width: float, box: Box) -> F32:
    """The coverage (h, w) float32 in 0-1 of closed lines through points (n, 2), canvas px, `width` px wide.

    A pixel d px from the nearest line is covered by width / 2 + 1 / 2 - d, clipped to 0-1: ends and corners
    are round.
    """
    cover = np.zeros((box.height, box.width), np.float32)
    reach = width / 2 + 0.5
    for line in lines:
        for start, end in _pieces(line):
            _piece(cover, start - (box.x, box.y), end - (box.x, box.y), reach)
    return cover


def _pieces(line: F32 | F64) -> Iterable[tuple[F64, F64]]:
    """The starts and ends of a closed line's straight pieces."""
    corners = cv2.approxPolyDP(np.ascontiguousarray(line, np.float32)[:, None], FLAT, True)[:, 0]
    points = corners.astype(np.float64)
    for start, end in zip(points, np.roll(points, -1, axis=0), strict=True):
        count = max(math.ceil(float(np.hypot(*(end - start))) / LONGEST), 1)
        marks = start + np.linspace(0, 1, count + 1)[:, None] * (end - start)
        yield from pairwise(marks)


def _piece(cover: F32, start: F64, end: F64, reach: float) -> None:
    """Draw a straight piece, in place."""
    height, width = cover.shape
    low, high = np.minimum(start, end) - reach, np.maximum(start, end) + reach
    left, top = max(math.floor(low[0]), 0), max(math.floor(low[1]), 0)
    right, bottom = min(math.ceil(high[0]), width), min(math.ceil(high[1]), height)
    if left >= right or top >= bottom:
        return
    x = (np.arange(left, right) + (0.5 - start[0])).astype(np.float32)[None]
    y = (np.arange(top, bottom) + (0.5 - start[1])).astype(np.float32)[:, None]
    dx, dy = (np.float32(side) for side in end - start)
    length = max(dx * dx + dy * dy, np.float32(1e-12))
    along = np.clip((x * dx + y * dy) / length, 0, 1)
    distance = np.hypot(x - along * dx, y - along * dy)
    part = cover[top:bottom, left:right]
    np.maximum(part, np.clip(np.float32(reach) - distance, 0, 1), out=part)
