"""Plain forms of the kernels, in which nothing is quick."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, F64

Polygon = list[tuple[float, float]]


def clipped(polygon: Polygon, axis: int, place: float, side: int) -> Polygon:
    """What of a polygon is beyond a place along an axis, by Sutherland and Hodgman; `side` is 1 or -1."""
    found: Polygon = []
    for start, end in zip(polygon[-1:] + polygon[:-1], polygon, strict=True):
        before, after = (side * (point[axis] - place) for point in (start, end))
        if before * after < 0:
            part = before / (before - after)
            x, y = (a + part * (b - a) for a, b in zip(start, end, strict=True))
            found.append((x, y))
        if after >= 0:
            found.append(end)
    return found


def measured(polygon: Polygon) -> tuple[float, float, float]:
    """The area and the centroid of a polygon."""
    area = x = y = 0.0
    for (ax, ay), (bx, by) in zip(polygon[-1:] + polygon[:-1], polygon, strict=True):
        twice = ax * by - ay * bx
        area, x, y = area + twice / 2, x + twice * (ax + bx) / 6, y + twice * (ay + by) / 6
    return (abs(area), x / area, y / area) if abs(area) > 1e-12 else (0.0, 0.0, 0.0)


def colored(corners: F64, nearness: F64, colors: F32, x: float, y: float) -> F64:
    """The colour (3,) of a triangle at a place, as perspective asks."""
    weights = np.linalg.solve(np.vstack([corners.T, np.ones(3)]), [x, y, 1.0]) * nearness
    return np.asarray(weights @ colors / weights.sum(), np.float64)


def areas(
    points: F64, nearness: F64, colors: F32, triangles: NDArray[np.int32], width: int, height: int
) -> tuple[F64, F64]:
    """As `raster.areas`: each triangle is clipped to each pixel."""
    rgb, hit = np.zeros((height, width, 3)), np.zeros((height, width))
    for own in triangles:
        corners = points[own]
        for y, x in np.ndindex(height, width):
            polygon: Polygon = [(a, b) for a, b in corners.tolist()]
            for axis, place, side in ((0, x, 1), (0, x + 1, -1), (1, y, 1), (1, y + 1, -1)):
                polygon = clipped(polygon, axis, place, side) if polygon else []
            area, *middle = measured(polygon) if polygon else (0.0,)
            if area:
                rgb[y, x] += area * colored(corners, nearness[own], colors[own], *middle)
                hit[y, x] += area
    return rgb, hit


def nearest(
    points: F64,
    nearness: F64,
    colors: F32,
    triangles: NDArray[np.int32],
    samples: int,
    width: int,
    height: int,
) -> tuple[F64, F64]:
    """As `raster.nearest`: every sample looks at every triangle."""
    rgb, hit = np.zeros((height, width, 3)), np.zeros((height, width))
    for row, column in np.ndindex(height * samples, width * samples):
        x, y = (column + 0.5) / samples, (row + 0.5) / samples
        found, best = None, 0.0
        for own in triangles:
            matrix = np.vstack([points[own].T, np.ones(3)])
            if abs(np.linalg.det(matrix)) < 1e-9:
                continue
            weights = np.linalg.solve(matrix, [x, y, 1.0])
            near = float(weights @ nearness[own])
            if weights.min() >= 0 and near > best:
                found, best = (weights * nearness[own]) @ colors[own] / near, near
        if found is not None:
            rgb[math.floor(y), math.floor(x)] += found / samples**2
            hit[math.floor(y), math.floor(x)] += 1 / samples**2
    return rgb, hit
