"""The grid of texels on which the shadow on a plane is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from ...arrays import F32, F64
from ..geometry.raster import Box, bounds
from ..kernels.shadows import outlines

FRACTION = 4  # fractional bits of polygons' corners; by construction
ONE = 1 << FRACTION


class Grid(NamedTuple):
    """Texels on a plane: where they begin, mm (2,); their density, texels per mm (2,); and their number
    (2,)."""

    low: F64
    scale: F64
    size: tuple[int, int]

    def coarser(self, step: int) -> Grid:
        """A grid over the same area, with texels that are `step` times as large."""
        width, height = (-(-count // step) for count in self.size)
        return Grid(self.low, self.scale / step, (width, height))

    def matrix(self) -> F64:
        """The matrix (3, 3) from texels to mm of the plane."""
        (across, along), (x, y) = self.scale, self.low
        return np.array([[1 / across, 0, x], [0, 1 / along, y], [0, 0, 1.0]])

    def shadow(self, shapes: Sequence[F64], ways: F64, margin: int) -> tuple[F32, Box]:
        """The mean (h, w), 0-1, of the hard shadows that convex shapes cast in light from several directions.

        The shapes (n, 3) are mm across, along and above the plane; the directions, `ways` (k, 2), are mm on
        the plane for each mm of height. The result covers the returned box: at least `margin` texels around
        all shadows, as far as the grid reaches.
        """
        points, (width, height) = np.concatenate(shapes), self.size
        # In these coordinates, the centres of texels are whole numbers.
        points[:, :2] = ((points[:, :2] - self.low) * self.scale - 0.5) * ONE
        ends = np.cumsum([len(shape) for shape in shapes]).astype(np.int32)
        # In this order, points that are sorted for one direction are nearly sorted for the next.
        ways = ways[np.argsort(ways[:, 0])]
        corners, ends = outlines(points, ends, ways * self.scale * ONE)
        # Draw only the box that contains all shadows.
        places = corners * (1 / ONE)
        box, around = bounds(places, width, height), bounds(places, width, height, 2 + margin)
        total = np.zeros((around.height, around.width), np.float32)
        mask, part, start = np.empty((box.height, box.width), np.uint8), total[box.within(around)], 0
        corners -= np.array([box.x, box.y], np.int32) * ONE
        for way in ends.tolist() if box.area else ():
            mask[:] = 0
            for end in way:
                cv2.fillConvexPoly(mask, corners[start:end], 255, cv2.LINE_AA, FRACTION)
                start = end
            cv2.accumulate(mask, part)
        return np.asarray(total * np.float32(1 / 255 / len(ways)), np.float32), around
