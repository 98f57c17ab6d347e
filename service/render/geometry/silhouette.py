"""Outlines of slabs on the canvas."""

from __future__ import annotations

import cv2
import numpy as np

from service.arrays import F32
from service.models.devices import Device, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import fill
from service.render.geometry.mesh import hull, mesh
from service.render.geometry.raster import Box
from service.render.kept import MIB, kept

COUNTED = 512  # px of a silhouette's longer side when its area is measured


# Shadow, depth sort, boxes and edges need the same few within one picture.
@kept(MIB)
def silhouette(slab: Slab, camera: Camera) -> F32:
    """The slab's convex outline in canvas px, (n, 2) float32, read-only."""
    points = camera.project(mesh(slab).hull).astype(np.float32)
    hull = np.asarray(cv2.convexHull(points)[:, 0], np.float32)
    hull.flags.writeable = False
    return hull


def outlines(device: Device, camera: Camera) -> list[F32]:
    """The silhouettes (n, 2) of a device's slabs, canvas px, float32."""
    return [silhouette(slab, camera) for slab in device.slabs]


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
    # The share of each column and row of these pixels that lies on the canvas.
    across, down = (
        np.clip(np.minimum(at + 1, end) - np.maximum(at, start), 0, 1)
        for at, start, end in zip(
            (np.arange(width), np.arange(height)), -low / step, (canvas - low) / step, strict=True
        )
    )
    return float(1 - down @ cover @ across / cover.sum())
