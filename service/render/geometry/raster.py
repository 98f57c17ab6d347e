"""Lit vertices to pixels by OpenCV's triangle rasteriser, supersampled, in tiles that hold a triangle."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, F64
from service.render.geometry.camera import Camera
from service.render.geometry.mesh import Mesh

SPAN = 256  # samples across a tile: smaller tiles skip more empty pixels but cost more calls
LEVEL = 3.0  # times as wide as high, or as high as wide, are triangles along level or upright edges
NEAR, DEPTH = 0.02, 10.0  # the rasteriser's near and far plane, in camera distances; nothing lies outside
FAR = 0.999 * DEPTH  # the depth of samples that are hit is less
DEPTHS = (1.0, 2.0, 4.0)  # what stands for depth where kinds of triangles are told apart


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
    """The box of canvas pixels around a rectangle, from two places `across` a plane and two `up` it.

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
    """The mean of a pixel's samples (h, w, 3), so premultiplied by the fraction `hit` (h, w); float32."""

    rgb: F32
    hit: F32

    @classmethod
    def none(cls, box: Box) -> Samples:
        """Those of a box where nothing was hit."""
        size = (box.height, box.width)
        return cls(np.zeros((*size, 3), np.float32), np.zeros(size, np.float32))


def rasterise(
    mesh: Mesh, colors: F32, camera: Camera, box: Box, samples: int, kinds: NDArray[np.int8] | None = None
) -> tuple[Samples, Samples | None]:
    """Paint a mesh's front sides with interpolated vertex colours, float32, over a box.

    `colors` (n, 3) are linear; `samples` are per axis. Triangles with vertices of the kind 1 in `kinds` (n,)
    are painted on the second of the results, None without kinds, those of another kind but 0 on neither.
    """
    walls, border = Samples.none(box), None if kinds is None else Samples.none(box)
    triangles = mesh.triangles[facing(mesh, camera.eye)]
    if not len(triangles) or not box.area:
        return walls, border
    pixel = camera.project(mesh.points)
    a, b, c = (pixel[triangles[:, i]] for i in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    depth = camera.depth(mesh.points)
    if kinds is not None:
        # Front sides of a convex mesh hide none of each other, so depth can tell kinds apart.
        depth = np.array(DEPTHS)[kinds]
        colors = np.where((kinds > 1)[:, None], np.float32(0), colors)
    side = SPAN // samples
    for y in range(box.y, box.y + box.height, side):
        end = min(y + side, box.y + box.height)
        row = np.flatnonzero((low[:, 1] < end) & (high[:, 1] > y))
        if not len(row):
            continue
        left, right = row_extents(pixel[triangles[row]], y, end)
        for x in range(box.x, box.x + box.width, side):
            inside = np.flatnonzero((left < x + side) & (right > x))
            if not len(inside):
                continue
            near = row[inside]
            # Only the pixels around the triangles: most of a tile beside a long wall is empty.
            top, bottom = math.floor(low[near, 1].min()), math.ceil(high[near, 1].max())
            start, stop = math.floor(left[inside].min()), math.ceil(right[inside].max())
            tile = Box(start, top, stop - start, bottom - top).clipped(Box(x, y, side, side)).clipped(box)
            if not tile.area:
                continue
            part = tile.within(box)
            own = triangles[near]
            width, height = (high[near] - low[near]).sum(axis=0).tolist()
            grid = _grid(width, height, samples)
            color, away = _tile(own, pixel - (tile.x, tile.y), depth, colors, tile, grid)
            if border is None or kinds is None or not kinds[own].any():
                walls.rgb[part], walls.hit[part] = _mean(color, away, tile)
                continue
            (walls.rgb[part], walls.hit[part]), edge = _apart(color, away, tile)
            # The border is narrow: little of a tile needs memory for it.
            some = extent(edge.hit > 0).slices
            border.rgb[part][some], border.hit[part][some] = edge.rgb[some], edge.hit[some]
    return walls, border


def row_extents(triangles: F64, top: int, bottom: int) -> tuple[F64, F64]:
    """The least and the greatest x of triangles (n, 3, 2) between two rows, or a little beyond; each (n,)."""
    start, step = triangles, triangles[:, (1, 2, 0)] - triangles
    rise = np.where(step[..., 1] == 0, 1e-9, step[..., 1])
    one, other = (top - start[..., 1]) / rise, (bottom - start[..., 1]) / rise
    first = np.minimum(np.maximum(np.minimum(one, other), 0), 1)
    last = np.minimum(np.maximum(np.maximum(one, other), 0), 1)
    ends = start[..., 0] + step[..., 0] * np.stack([first, last])
    # An edge beyond the rows has both its ends at one of its corners, which is beyond them as well.
    away = first >= last
    least, most = np.where(away, np.inf, ends), np.where(away, -np.inf, ends)
    return least.min(axis=(0, 2)) - 0.01, most.max(axis=(0, 2)) + 0.01


def _grid(width: float, height: float, samples: int) -> tuple[int, int]:
    """The samples of a pixel across and down: more across edges than along them, where most run one way.

    They run the way that triangles are long, whose widths and heights are added up.
    """
    few = -(-samples // 2)
    many = samples * samples // few
    if width > LEVEL * height:
        return few, many
    return (many, few) if height > LEVEL * width else (samples, samples)


def _tile(
    triangles: NDArray[np.int32], pixel: F64, depth: F64, colors: F32, tile: Box, grid: tuple[int, int]
) -> tuple[F32, F32]:
    """The samples of a tile, colour (h, w, 3) and depth (h, w); `pixel` (n, 2) are relative to it."""
    used = np.flatnonzero(np.bincount(triangles.ravel(), minlength=len(pixel)))
    places = np.empty(len(pixel), np.int32)
    places[used] = np.arange(len(used))
    away = depth[used]
    # The rasteriser's camera looks at the tile's middle, at 90 degrees.
    half, (across, down) = tile.height / 2, grid
    x, y = ((pixel[used] - (tile.width / 2, half)) / half * away[:, None]).T
    x *= across / down
    vertices = np.stack([x, -y, -away], axis=1).astype(np.float32)
    size = (tile.height * down, tile.width * across)
    color = np.zeros((*size, 3), np.float32)
    buffer = np.full(size, DEPTH, np.float32)
    settings = cv2.TriangleRasterizeSettings()
    settings.setCullingMode(cv2.RASTERIZE_CULLING_NONE)
    settings.setShadingType(cv2.RASTERIZE_SHADING_SHADED)
    cv2.triangleRasterize(
        vertices, places[triangles], colors[used], color, buffer,
        np.eye(4, dtype=np.float32), np.pi / 2, NEAR, DEPTH, settings,
    )  # fmt: skip
    return color, buffer


def _apart(color: F32, depth: F32, tile: Box) -> tuple[Samples, Samples]:
    """The means of the samples of the first two kinds; those of others are black."""
    first, second = (
        cv2.inRange(depth, *ends) for ends in pairwise((NEAR, *np.sqrt(np.multiply(DEPTHS[:-1], DEPTHS[1:]))))
    )
    both = _shrunk(color, tile)
    one = _shrunk(cv2.copyTo(color, second), tile)
    return Samples(both - one, _share(first, tile)), Samples(one, _share(second, tile))


def _mean(color: F32, depth: F32, tile: Box) -> Samples:
    """The mean of each pixel's samples, and the fraction that is hit."""
    return Samples(_shrunk(color, tile), _share(cv2.inRange(depth, 0, FAR), tile))


def _shrunk(color: Any, tile: Box) -> F32:
    size = (tile.width, tile.height)
    return np.asarray(cv2.resize(color, size, interpolation=cv2.INTER_AREA), np.float32)


def _share(on: Any, tile: Box) -> F32:
    """The share of each pixel's samples that are 255, not 0."""
    return _shrunk(on, tile) * np.float32(1 / 255)
