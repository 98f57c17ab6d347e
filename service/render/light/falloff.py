"""Falloff: lamps near a device light the side that faces them more brightly.

An environment's light comes from infinitely far away, so a flat matt face would have a single colour. Here,
light grows exponentially with the distance towards the lamps, and is unchanged at the device's pivot. On dark
devices, which reflect little light, the falloff would hardly show, so it is steeper if the screens face away:
photographers move lamps closer to dark subjects. If the screens face the camera, it is the same for all
finishes, because a finish must not change the light on a screen.
"""

from __future__ import annotations

import math

import numpy as np

from ...arrays import F32, F64
from ...devices.device import Device
from ..geometry.mesh import pose
from ..geometry.raster import Box
from .frame import Frame

# How many times as steeply light falls off on a black device, and the luminance from which the factor is 1;
# by eye.
DARK, DARKEST = 1.6, 0.1
# luminance weights of linear sRGB; by construction
LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)
# distance from the pivot at which the falloff ends, in radii of the body: straps are long; by eye
FARTHEST = 1.5


def steepness(tint: F32) -> float:
    """The factor by which light falls off more steeply on a device of a dark `tint` (3,), linear; 1 for other
    tints."""
    return 1 + DARK * max(1 - float(tint @ LUMINANCE) / DARKEST, 0.0)


def away(device: Device, turn: F64) -> float:
    """The degree, 0-1, to which a device's screens face away: 1 if all are seen from straight behind, 0 if
    any faces the camera."""
    slabs = [device.slab(screen.slab) for screen in device.screens]
    # The halves of a folded plate face different directions.
    if any(slab.bend for slab in slabs):
        return 0.0
    return max(min((-float(turn[2] @ pose(slab)[0][:, 2]) for slab in slabs), default=0.0), 0.0)


def falloff(frame: Frame, box: Box) -> tuple[F32, F32] | None:
    """Factors (h,) and (w,) whose product is the light's factor in each pixel of a box; None if all are 1.

    The factors are exact for points in one plane: the plane through the device's pivot that faces the camera.
    """
    camera, light = frame.camera, frame.light
    x, y, _ = light.environment.falloff
    steep = 1 + (steepness(frame.colors.tint) - 1) * away(frame.device, camera.turn)
    strength = min(light.strength, 1.0) * steep
    if not strength or not (x or y):
        return None
    radius = camera.k * math.hypot(*frame.device.body) / 2
    # Each device of a scene has its lamps around its own pivot.
    across, up = camera.aside
    right = (np.arange(box.x, box.x + box.width) + 0.5 - camera.center[0] - camera.k * across) / radius
    down = (np.arange(box.y, box.y + box.height) + 0.5 - camera.center[1] + camera.k * up) / radius
    rows, columns = (
        np.exp(strength * slope * np.clip(way, -FARTHEST, FARTHEST)).astype(np.float32)
        for slope, way in ((-y, down), (x, right))
    )
    return rows, columns
