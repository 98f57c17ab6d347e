"""The canvas that slabs are painted on while a plate is built; the one mutable pixel object."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from service.arrays import F32
from service.render.coverage import weighted
from service.render.raster import Box


@dataclass(slots=True, eq=False)
class Canvas:
    """Linear premultiplied `rgb` (h, w, 3), `alpha` (h, w) and the screen's `gain` (h, w) over `box`."""

    box: Box
    rgb: F32
    alpha: F32
    gain: F32
    blank: bool = True

    @classmethod
    def empty(cls, box: Box) -> Canvas:
        """Nothing painted yet."""
        size = (box.height, box.width)
        return cls(
            box, np.zeros((*size, 3), np.float32), np.zeros(size, np.float32), np.zeros(size, np.float32)
        )

    def cut(self, rows: slice) -> Canvas:
        """Some of its rows, as a view."""
        box = Box(self.box.x, self.box.y + rows.start, self.box.width, rows.stop - rows.start)
        return Canvas(box, self.rgb[rows], self.alpha[rows], self.gain[rows], self.blank)

    def over(self, rgb: F32, alpha: F32, gain: F32 | None, box: Box) -> None:
        """Paint straight linear colour with coverage `alpha` over a part; a screen brings its `gain`."""
        at = box.within(self.box)
        if self.blank and box == self.box:
            weighted(rgb, alpha, out=self.rgb)
            self.alpha[...] = alpha
        else:
            rest = 1 - alpha
            # The weights' sum is one; OpenCV divides by it, in one pass over both.
            self.rgb[at] = cv2.blendLinear(rgb, np.ascontiguousarray(self.rgb[at]), alpha, rest)
            self.alpha[at] = self.alpha[at] * rest + alpha
            self.gain[at] *= rest
        if gain is not None:
            self.gain[at] += gain * alpha
        self.blank = False
