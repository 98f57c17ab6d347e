"""Outlines of slabs on the canvas."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from service.devices import Device, Slab
from service.render.camera import Camera
from service.render.mesh import mesh

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


def outlines(device: Device, camera: Camera) -> list[F32]:
    """Those of a device's slabs that have one."""
    found = (silhouette(slab, camera) for slab in device.slabs)
    return [outline for outline in found if outline is not None]
