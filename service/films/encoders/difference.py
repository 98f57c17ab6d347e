"""Finds the box in which a frame differs from the previous one."""

from __future__ import annotations

import cv2
import numpy as np

from ...arrays import U8
from ...render.geometry.raster import Box


class Difference:
    """Compares each frame of a film with the previous one."""

    def __init__(self, step: int = 1) -> None:
        """Boxes begin at multiples of `step` pixels."""
        self._step = step
        self._before: U8 | None = None

    def box(self, pixels: U8) -> Box:
        """The smallest box with all differences, at least one pixel; the whole frame if it is the first."""
        before, self._before = self._before, pixels.copy()
        if before is None:
            return Box(0, 0, pixels.shape[1], pixels.shape[0])
        apart = np.asarray((pixels != before).any(axis=2), np.uint8)
        x, y, width, height = cv2.boundingRect(apart)
        if not width:
            return Box(0, 0, 1, 1)
        more_x, more_y = x % self._step, y % self._step
        return Box(x - more_x, y - more_y, width + more_x, height + more_y)
