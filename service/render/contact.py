"""The short shadow that raised parts cast on the face they stand on."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from service.devices import Slab
from service.render.camera import Camera
from service.render.face import Plane
from service.render.mesh import frame
from service.render.outline import outline
from service.render.plane import lay
from service.render.raster import Box
from service.render.shading import Light

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

PPM = 4  # px a mm of the shadow's picture
MARGIN = 6.0  # mm around the parts
STRENGTH = 0.42
LOWEST = 0.12  # cosine of the key light's angle below which it only grazes the face


def cast(parts: list[Slab], at: Plane, camera: Camera, light: Light, box: Box) -> F32 | None:
    """How much light the parts take from their face, (h, w) in 0-1; None when none does.

    Each outline is moved away from the key light by half of the part's height (the middle of its wall's
    shadow) and blurred by as much, since the key is a wide soft box.
    """
    key = np.array(light.environment.key)
    x, y, z = (float(camera.view(axis[None])[0] @ key) for axis in (at.x, at.y, at.normal))
    if z <= LOWEST or light.strength == 0 or not parts:
        return None
    shapes = [(_footprint(part, at), _height(part, at)) for part in parts]
    points = np.concatenate([shape for shape, _ in shapes])
    low, high = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    width, height = (int(np.ceil(side * PPM)) for side in high - low)
    shadow = np.zeros((height, width), np.uint8)
    for shape, rise in shapes:
        moved = shape - np.array([x, y]) / max(z, 0.45) * rise * 0.5
        fixed = np.round(((moved - low) * [1, -1] + [0, high[1] - low[1]]) * PPM * 16).astype(np.int32)
        mask = np.zeros_like(shadow)
        cv2.fillConvexPoly(mask, fixed, 255, cv2.LINE_8, 4)
        sigma = max(0.35 * rise, 0.3) * PPM
        np.maximum(shadow, cv2.GaussianBlur(mask, (0, 0), sigma), out=shadow)
    strength = STRENGTH * min(light.strength, 1.0) * min((z - LOWEST) / 0.3, 1.0)
    center = (float(low[0] + width / PPM / 2), float(high[1] - height / PPM / 2))
    size = (width / PPM, height / PPM)
    seen = lay((shadow,), at.homography(camera), center, size, box, cv2.BORDER_CONSTANT)
    return np.asarray(seen.astype(np.float32) * np.float32(strength / 255), np.float32)


def _footprint(part: Slab, at: Plane) -> F64:
    """A part's outline in the face's mm."""
    axes, center = frame(part)
    flat = outline(part.size[0], part.size[1], part.corner).points
    world = center + flat @ axes[:, :2].T - at.origin
    return np.stack([world @ at.x, world @ at.y], axis=1)


def _height(part: Slab, at: Plane) -> float:
    """How far a part's far cap stands above the face, mm."""
    _, center = frame(part)
    return float((center - at.origin) @ at.normal) + part.size[2] / 2
