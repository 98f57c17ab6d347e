"""The grid of texels on which the shadow on a plane is drawn."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from ...arrays import F32, F64, I32, U8

FRACTION = 4  # fractional bits of polygons' corners; by construction


class Grid(NamedTuple):
    """Texels of a plane: the mm (2,) at which they begin, texels per mm (2,), and their number (2,)."""

    low: F64
    scale: F64
    size: tuple[int, int]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.size[1], self.size[0]

    def coarser(self, step: int) -> Grid:
        """The same place in texels that are `step` times as large."""
        width, height = (-(-count // step) for count in self.size)
        return Grid(self.low, self.scale / step, (width, height))

    def texels(self, points: F64) -> I32:
        """Points (..., 2), mm of the plane, as `fill` takes them: fixed point numbers of texels."""
        # Centres of texels are whole numbers there.
        return np.rint(((points - self.low) * self.scale - 0.5) * (1 << FRACTION)).astype(np.int32)

    def matrix(self) -> F64:
        """The matrix (3, 3) from texels to mm of the plane."""
        (across, along), (x, y) = self.scale, self.low
        return np.array([[1 / across, 0, x], [0, 1 / along, y], [0, 0, 1.0]])

    def blank(self) -> F32:
        """No shadow (h, w)."""
        return np.zeros(self.shape, np.float32)


def fill(mask: U8, points: I32) -> None:
    """Set the texels in the convex hull of points (n, 2) to 255, or to their covered share at its edge."""
    cv2.fillConvexPoly(mask, cv2.convexHull(points), 255, cv2.LINE_AA, FRACTION)
