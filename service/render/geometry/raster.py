"""Boxes of pixels, and the rasterisation of meshes with lit vertices."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ..kernels import raster as kernel
from .camera import Camera
from .mesh import Mesh


class Box(NamedTuple):
    """A rectangle of canvas pixels; `x`, `y` is its top left corner."""

    x: int
    y: int
    width: int
    height: int

    @property
    def area(self) -> int:
        """Pixels inside."""
        return max(self.width, 0) * max(self.height, 0)

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of the box in a canvas array."""
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)

    def clipped(self, outer: Box) -> Box:
        """The intersection with another box; width and height may be zero."""
        x, y = max(self.x, outer.x), max(self.y, outer.y)
        right = min(self.x + self.width, outer.x + outer.width)
        bottom = min(self.y + self.height, outer.y + outer.height)
        return Box(x, y, max(right - x, 0), max(bottom - y, 0))

    def within(self, outer: Box) -> tuple[slice, slice]:
        """Rows and columns of the box in an array that covers `outer`."""
        return Box(self.x - outer.x, self.y - outer.y, self.width, self.height).slices


def bounds(points: F64 | F32, width: int, height: int, margin: int = 2) -> Box:
    """The box of canvas pixels around projected points (n, 2), px, clipped to the canvas."""
    x, wide = _span(points[:, 0], width, margin)
    y, high = _span(points[:, 1], height, margin)
    return Box(x, y, wide, high)


def landed(matrix: F64, across: tuple[float, float], up: tuple[float, float], width: int, height: int) -> Box:
    """The box of canvas pixels around a rectangle on a plane, given its ends `across` and `up` the plane.

    `matrix` (3, 3) takes the plane to px.
    """
    corners = np.array([(x, y, 1.0) for x in across for y in up]) @ matrix.T
    return bounds(corners[:, :2] / corners[:, 2:], width, height)


def _span(values: F64 | F32, size: int, margin: int) -> tuple[int, int]:
    """The start and length of the values' range, within 0 to `size`."""
    # A column at a time and in plain numbers: arrays of two take several times longer.
    start = min(max(math.floor(float(values.min())) - margin, 0), size)
    end = min(max(math.ceil(float(values.max())) + margin, 0), size)
    return start, max(end - start, 0)


def extent(seen: NDArray[np.bool_]) -> Box:
    """The smallest box around the true pixels of a mask (h, w); empty if there are none."""
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return Box(0, 0, 0, 0)
    y, x = int(rows[0]), int(columns[0])
    return Box(x, y, int(columns[-1]) + 1 - x, int(rows[-1]) + 1 - y)


def facing(mesh: Mesh, eye: F64) -> NDArray[np.bool_]:
    """Which triangles show an eye (3,) in device mm their outside, (m,) bool."""
    return np.asarray(mesh.planes[:, :3] @ eye > mesh.planes[:, 3])


class Samples(NamedTuple):
    """The mean `rgb` (h, w, 3) of all samples of a pixel: premultiplied by the share that `hit` (h, w).

    Whatever else is rasterised like colours may have more channels.
    """

    rgb: F32
    hit: F32

    @classmethod
    def none(cls, box: Box, channels: int = 3) -> Samples:
        """The samples of a box where nothing was hit."""
        size = (box.height, box.width)
        return cls(np.zeros((*size, channels), np.float32), np.zeros(size, np.float32))


def rasterise(
    mesh: Mesh, colors: F32, camera: Camera, box: Box, samples: int, kinds: NDArray[np.int8] | None = None
) -> tuple[Samples, Samples | None]:
    """Paint a mesh's front sides with interpolated vertex colours, float32, over a box.

    `colors` (n, 3) are linear. In a convex mesh, and in one with `kinds` (n,) of vertices, no front side
    hides another: coverage is exact. Other meshes are sampled, `samples` along each axis of a pixel; their
    colours may have more channels. With kinds, triangles with a vertex of kind 1 are painted on the second
    result, which is None without kinds, and those with a higher kind on neither.
    """
    walls = Samples.none(box, colors.shape[1])
    border = None if kinds is None else Samples.none(box)
    triangles = mesh.triangles[facing(mesh, camera.eye)]
    if not len(triangles) or not box.area:
        return walls, border
    points, nearness = camera.project(mesh.points) - (box.x, box.y), 1 / camera.depth(mesh.points)
    colors = np.ascontiguousarray(colors, np.float32)
    if border is None or kinds is None:
        if mesh.convex:
            kernel.areas(points, nearness, colors, triangles, *walls)
        else:
            kernel.nearest(points, nearness, colors, triangles, samples, *walls)
        return walls, border
    own = kinds[triangles].max(axis=1)
    for kind, target in enumerate((walls, border)):
        kernel.areas(points, nearness, colors, triangles[own == kind], *target)
    return walls, border
