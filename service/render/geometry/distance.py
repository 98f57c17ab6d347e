"""The distance from the camera to the surface that each pixel shows."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from ...arrays import F32, F64
from ...devices.device import Slab
from .camera import Camera
from .coverage import fill, levels
from .face import Plane, near_first, plane
from .mesh import Mesh
from .raster import Box, bounds, projected

SAMPLES = 2  # samples along each axis of a pixel, for walls that hide a part of themselves; by cost
HIT = 1e-3  # covered share of a pixel above which the mean of its samples is used; a guard


def distances(
    parts: Iterable[tuple[Slab, Mesh, tuple[F32, ...]]], camera: Camera, box: Box, zero: float
) -> F32:
    """The mean distance (h, w) of the surfaces in each pixel of a box, along the camera's axis, mm beyond
    `zero`.

    `parts` are slabs, their meshes and outlines from back to front, as in `service.render.paint.order`.
    Values are undefined in pixels that show no part.
    """
    found = np.zeros((box.height, box.width), np.float32)
    known = np.zeros(found.shape, np.float32)
    for slab, shape, outlines in parts:
        if not outlines:
            continue
        near = bounds(np.concatenate(outlines), camera.width, camera.height).clipped(box)
        if not near.area:
            continue
        cover = levels(outlines, near).astype(np.float32) * np.float32(1 / 255)
        at = near.within(box)
        away = _part(slab, shape, camera, near, zero)
        total = known[at] * (1 - cover) + cover
        mixed = found[at] * known[at] * (1 - cover) + away * cover
        found[at] = np.where(total > 0, mixed / np.maximum(total, np.float32(1e-6)), found[at])
        known[at] = total
    return found


def _part(slab: Slab, shape: Mesh, camera: Camera, box: Box, zero: float) -> F32:
    """The distance (h, w) of a slab, mm beyond `zero`."""
    away = (camera.distance - camera.view(shape.points)[:, 2] - zero).astype(np.float32)
    walls = projected(shape, np.repeat(away[:, None], 3, axis=1), camera).paint(box, SAMPLES).samples
    total, hit = walls.rgb[..., 0].copy(), walls.hit.copy()
    for side in near_first(slab, camera):
        for front in (True, False):
            at = plane(slab, front, side)
            if not at.seen(camera) or (not front and slab.base is not None) or not shape.caps:
                continue
            outline = camera.project(shape.cap(front, side)).astype(np.float32)
            share = np.minimum(fill([outline], box), 1 - hit)
            total += share * _plane(at, camera, box, zero)
            hit += share
    return _filled(np.asarray(total / np.maximum(hit, np.float32(HIT)), np.float32), hit)


def _plane(at: Plane, camera: Camera, box: Box, zero: float) -> F32:
    """The distance (h, w) at which the pixels' rays meet a plane."""
    origin, normal = camera.view(np.stack([at.origin, at.normal]))
    scale = 1 / (camera.k * camera.distance)
    x = (np.arange(box.width) + box.x + 0.5 - camera.center[0]) * scale
    y = (camera.center[1] - np.arange(box.height) - box.y - 0.5) * scale
    nearness: F64 = (normal[2] - x * normal[0] - (y * normal[1])[:, None]) / ((camera.seat - origin) @ normal)
    return (1 / np.maximum(nearness, 1e-9) - zero).astype(np.float32)


def _filled(mean: F32, hit: F32) -> F32:
    """The distances (h, w); pixels where nothing was hit take the distance of the nearest pixel that was
    hit."""
    bare = (hit <= HIT).astype(np.uint8)
    if not bare.any() or bare.all():
        return mean
    _, labels = cv2.distanceTransformWithLabels(bare, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL)
    values = np.zeros(int(labels.max()) + 1, np.float32)
    known = bare == 0
    values[labels[known]] = mean[known]
    return np.asarray(values[labels], np.float32)
