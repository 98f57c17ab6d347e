"""Scenes of several devices compared with the path tracer's: visibility, mutual shadows, and light."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from benchmarks import contact, measures, traced
from benchmarks.cases import HEIGHT, REFERENCES, WIDTH, SceneCase, gradient
from benchmarks.falloff import factors
from benchmarks.glare import shining
from benchmarks.lines import even
from benchmarks.posed import warped
from benchmarks.regions import Mask, Regions, code, crossed, screen, share, slabs, whole
from service.arrays import F32, U8
from service.clock import Clock
from service.render.assembly import Assembly
from service.render.compose.exposure import bands
from service.render.geometry.camera import Stage, stage
from service.render.geometry.raster import Box
from service.render.light.environment import turned
from service.render.light.frame import Frame
from service.render.light.shading import Light
from service.render.paint.softening import soften
from service.render.paint.textures import TextureFiles
from service.render.plates.plate import build
from service.render.tone import linear
from service.settings.scene import Background, Instance, PlateSpec, ShadowSpec, Transform
from service.validation.color import BLACK, TRANSPARENT, parse

BACKGROUND = (242, 243, 245)
# px by which the shadow on the background is moved off the canvas, since only shadows on devices are compared
AWAY = 1e4
NOTED = 2.0  # of 255; a smaller darkening in both pictures does not count as shadow
MOST_LOST = 0.99  # share of lost light above which a device's own light is unknown


class SceneFigures(NamedTuple):
    """The measures of one scene: SSIM over the devices, the number of px that show another device than the
    reference, and the mean absolute error, of 255, of the light that shadows of devices on each other take.
    """

    ssim: float
    order: int
    shadow: float


class SceneTruth(NamedTuple):
    """A traced scene: its code values (h, w, 3) with and without the devices' shadows on each other, its
    coverage (h, w), and its regions at FINE times the size, which have the device in place of the slab."""

    code: F32
    unshaded: F32
    alpha: F32
    regions: Regions


def there(case: SceneCase, folder: Path = REFERENCES) -> bool:
    """Whether a folder contains the scene's reference."""
    return all((folder / f"{case.name}{part}.png").exists() for part in ("", "-lost", "-regions"))


def read(case: SceneCase, folder: Path = REFERENCES) -> SceneTruth:
    """The reference of a scene in a folder, with the light of near lamps and the renderer's shoulder."""
    alpha, light = traced.lit(traced.placed(folder, case.name, ""))
    fine = traced.placed(folder, case.name, "-regions").astype(np.int32)
    lost = (traced.placed(folder, case.name, "-lost", empty=128) - np.float32(128)) / np.float32(127)
    regions = code(fine[..., 2], fine[..., 1], fine[..., 0])
    light = even(light, alpha, regions)
    shine, grown = np.zeros_like(light), np.ones_like(alpha)
    for number, figure in enumerate(case.figures, 1):
        own = slabs(regions) == number
        shown, filled = shining(figure, case.view)
        # Hidden parts of its screens emit no light.
        shine += shown * (share(own & screen(regions)) / np.maximum(filled, 1e-3))[..., None]
        seen = share(own) / np.maximum(share(regions > 0), 1e-3)
        grown += seen * (factors(figure, case.view, case.environment) - 1)
    kept = (1 - np.clip(lost, -1, MOST_LOST))[..., None]
    own_light = np.ascontiguousarray(np.maximum(light - shine, 0) / kept)
    for number in range(1, len(case.figures) + 1):
        # The renderer softens each device before others hide or shade it.
        alone = whole(((slabs(regions) == number) | (regions == 0)) & ~screen(regions))
        soften(own_light, np.where(alone, alpha, np.float32(0)), crossed(regions))
    before = own_light * grown[..., None]
    shaded, unshaded = (traced.coded(shine + part, alpha) for part in (before * kept, before))
    return SceneTruth(shaded, unshaded, alpha, regions)


def spec(case: SceneCase) -> PlateSpec:
    """The plate spec of a scene, whose shadow falls only on devices."""
    half = np.array([WIDTH, HEIGHT]) / (2 * case.view.scale)
    instances = tuple(
        Instance(
            figure.device,
            figure.device.natural,
            parse(figure.tint),
            angles=member.angles,
            position=(member.middle[0] / half[0], member.middle[1] / half[1]),
            depth=member.middle[2],
        )
        for figure, member in zip(case.figures, case.members, strict=True)
    )
    rx, ry, rz = case.angles
    return PlateSpec(
        instances,
        WIDTH,
        HEIGHT,
        Transform(rx=rx, ry=ry, rz=rz, framing="upright"),
        Background.of(TRANSPARENT),
        ShadowSpec(0.5, 5 * 0.006 * min(WIDTH, HEIGHT), BLACK, AWAY, 0.0),
        case.environment,
        1.0,
        glare="natural",
    )


def picture(of: PlateSpec) -> tuple[F32, F32]:
    """Our code values (h, w, 3) of a scene with gradients on its screens, and its coverage."""
    plate = build(of, Clock(), grain=False)
    screens = iter(plate.screens)
    shots = []
    for one in of.instances:
        shown = gradient(*(max(side // 4, 1) for side in one.device.screen.px))
        shots += [warped(layer, shown) if (layer := next(screens)) else None for _ in one.device.screens]
    found = np.concatenate(list(bands(plate, shots, (), Clock()))).astype(np.float32)
    return found[..., :3], found[..., 3] / np.float32(255)


def seen(of: PlateSpec) -> F32:
    """The share (devices, h, w) of each pixel that shows each device."""
    at: Stage = stage(of)
    light = Light(turned(of.environment, of.turn), of.light, of.glare)
    frames = [
        Frame.of(one.device, TextureFiles(one.device, camera.k), camera, light, linear(one.tint))
        for one, camera in zip(of.instances, at.cameras, strict=True)
    ]
    assembly, canvas = Assembly(frames, at), Box(0, 0, of.width, of.height)
    covers = np.zeros((len(frames), of.height, of.width), np.float32)
    for number, painted in enumerate(assembly.each(canvas, Clock())):
        covers[number][painted.box.slices] = painted.alpha
    found = covers.copy()
    for number in range(len(frames)):
        for other in range(len(frames)):
            before = assembly.before(other, number, canvas) if other != number else None
            if before is not None:
                found[number] *= 1 - covers[other] * before
    return found


def compare(case: SceneCase, folder: Path = REFERENCES) -> tuple[SceneFigures, U8]:
    """The figures of one scene, and its strip of the contact sheet."""
    truth, of = read(case, folder), spec(case)
    ours, alpha = picture(of)
    bare, _ = picture(replace(of, shadow=None))
    a, b = (traced.over(*each, BACKGROUND) for each in ((ours, alpha), (truth.code, truth.alpha)))
    either = (np.maximum(alpha, truth.alpha) > 0).astype(np.uint8)
    inside = cv2.dilate(either, np.ones((7, 7), np.uint8)) > 0
    figures = SceneFigures(
        ssim=float(measures.ssim_map(a, b)[inside].mean()),
        order=swapped(seen(of), truth.regions),
        shadow=apart(bare - ours, truth.unshaded - truth.code, _faces(truth.regions, len(of.instances))),
    )
    caption = f"{case.name}  SSIM {figures.ssim:.4f}  order {figures.order}  shadow {figures.shadow:.1f}"
    return figures, contact.strip(a, b, inside, caption)


def swapped(shares: F32, regions: Regions) -> int:
    """The number of pixels that show another device than the reference, except within a pixel of edges."""
    found = 0
    for number, own in enumerate(shares, 1):
        deep = cv2.erode(whole(slabs(regions) == number).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        found += int((deep & (own < 0.5)).sum())
    return found


def apart(ours: F32, truth: F32, faces: Mask) -> float:
    """The mean absolute error of shadows, over pixels that are darkened in either picture."""
    a, b = (each.mean(axis=-1) for each in (ours, truth))
    noted = faces & (np.maximum(np.abs(a), np.abs(b)) > NOTED)
    return float(np.abs(a - b)[noted].mean()) if noted.any() else 0.0


def _faces(regions: Regions, count: int) -> Mask:
    """Pixels (h, w) that one device fills, without screens, which shadows do not affect."""
    found = np.zeros((HEIGHT, WIDTH), bool)
    for number in range(1, count + 1):
        found |= whole((slabs(regions) == number) & ~screen(regions))
    return found
