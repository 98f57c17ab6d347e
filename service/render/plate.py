"""A plate: everything of a picture but the screenshot, built once, exposed to many screenshots."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from service.clock import Clock
from service.devices import Device
from service.render import background, body, proof, shadow
from service.render.camera import Camera, aim
from service.render.develop import Opening, develop
from service.render.dither import spread
from service.render.environment import load
from service.render.mesh import frame
from service.render.raster import Box
from service.render.shading import Light
from service.render.tone import linear
from service.scene import Stage

U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_POOL = ThreadPoolExecutor(2, thread_name_prefix="plate")


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
    quick = stage.fast and proof.possible(device, camera)
    paint = proof.paint if quick else body.paint
    # What lies behind the device does not need it: both at once on two cores.
    behind = _POOL.submit(_behind, device, stage, camera, clock)
    try:
        light = Light(load(stage.environment), stage.light)
        draft = paint(device, camera, light, linear(stage.tint), clock)
    finally:
        canvas = behind.result()
    clock.check()
    opening = proof.develop(device, camera, draft, canvas) if quick else develop(draft, canvas)
    return _printed(device, stage, camera, canvas, opening)


def _behind(device: Device, stage: Stage, camera: Camera, clock: Clock) -> U8:
    """The background with the shadow on it, (height, width, 4)."""
    size = stage.width, stage.height
    paint = background.plain if stage.fast else background.paint
    if stage.shadow is None or stage.shadow.opacity <= 0:
        return paint(stage.background, *size)
    shade = shadow.strength(device, camera, stage.shadow, stage.fast)
    color = stage.shadow.color
    shade *= np.float32(color.alpha / 255)
    clock.check()
    if stage.fast and _solid(stage):
        return shadow.darken(background.plain(stage.background, *size), shade, color[:3])
    if stage.background.end is not None and _solid(stage):
        return background.paint(stage.background, *size, shade, color)
    canvas = paint(stage.background, *size)
    _shade(canvas, shade, color[:3], solid=_solid(stage))
    return canvas


def _solid(stage: Stage) -> bool:
    """Whether nothing of the background is transparent."""
    start, end = stage.background.start, stage.background.end
    return start.alpha == 255 and (end is None or end.alpha == 255)


def _shade(canvas: U8, alpha: F32, color: tuple[int, ...], *, solid: bool) -> None:
    """The shadow over the background, in sRGB code values as browsers and editors blend; in place."""
    reach = np.flatnonzero(alpha.max(axis=1) > 1 / 1024), np.flatnonzero(alpha.max(axis=0) > 1 / 1024)
    if not len(reach[0]):
        return
    y, x = int(reach[0][0]), int(reach[1][0])
    box = Box(x, y, int(reach[1][-1]) + 1 - x, int(reach[0][-1]) + 1 - y)
    part = canvas[box.slices]
    shade = alpha[box.slices]
    if solid:
        for channel in range(3):
            # c + shade · (color - c), the noise added before the cut to whole numbers.
            plane = np.ascontiguousarray(part[..., channel]).astype(np.float32)
            plane += shade * (np.float32(color[channel]) - plane)
            plane += spread(*box, channel)
            part[..., channel] = plane
        return
    below = part[..., 3].astype(np.float32) * np.float32(1 / 255)
    rest = (1 - shade) * below
    total = np.maximum(rest + shade, np.float32(1e-6))
    for channel in range(3):
        mixed = (part[..., channel] * rest + shade * np.float32(color[channel])) / total
        part[..., channel] = np.clip(mixed + spread(*box, channel), 0, 255.5)
    part[..., 3] = np.clip(total * 255 + spread(*box), 0, 255.5)


def _printed(device: Device, stage: Stage, camera: Camera, canvas: U8, opening: Opening | None) -> Plate:
    """The finished plate; opaque pictures have three channels."""
    base = np.asarray(cv2.cvtColor(canvas, cv2.COLOR_RGBA2RGB), np.uint8) if _solid(stage) else canvas
    base.flags.writeable = False
    if opening is None:
        return Plate(base, None)
    gain = np.asarray(cv2.merge([opening.gain] * 3), np.uint16)
    for array in (opening.base, gain):
        array.flags.writeable = False
    return Plate(base, Aperture(opening.box, opening.base, gain, *screen_plane(device, stage, camera)))


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
