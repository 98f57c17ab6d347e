"""Falloff: lamps that stand near a device light the side towards them more brightly.

An environment's light comes from infinitely far away, so a flat matt face would be one even fill. Here its
light grows towards the lamps, as e to the power of the distance, and is unchanged at the device's pivot.
"""

from __future__ import annotations

import math

import numpy as np

from ...arrays import F32
from ...devices.device import Device
from ..geometry.camera import Camera
from ..geometry.raster import Box
from .shading import Light

FARTHEST = 1.5  # radii of the body from its pivot at which the falloff ends: straps are long; by eye


def falloff(light: Light, device: Device, camera: Camera, box: Box) -> tuple[F32, F32] | None:
    """Factors (h,) and (w,) whose product is that of the light in each pixel of a box; None if all are 1.

    They hold in the plane of the device's pivot that faces the camera.
    """
    x, y, _ = light.environment.falloff
    strength = min(light.strength, 1.0)
    if not strength or not (x or y):
        return None
    radius = camera.k * math.hypot(*device.body) / 2
    right = (np.arange(box.x, box.x + box.width) + 0.5 - camera.center[0]) / radius
    down = (np.arange(box.y, box.y + box.height) + 0.5 - camera.center[1]) / radius
    rows, columns = (
        np.exp(strength * slope * np.clip(way, -FARTHEST, FARTHEST)).astype(np.float32)
        for slope, way in ((-y, down), (x, right))
    )
    return rows, columns
