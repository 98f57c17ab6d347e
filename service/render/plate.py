"""A plate: everything of a picture but the screenshot, built once, exposed to many screenshots."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from service.clock import Clock
from service.devices import Device
from service.render import background, body, shadow
from service.render.camera import Camera, aim
from service.render.dither import noise
from service.render.draft import Draft
from service.render.environment import load
from service.render.mesh import frame
from service.render.raster import Box
from service.render.shading import Light
from service.render.tone import decode16, encode, linear
from service.scene import Stage

U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Aperture:
    """Where the screenshot shines through: picture = base + gain · screenshot, in 16-bit linear light.

    `base`, `gain` (h, w, 3) uint16 over `box`; `matrix` (3, 3) takes screen mm (x right, y up as the viewer
    holds the device, from the screen's middle) to canvas px; `size` is the screen's in mm, likewise.
    """

    box: Box
    base: U16
    gain: U16
    matrix: F64
    size: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """`base` (h, w, 3 or 4) uint8 sRGB, straight alpha, and the aperture, None when no screen is seen."""

    base: U8
    aperture: Aperture | None

    @property
    def nbytes(self) -> int:
        """Memory held."""
        held = self.base.nbytes
        return held + (self.aperture.base.nbytes + self.aperture.gain.nbytes if self.aperture else 0)


def build(device: Device, stage: Stage, clock: Clock) -> Plate:
    """Pose, light and paint the device of a stage over its background and shadow."""
    camera = aim(device, stage)
    canvas = background.paint(stage.background, stage.width, stage.height)
    clock.check()
    if stage.shadow is not None and stage.shadow.opacity > 0:
        alpha = shadow.strength(device, camera, stage.shadow, stage.fast)
        canvas = _shade(canvas, alpha, stage.shadow.color[:3], stage.shadow.color[3] / 255)
    clock.check()
    light = Light(load(stage.environment), stage.light)
    draft = body.paint(device, camera, light, linear(stage.tint), stage.fast, clock)
    return _develop(device, stage, camera, canvas, draft)


def _shade(canvas: U8, alpha: F32, color: tuple[int, ...], opacity: float) -> U8:
    """The shadow over the background, in sRGB code values as browsers and editors blend."""
    reach = np.flatnonzero(alpha.max(axis=1) > 1 / 1024), np.flatnonzero(alpha.max(axis=0) > 1 / 1024)
    if not len(reach[0]):
        return canvas
    y, x = int(reach[0][0]), int(reach[1][0])
    box = Box(x, y, int(reach[1][-1]) + 1 - x, int(reach[0][-1]) + 1 - y)
    part = canvas[box.slices]
    shade = alpha[box.slices] * np.float32(opacity)
    spread = noise(box.x, box.y, box.width, box.height) * np.float32(0.996) + np.float32(0.002)
    below = part[..., 3].astype(np.float32) * np.float32(1 / 255)
    solid = bool((part[..., 3] == 255).all())
    rest = 1 - shade if solid else (1 - shade) * below
    total = None if solid else np.maximum(rest + shade, np.float32(1e-6))
    for channel in range(3):
        plane = part[..., channel] * rest
        plane += shade * np.float32(color[channel])
        if total is not None:
            plane /= total
        plane += spread
        part[..., channel] = np.clip(plane, 0, 255.5)
    if total is not None:
        part[..., 3] = np.clip(total * 255 + spread, 0, 255.5)
    return canvas


def _develop(device: Device, stage: Stage, camera: Camera, canvas: U8, draft: Draft) -> Plate:
    """Draft over canvas: code values, dithered; the screen's aperture in linear light."""
    box = draft.box
    if box.area:
        part = canvas[box.slices]
        alpha = draft.alpha
        safe = np.maximum(alpha, np.float32(1e-4))
        straight = np.asarray(draft.rgb / safe[..., None], np.float32)
        code = encode(straight)
        below = part[..., 3].astype(np.float32) * np.float32(1 / 255)
        total = alpha + below * (1 - alpha)
        weight = np.asarray(alpha / np.maximum(total, np.float32(1e-6)), np.float32)
        code = np.asarray(part[..., :3] + (code - part[..., :3]) * weight[..., None], np.float32)
        spread = noise(box.x, box.y, box.width, box.height) * np.float32(0.996) + np.float32(0.002)
        touched = alpha > 0
        dithered = np.clip(code + spread[..., None], 0, 255.5).astype(np.uint8)
        part[..., :3][touched] = dithered[touched]
        part[..., 3][touched] = np.round(total * 255)[touched].astype(np.uint8)
        aperture = _aperture(device, stage, camera, draft, code, weight, spread)
    else:
        aperture = None
    opaque = bool((canvas[..., 3] == 255).all())
    base = np.ascontiguousarray(canvas[..., :3]) if opaque else canvas
    base.flags.writeable = False
    return Plate(base, aperture)


def _aperture(
    device: Device, stage: Stage, camera: Camera, draft: Draft, code: F32, weight: F32, spread: F32
) -> Aperture | None:
    lit = draft.gain > 1 / 4096
    rows, columns = np.flatnonzero(lit.any(axis=1)), np.flatnonzero(lit.any(axis=0))
    if not len(rows):
        return None
    y, x = int(rows[0]), int(columns[0])
    box = Box(draft.box.x + x, draft.box.y + y, int(columns[-1]) + 1 - x, int(rows[-1]) + 1 - y)
    part = box.within(draft.box)
    base = decode16(code[part] + (spread[part] - np.float32(0.5))[..., None])
    # Straight colour: the screen's share of what covers the pixel.
    share = draft.gain[part] / np.maximum(draft.alpha[part], np.float32(1e-4)) * weight[part]
    parts = np.clip(share * np.float32(65535) + np.float32(0.5), 0, 65535).astype(np.uint16)
    gain = np.asarray(cv2.merge([parts] * 3), np.uint16)
    matrix, size = screen_plane(device, stage, camera)
    for array in (base, gain):
        array.flags.writeable = False
    return Aperture(box, base, gain, matrix, size)


def screen_plane(device: Device, stage: Stage, camera: Camera) -> tuple[F64, tuple[float, float]]:
    """The matrix from screen mm to canvas px and the screen's size in mm, upright as the device is held."""
    screen = device.screen
    slab = next(s for s in device.slabs if s.name == screen.slab)
    axes, center = frame(slab)
    origin = center + axes @ np.array([*screen.center, slab.size[2] / 2])
    x, y, size = axes[:, 0], axes[:, 1], screen.size
    if stage.orientation != device.natural:
        # Turned a quarter to the left, the device's own right points up and its bottom to the right.
        x, y, size = -y, x, (size[1], size[0])
    return camera.homography(origin, x, y), size
