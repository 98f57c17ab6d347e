"""Outlines of slabs on the canvas, and how much of each pixel they cover."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from service.devices import Device, Slab
from service.render.camera import Camera
from service.render.mesh import mesh
from service.render.raster import Box

F32 = NDArray[np.float32]

CLOSE = 0.05  # of the camera's distance: what is nearer has no outline that means anything
THIN = 1.5  # px
SMALL = 1 << 14  # px
FRACTION = 8  # bits
LIMIT = 2**30


# Shadow, order, boxes and edges ask for the same few within one picture.
@lru_cache(maxsize=256)
def silhouette(slab: Slab, camera: Camera) -> F32 | None:
    """The slab's convex outline in canvas px (n, 2); None when a part of it is behind the camera or close."""
    points = mesh(slab).hull
    if (camera.depth(points) < CLOSE).any():
        return None
    hull = np.asarray(cv2.convexHull(camera.project(points).astype(np.float32))[:, 0], np.float32)
    hull.flags.writeable = False
    return hull


def outlines(device: Device, camera: Camera) -> list[F32]:
    """Those of a device's slabs that have one."""
    found = (silhouette(slab, camera) for slab in device.slabs)
    return [outline for outline in found if outline is not None]


def fill(polygons: Iterable[F32], box: Box) -> F32:
    """The coverage (h, w) in 0-1 of convex polygons (n, 2) in canvas px.

    Two samples a pixel and axis within smooth edges are closer to the truth than four without, and quicker.
    What is thinner than such edges gets more samples instead.
    """
    shapes = [(polygon, _thickness(polygon)) for polygon in polygons]
    smooth = any(thickness > THIN for _, thickness in shapes)
    samples = 2 if smooth else 8 if box.area < SMALL else 4
    mask = np.zeros((box.height * samples, box.width * samples), np.uint8)
    for polygon, thickness in shapes:
        # OpenCV also fills what an outline touches, so both lie that far inside.
        corners, inward = _inward(polygon)
        inside = 0.5
        if smooth and thickness > THIN:
            rim, inside = _fixed(corners + inward * (0.65 / samples), box, samples), 1.1
            cv2.polylines(mask, [rim], True, 255, 1, cv2.LINE_AA, FRACTION)
        inner = _fixed(corners + inward * (inside / samples), box, samples)
        cv2.fillConvexPoly(mask, inner, 255, cv2.LINE_8, FRACTION)
    small = cv2.resize(mask, (box.width, box.height), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) * np.float32(1 / 255)


def _fixed(polygon: F32, box: Box, samples: int) -> NDArray[np.int32]:
    """Canvas px to the samples of a box, in fixed point of `FRACTION` bits."""
    places = ((polygon - [box.x, box.y]) * samples - 0.5) * (1 << FRACTION)
    return np.clip(np.round(places), -LIMIT, LIMIT).astype(np.int32)


def _thickness(polygon: F32) -> float:
    """About how wide a convex polygon is, px, where it is long."""
    return 2 * cv2.contourArea(polygon) / max(cv2.arcLength(polygon, True), 1e-9)


def _inward(polygon: F32) -> tuple[F32, F32]:
    """A convex polygon's distinct corners, and where each goes when all edges move inward by one."""
    edges = np.roll(polygon, -1, axis=0) - polygon
    length = np.hypot(edges[:, 0], edges[:, 1])
    if (length <= 1e-4).any():
        # An edge without length has no direction.
        left = polygon[length > 1e-4]
        return _inward(left) if len(left) > 2 else (polygon, np.zeros_like(polygon))
    out = np.stack([edges[:, 1], -edges[:, 0]], axis=1) / length[:, None]
    out *= math.copysign(1, cv2.contourArea(polygon, True))
    both = out + np.roll(out, 1, axis=0)
    square = np.maximum(np.einsum("ij,ij->i", both, both), np.float32(0.5))
    return polygon, np.asarray(both * (-2 / square)[:, None], np.float32)
