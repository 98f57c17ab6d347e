"""The canvas on which slabs are painted while a plate is built; the one mutable pixel object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...arrays import F32, U8
from ..geometry.raster import Box
from ..kernels.compositing import gain, over

NONE = np.zeros((0, 0), np.float32)  # the gain of a screen that is not in the paint; by construction


@dataclass(slots=True, eq=False)
class Canvas:
    """The paint over a `box`: float32, linear light of 0 or more, premultiplied.

    It has the light `rgb` (h, w, 3), its coverage `alpha` (h, w) in 0-1 and, for each of the device's
    screens, the gain (h, w) in 0-1 on the screenshot's light. `edges` (h, w) is not 0 where the edge of a
    slab, or of its face, crosses a pixel. The highlights of a `lit` canvas must still be compressed; flat
    paint needs no compression.
    """

    box: Box
    rgb: F32
    alpha: F32
    gains: tuple[F32, ...]
    edges: U8
    lit: bool = True

    @classmethod
    def empty(cls, box: Box, screens: int, *, lit: bool = True) -> Canvas:
        """A canvas without paint, for a device with this number of screens."""
        size = (box.height, box.width)
        gains = tuple(np.zeros(size, np.float32) for _ in range(screens))
        light, alpha = np.zeros((*size, 3), np.float32), np.zeros(size, np.float32)
        return cls(box, light, alpha, gains, np.zeros(size, np.uint8), lit)

    def cut(self, rows: slice) -> Canvas:
        """A view of some rows of the canvas."""
        box = Box(self.box.x, self.box.y + rows.start, self.box.width, rows.stop - rows.start)
        gains = tuple(gain[rows] for gain in self.gains)
        return Canvas(box, self.rgb[rows], self.alpha[rows], gains, self.edges[rows], self.lit)

    def over(self, rgb: F32, alpha: F32, gains: Mapping[int, F32], box: Box) -> None:
        """Composite paint over the `box` of the canvas, in place.

        `rgb` (h, w, 3) is straight linear light, `alpha` (h, w) its coverage in 0-1, and `gains` (h, w) are
        the gains in 0-1 of the screens in the paint, by their index in the device; all are float32. By Porter
        and Duff's "over", out = new·alpha + old·(1 - alpha), and likewise for alpha and gains.
        """
        left, top = box.x - self.box.x, box.y - self.box.y
        over(self.rgb, self.alpha, left, top, rgb, alpha)
        for screen, below in enumerate(self.gains):
            gain(below, left, top, gains.get(screen, NONE), alpha)
