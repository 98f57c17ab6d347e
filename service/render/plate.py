"""A plate: everything of a picture but the screenshot, built once, exposed to many screenshots."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

import cv2
import numpy as np

from service.arrays import F32, F64, U8, U16
from service.clock import Clock
from service.models.devices import Device
from service.models.scene import PlateSpec
from service.render import backdrop, preview
from service.render.body import Body
from service.render.camera import Camera, aim
from service.render.composite import Opening, composite
from service.render.environment import load
from service.render.mesh import frame
from service.render.raster import Box, bounds
from service.render.shading import Light
from service.render.silhouette import outlines
from service.render.tone import linear

_POOL = ThreadPoolExecutor(1, thread_name_prefix="plate")


@dataclass(frozen=True, slots=True, eq=False)
class ScreenLayer:
    """Where the screenshot shines through: picture = base + gain · screenshot, in 16-bit linear light.

    `base` (h, w, 3) and `gain` (h, w) uint16 over `box`; `matrix` (3, 3) takes screen mm (x right, y up as
    the viewer holds the device, from the screen's middle) to canvas px; `size` is the screen's, mm, likewise.
    """

    box: Box
    base: U16
    gain: U16
    matrix: F64
    size: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """`base` (h, w, 3 or 4) uint8 sRGB, straight alpha, and the screen layer, None when no screen is seen."""

    base: U8
    screen: ScreenLayer | None

    @property
    def nbytes(self) -> int:
        """Memory held."""
        held = self.base.nbytes
        return held + (self.screen.base.nbytes + self.screen.gain.nbytes if self.screen else 0)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """How a camera sees a device; `matrix` and `size` of the screen are those of `ScreenLayer`."""

    camera: Camera
    matrix: F64
    size: tuple[float, float]


def view(device: Device, spec: PlateSpec) -> View:
    """The camera of a plate spec and where it sees the device's screen."""
    camera = aim(device, spec)
    return View(camera, *screen_plane(device, spec, camera))


def build(device: Device, spec: PlateSpec, clock: Clock, seen: View | None = None) -> Plate:
    """Pose, light and paint the device of a plate spec over its background and shadow.

    `seen` is the view of them, where it is at hand already.
    """
    seen = seen or view(device, spec)
    camera = seen.camera
    light, tint = Light(load(spec.environment), spec.light), linear(spec.tint)
    half = preview.halved(camera)
    if spec.fast and preview.possible(device, half):
        base, opening = _preview(device, spec, camera, half, light, tint, clock)
    else:
        base, opening = _whole(device, spec, seen, light, tint, clock)
    return _printed(spec, seen, base, opening)


def _whole(
    device: Device, spec: PlateSpec, seen: View, light: Light, tint: F32, clock: Clock
) -> tuple[U8, Opening | None]:
    # What lies behind the device does not need it: both at once on two cores.
    behind = _POOL.submit(backdrop.paint, outlines(device, seen.camera), spec, clock)
    try:
        body = Body(device, seen.camera, light, tint)
        opening = composite(body, behind.result, _window(seen), clock)
    finally:
        wait([behind])
    return behind.result(), opening


def _preview(
    device: Device, spec: PlateSpec, camera: Camera, half: Camera, light: Light, tint: F32, clock: Clock
) -> tuple[U8, Opening | None]:
    behind = _POOL.submit(preview.behind, device, spec, camera, half, clock)
    try:
        canvas = preview.paint(device, half, light, tint, clock)
        base, edges = behind.result()
    finally:
        wait([behind])
    return base, preview.composite(canvas, edges, base, solid=backdrop.solid(spec.background))


def _window(seen: View) -> Box:
    """A box of the canvas that holds the screen."""
    width, height = seen.size
    corners = np.array([[x * width / 2, y * height / 2, 1.0] for x in (-1, 1) for y in (-1, 1)])
    corners = corners @ seen.matrix.T
    return bounds(corners[:, :2] / corners[:, 2:], seen.camera.width, seen.camera.height)


def _printed(spec: PlateSpec, seen: View, painted: U8, opening: Opening | None) -> Plate:
    """The finished plate; opaque pictures have three channels."""
    solid = backdrop.solid(spec.background)
    base = np.asarray(cv2.cvtColor(painted, cv2.COLOR_RGBA2RGB), np.uint8) if solid else painted
    base.flags.writeable = False
    if opening is None:
        return Plate(base, None)
    for array in (opening.base, opening.gain):
        array.flags.writeable = False
    return Plate(base, ScreenLayer(opening.box, opening.base, opening.gain, seen.matrix, seen.size))


def screen_plane(device: Device, spec: PlateSpec, camera: Camera) -> tuple[F64, tuple[float, float]]:
    """The matrix from screen mm to canvas px and the screen's size in mm, upright as the device is held."""
    screen = device.screen
    slab = next(s for s in device.slabs if s.name == screen.slab)
    axes, center = frame(slab)
    origin = center + axes @ np.array([*screen.center, slab.size[2] / 2])
    x, y, size = axes[:, 0], axes[:, 1], screen.size
    if spec.orientation != device.natural:
        # Turned a quarter to the left, the device's own right points up and its bottom to the right.
        x, y, size = -y, x, (size[1], size[0])
    return camera.homography(origin, x, y), size
