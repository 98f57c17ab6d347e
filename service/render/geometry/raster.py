"""Boxes of pixels, and the rasterisation of meshes with lit vertices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ..kernels import outlines
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
        """The number of pixels inside."""
        return max(self.width, 0) * max(self.height, 0)

    @property
    def slices(self) -> tuple[slice, slice]:
        """The slices of rows and columns of the box in an array that covers the canvas."""
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)

    def clipped(self, outer: Box) -> Box:
        """The intersection with another box; width and height may be zero."""
        x, y = max(self.x, outer.x), max(self.y, outer.y)
        right = min(self.x + self.width, outer.x + outer.width)
        bottom = min(self.y + self.height, outer.y + outer.height)
        return Box(x, y, max(right - x, 0), max(bottom - y, 0))

    def beyond(self, inner: Box) -> list[Box]:
        """The parts of the box, at most four, that lie outside another box."""
        shared = inner.clipped(self)
        if not shared.area:
            return [self]
        right, bottom = shared.x + shared.width, shared.y + shared.height
        parts = (
            Box(self.x, self.y, self.width, shared.y - self.y),
            Box(self.x, bottom, self.width, self.y + self.height - bottom),
            Box(self.x, shared.y, shared.x - self.x, shared.height),
            Box(right, shared.y, self.x + self.width - right, shared.height),
        )
        return [part for part in parts if part.area]

    def grown(self, margin: int) -> Box:
        """The box with a margin, px, on each side."""
        return Box(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)

    def within(self, outer: Box) -> tuple[slice, slice]:
        """The slices of rows and columns of the box in an array that covers `outer`."""
        return Box(self.x - outer.x, self.y - outer.y, self.width, self.height).slices


def bounds(points: F64 | F32, width: int, height: int, margin: int = 2) -> Box:
    """The box of canvas pixels around projected points (n, 2), px, clipped to the canvas."""
    low_x, low_y, high_x, high_y = outlines.bounds(np.asarray(points, np.float64))
    x, wide = _span(low_x, high_x, width, margin)
    y, high = _span(low_y, high_y, height, margin)
    return Box(x, y, wide, high)


def landed(matrix: F64, across: tuple[float, float], up: tuple[float, float], width: int, height: int) -> Box:
    """The box of canvas pixels around a rectangle on a plane, from its extents `across` and `up`.

    `matrix` (3, 3) takes the plane to px.
    """
    corners = np.array([(x, y, 1.0) for x in across for y in up]) @ matrix.T
    return bounds(corners[:, :2] / corners[:, 2:], width, height)


def _span(low: float, high: float, size: int, margin: int) -> tuple[int, int]:
    """The start and length of a range with a margin, clipped to 0 to `size`."""
    start = min(max(math.floor(low) - margin, 0), size)
    end = min(max(math.ceil(high) + margin, 0), size)
    return start, max(end - start, 0)


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around others; an empty box if there are none."""
    boxes = [box for box in boxes if box.area]
    if not boxes:
        return Box(0, 0, 0, 0)
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(x, y, right - x, bottom - y)


def extent(seen: NDArray[np.bool_]) -> Box:
    """The smallest box around the pixels of a mask (h, w) that are set; an empty box if there are none."""
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return Box(0, 0, 0, 0)
    y, x = int(rows[0]), int(columns[0])
    return Box(x, y, int(columns[-1]) + 1 - x, int(rows[-1]) + 1 - y)


def facing(mesh: Mesh, eye: F64) -> NDArray[np.bool_]:
    """Which triangles turn their outside to an eye (3,), device mm; (m,) bool."""
    return np.asarray(mesh.planes[:, :3] @ eye > mesh.planes[:, 3])


class Samples(NamedTuple):
    """The mean `rgb` (h, w, 3) of each pixel's samples, premultiplied by `hit` (h, w), the share of the
    samples that hit."""

    rgb: F32
    hit: F32

    @classmethod
    def none(cls, box: Box) -> Samples:
        """The samples of a box where nothing was hit."""
        size = (box.height, box.width)
        return cls(np.zeros((*size, 3), np.float32), np.zeros(size, np.float32))


class Painted(NamedTuple):
    """The samples of a mesh's front sides, and those of its second set of triangles, or None if it has no
    such set.

    If vertices have more than three channels, `more` (h, w, c - 3) has the others, premultiplied as well.
    """

    samples: Samples
    second: Samples | None
    more: F32


@dataclass(frozen=True, slots=True, eq=False)
class Projected:
    """The front sides of a mesh on the canvas, ready to be painted in any box of it.

    Vertices have `points` (n, 2), px, a `nearness` (n,) and `colors` (n, c) float32. If `exact`, no triangle
    of `triangles` (m, 3) hides another, so coverage is computed exactly; otherwise it is sampled. The second
    set of triangles, if any, is painted separately.
    """

    points: F64
    nearness: F64
    colors: F32
    triangles: tuple[NDArray[np.int32], ...]
    exact: bool

    def paint(self, box: Box, samples: int) -> Painted:
        """Paint both sets in a box, with `samples` along each axis of a pixel."""
        painted = [Samples.none(box) for _ in self.triangles]
        more = np.zeros((box.height, box.width, self.colors.shape[1] - 3), np.float32)
        points = self.points - (box.x, box.y)
        for triangles, target in zip(self.triangles, painted, strict=True):
            if not len(triangles) or not box.area:
                continue
            if self.exact:
                kernel.areas(points, self.nearness, self.colors, triangles, *target)
            else:
                kernel.nearest(points, self.nearness, self.colors, triangles, samples, (*target, more))
        return Painted(painted[0], painted[1] if len(painted) > 1 else None, more)


def projected(mesh: Mesh, colors: F32, camera: Camera, kinds: NDArray[np.int8] | None = None) -> Projected:
    """A mesh's front sides with interpolated vertex colours, float32.

    `colors` (n, 3) are linear. In a convex mesh, and in one with `kinds` (n,) of vertices, no front side
    hides another. Vertices of other meshes may have more channels. With kinds, triangles with a vertex of
    kind 1 form a second set, and those with a higher kind are left out.
    """
    seen = mesh.triangles[facing(mesh, camera.eye)]
    groups: tuple[NDArray[np.int32], ...] = (seen,)
    if kinds is not None:
        own = kinds[seen].max(axis=1, initial=0)
        groups = seen[own == 0], seen[own == 1]
    nearness, colors = 1 / camera.depth(mesh.points), np.ascontiguousarray(colors, np.float32)
    exact = mesh.convex or kinds is not None
    return Projected(camera.project(mesh.points), nearness, colors, groups, exact)
