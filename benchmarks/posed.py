"""The renderer's own pictures, of cases and of everything else that is measured."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.cases import HEIGHT, TINTS, WIDTH, Case, gradient
from service.arrays import F32, F64, U8
from service.clock import Clock
from service.devices.device import Device, catalogue
from service.render.compose.exposure import bands
from service.render.compose.shot import ShotPlacement, expose
from service.render.geometry.camera import Camera, aim
from service.render.plates.plate import Plate, ScreenLayer, build
from service.settings.scene import Background, Fit, Instance, PlateSpec, ShadowSpec, Transform
from service.settings.schema import Glare
from service.validation.color import TRANSPARENT, parse

WHOLE = ShotPlacement((0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 1.0, 1.0))


class Posed(NamedTuple):
    """Code values (h, w, 3) over a transparent background, alpha (h, w) 0-1 and the plate they came from."""

    code: F32
    alpha: F32
    plate: Plate


def spec(
    device: Device | str,
    angles: tuple[float, float, float],
    environment: str = "studio",
    size: tuple[int, int] = (WIDTH, HEIGHT),
    background: Background | None = None,
    shadow: ShadowSpec | None = None,
    tint: str | None = None,
    glare: Glare = "reduced",
) -> PlateSpec:
    """The plate spec of a posed device, in its natural orientation, and as large as in the path tracer."""
    (rx, ry, rz), item = angles, catalogue()[device] if isinstance(device, str) else device
    return PlateSpec(
        instances=(Instance(item, item.natural, parse(tint or TINTS.get(item.id, item.finishes[0].hex))),),
        width=size[0],
        height=size[1],
        transform=Transform(rx=rx, ry=ry, rz=rz, framing="upright"),
        background=background or Background.of(TRANSPARENT),
        shadow=shadow,
        environment=environment,
        light=1.0,
        glare=glare,
    )


def picture(of: PlateSpec, screenshot: U8 | None = None) -> tuple[U8, Plate]:
    """A plate spec's finished picture (h, w, 3 or 4) with a screenshot; the plain gradient by default."""
    plate = build(of, Clock(), grain=False)
    if screenshot is None:
        screenshot = gradient(*(max(side // 4, 1) for side in of.device.screen.px))
    shots = [warped(layer, screenshot) if layer else None for layer in plate.screens]
    return np.concatenate(list(bands(plate, shots, (), Clock()))), plate


def warped(hole: ScreenLayer, screenshot: U8) -> U8:
    """The warped screenshot in the screen layer's box."""
    return expose(screenshot, WHOLE, Fit(fit="stretch"), hole, Clock(), fast=False)


def pose(case: Case, glare: Glare = "natural") -> Posed:
    """The renderer's picture of a case."""
    code, plate = picture(spec(case.model, case.angles, case.environment, tint=case.tint, glare=glare))
    alpha = np.ones(code.shape[:2], np.float32)
    if code.shape[2] == 4:
        alpha = np.asarray(code[..., 3] / 255, np.float32)
    return Posed(code[..., :3].astype(np.float32), alpha, plate)


def camera(of: PlateSpec) -> Camera:
    """The camera of a plate spec."""
    return aim(of)


def screen_corners(plate: Plate) -> F64 | None:
    """The screen's corners, (4, 2) canvas px, clockwise from the top left; None if it is not visible.

    It is None for folded screens as well, because their sides are not straight.
    """
    screen = plate.screens[0]
    if screen is None or len(plate.screens) > 1:
        return None
    w, h = (side / 2 for side in screen.size)
    points = np.array([(-w, h, 1), (w, h, 1), (w, -h, 1), (-w, -h, 1)]) @ screen.matrix.T
    return np.asarray(points[:, :2] / points[:, 2:], np.float64)


def rounded(device: Device) -> tuple[float, float]:
    """The shares of a screen's width and height that a rounded corner takes."""
    screen = device.screens[0]
    extent = screen.corner.extent + screen.corner.offset
    return extent / screen.size[0], extent / screen.size[1]
