"""Outlines of slabs on the canvas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ...devices.device import Device, Slab
from ..kernels import hiding
from ..kernels import outlines as kernel
from ..memoize import MIB, memoize
from .camera import Camera
from .coverage import fill
from .mesh import Mesh, corners, hull, mesh
from .raster import Box, facing

SLACK = 0.02  # px; the mean error allowed in the outline of a folded slab
MOST = 4.0  # px²; the error allowed in a piece of the outline, so that no inner corner is filled
# tests sets of points (..., n, 2); returns for each set whether all of its points pass, (...)
Inside = Callable[[F32], NDArray[np.bool_]]

COUNTED = 512  # px; the longer side of a silhouette is scaled to this length when its area is measured


# Cached, because shadow, depth sort, boxes and edges of one picture need the same few outlines.
@memoize(MIB)
def silhouette(slab: Slab, camera: Camera) -> tuple[F32, ...]:
    """The slab's outline in canvas px, polygons (n, 2) float32, read-only: a single, convex one unless the
    slab is bent."""
    shape = solid(slab)
    if shape.slices:
        return tuple(_pieces([camera.project(part).astype(np.float32) for part in shape.slices]))
    # A bent slab seen through its open end shows no front side: fall back to its hull.
    return tuple(loops(shape, camera)) or (convex_hull(camera.project(shape.hull).astype(np.float32)),)


def half_silhouette(slab: Slab, side: int, camera: Camera) -> F32:
    """The outline (n, 2) of one half of a folded slab, canvas px."""
    shape = solid(slab)
    own = np.unique(shape.half(side).triangles)
    return convex_hull(camera.project(shape.points[own]).astype(np.float32))


def solid(slab: Slab) -> Mesh:
    """The mesh for a slab's outline, which does not depend on the surface that a style gives the slab."""
    return mesh(slab.real or slab)


def convex_hull(points: F32) -> F32:
    """The convex outline (m, 2) of points (n, 2), read-only."""
    # OpenCV sorts all points. For large meshes, it takes a quarter of the time to leave out those inside
    # first.
    hull = np.asarray(cv2.convexHull(points[kernel.corners(points)])[:, 0], np.float32)
    hull.flags.writeable = False
    return hull


def _pieces(slices: Sequence[F32]) -> Iterator[F32]:
    """The convex hulls of runs of slices. A run continues as long as its hull stays within SLACK px of the
    true outline.

    Neighbouring runs share a slice, so that no gap shows between them.
    """
    whole = convex_hull(np.concatenate(slices))
    middle = len(slices) // 2
    if len(slices) < 3:
        yield whole
        return
    halves = slices[: middle + 1], slices[middle:]
    parts = [convex_hull(np.concatenate(half)) for half in halves]
    shared = cv2.intersectConvexConvex(parts[0], parts[1])[0]
    filled = sum(cv2.contourArea(part) for part in parts) - shared
    if cv2.contourArea(whole) - filled <= min(SLACK * cv2.arcLength(whole, True), MOST):
        yield whole
        return
    for half in halves:
        yield from _pieces(half)


def loops(shape: Mesh, camera: Camera) -> Iterator[F32]:
    """The outlines of a bent slab's visible outer surface, without the inside seen through its open end."""
    if not len(shape.welded):
        return
    seen = shape.welded[facing(shape, camera.eye)]
    places = camera.project(shape.points).astype(np.float32)
    along, ends = hiding.loops(seen, len(places))
    for loop in np.split(along, ends[:-1]):
        outline = places[loop]
        # A loop that runs the other way is a hole, where another part of the slab is in front.
        if cv2.contourArea(outline, oriented=True) < 0:
            outline.flags.writeable = False
            yield outline


def outlines(device: Device, camera: Camera) -> tuple[F32, ...]:
    """The silhouettes (n, 2) of a device's slabs, canvas px, float32, without those inside the largest."""
    return _outlines(device.slabs, camera)


@memoize(MIB)
def _outlines(slabs: tuple[Slab, ...], camera: Camera) -> tuple[F32, ...]:
    biggest = max(slabs, key=lambda slab: slab.size[0] * slab.size[1])
    body = max(silhouette(biggest, camera), key=cv2.contourArea)
    hidden = boxed(slabs, camera, interior(body))
    seen = [slab for slab in slabs if slab is biggest or slab.name not in hidden]
    shapes = [outline for slab in seen for outline in silhouette(slab, camera)]
    largest = max(shapes, key=cv2.contourArea)
    inside = interior(largest)
    return tuple(outline for outline in shapes if outline is largest or not bool(inside(outline)))


def boxed(slabs: tuple[Slab, ...], camera: Camera, inside: Inside) -> set[str]:
    """The names of straight slabs whose boxes, px, pass the test `inside`; their silhouettes then pass it,
    too."""
    names, points = _boxes(slabs)
    if not names:
        return set()
    passed = inside(camera.project(points).astype(np.float32).reshape(len(names), -1, 2))
    return {name for name, one in zip(names, passed.tolist(), strict=True) if one}


@memoize(MIB)
def _boxes(slabs: tuple[Slab, ...]) -> tuple[tuple[str, ...], F64]:
    """The names of slabs that are straight, and the corners (8 n, 3) of their boxes, device mm."""
    real = [(slab.name, slab.real or slab) for slab in slabs]
    straight = [(name, corners(slab)) for name, slab in real if slab.bend is None]
    points = np.concatenate([box for _, box in straight]) if straight else np.zeros((0, 3))
    return tuple(name for name, _ in straight), points


def interior(outline: F32, margin: float = 0.0) -> Inside:
    """A test of whether all points of a set (..., n, 2) are at least `margin` px inside a convex outline (m,
    2).

    If the outline is not convex, the test may miss sets that are inside, but never accepts others.
    """

    def inside(points: F32) -> NDArray[np.bool_]:
        # The number of sets is given, because it cannot be inferred from sets of no points.
        sets = points.reshape(math.prod(points.shape[:-2]), *points.shape[-2:])
        return (kernel.inside(outline, margin, sets) > 0).reshape(points.shape[:-2])

    return inside


def off_canvas(device: Device, camera: Camera) -> float:
    """The share of a device's silhouette that lies off the canvas, 0-1."""
    canvas = np.array([camera.width, camera.height])
    low, high = camera.bounds(hull(device))
    if (low >= 0).all() and (high <= canvas).all():
        return 0.0
    step = float((high - low).max()) / COUNTED
    low = low - step  # a pixel's margin for antialiased edges
    width, height = (int(side) + 1 for side in np.ceil((high - low) / step))
    shapes = [((outline - low) / step).astype(np.float32) for outline in outlines(device, camera)]
    cover = fill(shapes, Box(0, 0, width, height)).astype(np.float64)
    # For each column and row of these pixels, the share that lies on the canvas.
    across, down = (
        np.clip(np.minimum(at + 1, end) - np.maximum(at, start), 0, 1)
        for at, start, end in zip(
            (np.arange(width), np.arange(height)), -low / step, (canvas - low) / step, strict=True
        )
    )
    return float(1 - down @ cover @ across / cover.sum())
