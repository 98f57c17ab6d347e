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


# Shadow, order, boxes and edges ask for the same few within one picture.
@lru_cache(maxsize=256)
def silhouette(slab: Slab, camera: Camera) -> F32:
    """The slab's convex outline in canvas px (n, 2)."""
    points = camera.project(mesh(slab).hull).astype(np.float32)
    hull = np.asarray(cv2.convexHull(points)[:, 0], np.float32)
    hull.flags.writeable = False
    return hull


def outlines(device: Device, camera: Camera) -> list[F32]:
    """Those of a device's slabs."""
    return [silhouette(slab, camera) for slab in device.slabs]
