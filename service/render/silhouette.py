"""Outlines of slabs on the canvas, and how much of each pixel they cover."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from service.devices import Slab
from service.render.camera import Camera
from service.render.mesh import mesh
from service.render.raster import Box

F32 = NDArray[np.float32]

CLOSE = 0.05  # of the camera's distance: what is nearer has no outline that means anything


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


def fill(polygons: Iterable[F32], box: Box, samples: int = 4) -> F32:
    """The coverage (h, w) in 0-1 of convex polygons in canvas px, by `samples` squared a pixel."""
    mask = np.zeros((box.height * samples, box.width * samples), np.uint8)
    limit = 2**30
    for polygon in polygons:
        # OpenCV fills what the outline touches: half a sample too much on every side, taken back by scaling.
        middle, reach = (polygon.max(axis=0) + polygon.min(axis=0)) / 2, np.ptp(polygon, axis=0) / 2
        inset = np.maximum(1 - 0.5 / samples / np.maximum(reach, 0.5), 0.5)
        inner = middle + (polygon - middle) * inset
        fixed = np.round(((inner - [box.x, box.y]) * samples - 0.5) * 256)
        cv2.fillConvexPoly(mask, np.clip(fixed, -limit, limit).astype(np.int32), 255, cv2.LINE_8, 8)
    small = mask if samples == 1 else cv2.resize(mask, (box.width, box.height), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) * np.float32(1 / 255)
