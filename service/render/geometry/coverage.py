"""How much of each pixel convex outlines cover, and colours weighted by such shares."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, F64, U8
from service.render.geometry.raster import Box, bounds

THIN = 1.5  # px; too narrow for two antialiased lines with a filled middle
SMALL = 1 << 14  # px; parts up to this size get more samples
# Samples from an outline inward to the centre of its antialiased line, and to the polygon filled inside it:
# OpenCV also fills pixels that an outline touches. Fitted to the coverage of superellipses at many angles.
LINE, INSIDE = 0.65, 1.1
FLAT = 0.02  # px; corners that stand out less are dropped
FRACTION = 8  # bits
LIMIT = 2**30


def weighted(rgb: F32, share: F32, out: F32 | None = None) -> F32:
    """Colours (h, w, 3) times a share (h, w) in 0-1, float32; a new array or `out`, which may be `rgb`."""
    # NumPy processes the three channels of a broadcast one by one.
    wide = cv2.cvtColor(np.ascontiguousarray(share), cv2.COLOR_GRAY2RGB)
    return np.asarray(cv2.multiply(rgb, wide, dst=out), np.float32)


def fill(polygons: Iterable[F32], box: Box) -> F32:
    """The coverage (h, w) float32 in 0-1 of convex polygons (n, 2), canvas px; the largest if they overlap.

    Two samples a pixel and axis inside antialiased edges are faster and more exact than four without. Shapes
    thinner than such edges get more samples instead, in their own part of the box.
    """
    thick: list[F32] = []
    thin: list[F32] = []
    for polygon in polygons:
        shape = polygon - np.array([box.x, box.y], np.float32)
        (thick if _thickness(shape) > THIN else thin).append(shape)
    cover = _smooth(thick, box.width, box.height)
    for shape in thin:
        part = bounds(shape, box.width, box.height)
        if part.area:
            np.maximum(cover[part.slices], _counted(shape, part), out=cover[part.slices])
    return cover


def _smooth(shapes: list[F32], width: int, height: int) -> F32:
    """Coverage from two samples a pixel and axis, inside OpenCV's antialiased lines."""
    mask = np.zeros((2 * height, 2 * width), np.uint8)
    for shape in shapes:
        sides = _sides(shape)
        rim, inner = (_fixed(_inset(*sides, within / 2), 2) for within in (LINE, INSIDE))
        cv2.polylines(mask, [rim], True, 255, 1, cv2.LINE_AA, FRACTION)
        cv2.fillConvexPoly(mask, inner, 255, cv2.LINE_8, FRACTION)
    return _averaged(mask, width, height)


def _counted(shape: F32, part: Box) -> F32:
    """Coverage from four samples a pixel and axis, or eight in small parts."""
    samples = 8 if part.area < SMALL else 4
    mask = np.zeros((part.height * samples, part.width * samples), np.uint8)
    inner = _inset(*_sides(shape - np.array([part.x, part.y], np.float32)), 0.5 / samples)
    cv2.fillConvexPoly(mask, _fixed(inner, samples), 255, cv2.LINE_8, FRACTION)
    return _averaged(mask, part.width, part.height)


def _averaged(mask: U8, width: int, height: int) -> F32:
    small = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) * np.float32(1 / 255)


def _fixed(polygon: F64, samples: int) -> NDArray[np.int32]:
    """Px to samples, in fixed point of `FRACTION` bits."""
    places = (polygon * samples - 0.5) * (1 << FRACTION)
    return np.clip(np.round(places), -LIMIT, LIMIT).astype(np.int32)


def _thickness(polygon: F32) -> float:
    """The approximate width of a long convex polygon, px."""
    return 2 * cv2.contourArea(polygon) / max(cv2.arcLength(polygon, True), 1e-9)


def _sides(polygon: F32) -> tuple[F64, F64]:
    """A convex polygon's corners, and the outward normals of the edges that start there; both (n, 2)."""
    # Edges of almost no length have no reliable direction.
    corners = cv2.approxPolyDP(polygon, FLAT, True)[:, 0].astype(np.float64)
    edges = _after(corners) - corners
    length = np.maximum(np.hypot(edges[:, 0], edges[:, 1]), 1e-9) * math.copysign(
        1, cv2.contourArea(polygon, True)
    )
    return corners, np.stack([edges[:, 1], -edges[:, 0]], axis=1) / length[:, None]


def _after(points: F64) -> F64:
    """The next point for each point."""
    return np.concatenate([points[1:], points[:1]])


def _before(points: F64) -> F64:
    """The previous row for each row."""
    return np.concatenate([points[-1:], points[:-1]])


def _inset(corners: F64, out: F64, distance: float) -> F64:
    """A convex polygon with all edges moved inward, without the edges that vanish on the way."""
    before = _before(out)
    # Neighbouring edges meet along the sum of their normals.
    turn = np.maximum(1 + np.einsum("ij,ij->i", out, before), 1e-9)
    moved = corners - (out + before) * (distance / turn)[:, None]
    edges = _after(corners) - corners
    length = np.einsum("ij,ij->i", edges, edges)
    left = np.einsum("ij,ij->i", edges, _after(moved) - moved)
    # The distance at which each edge vanishes; removing the first may save its neighbours.
    way = np.where(left > 0, np.inf, length / np.maximum(length - left, 1e-12))
    gone = (left <= 0) & (way <= _before(way)) & (way <= _after(way))
    if not gone.any() or len(corners) - gone.sum() < 3:
        return np.asarray(moved, np.float64)
    return _inset(_met(corners[~gone], out[~gone]), out[~gone], distance)


def _met(corners: F64, out: F64) -> F64:
    """Where the lines through `corners` with the normals `out` meet those before them."""
    reach, before = np.einsum("ij,ij->i", corners, out), _before(out)
    far = _before(reach)
    across = before[:, 0] * out[:, 1] - before[:, 1] * out[:, 0]
    parallel = np.abs(across) < 1e-9
    across[parallel] = 1
    x = (far * out[:, 1] - reach * before[:, 1]) / across
    y = (reach * before[:, 0] - far * out[:, 0]) / across
    return np.asarray(np.where(parallel[:, None], corners, np.stack([x, y], axis=1)), np.float64)
