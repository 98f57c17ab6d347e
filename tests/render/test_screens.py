"""The shapes of screens without masks, and several screens in one picture."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from frames.generator.sheet import masked, read
from service.arrays import F32, U8
from service.clock import Clock
from service.devices.device import Corner, Cutout, Device, Screen, catalogue
from service.devices.families import making
from service.render.compose import exposure, shot
from service.render.geometry.camera import aim
from service.render.geometry.face import plane
from service.render.geometry.raster import Box
from service.render.paint.plane import lay
from service.render.paint.screens import share
from service.render.paint.textures import TextureFiles, grey
from service.render.passes import screens as screens_pass
from service.render.plates import plate
from service.render.plates.plate import Plate, ScreenLayer
from service.render.tone import headroom
from service.settings.scene import PlateSpec
from tests.render.posing import flat, picture, scene
from tests.support.devices import few
from tests.support.shared_art import SharedArt

GIVEN = {"canvas.width": 640, "canvas.height": 480, "reflection.enabled": False, "shadow.enabled": False}


def split(device: Device, gap: float = 0.0) -> Device:
    """A device whose screen is divided into an upper and a lower half."""
    whole = device.screen
    size = (whole.size[0], whole.size[1] / 2 - gap / 2)
    halves = tuple(
        Screen(
            slab=whole.slab,
            px=(whole.px[0], whole.px[1] // 2),
            center=(whole.center[0], whole.center[1] + side * (whole.size[1] + gap) / 4),
            size=size,
        )
        for side in (1, -1)
    )
    return device.model_copy(update={"screens": halves})


def filled(screen: Screen) -> U8:
    """The share of each pixel that a screen covers, seen straight on at 10 px per mm, 0-255."""
    device = catalogue()["iphone-16-pro"]
    spec = scene(
        GIVEN | {"deviceTransform.fieldOfView": 0, "canvas.width": 900, "canvas.height": 900}, (1, 2)
    ).spec
    camera = replace(aim(spec), k=10.0, center=(450.0, 450.0))
    at = plane(device.slab("body"), True)
    found = share(screen, at, camera, Box(0, 0, 900, 900))
    return np.asarray(np.round(found * 255), np.uint8)


def area(screen: Screen) -> float:
    """The area of the canvas that the screen covers, mm²."""
    return float(filled(screen).sum()) / 255 / 100


def test_shapes_have_their_area() -> None:
    bare = Screen(slab="body", px=(1, 1), size=(40, 60))
    assert area(bare) == pytest.approx(2400, rel=1e-3)
    round_ = bare.model_copy(update={"corner": Corner(extent=8)})
    missing = (4 - np.pi) / 4 * 64
    assert area(round_) == pytest.approx(2400 - 4 * missing, rel=1e-3)
    for end, rows in (("top", slice(0, 450)), ("bottom", slice(450, 900))):
        half = round_.model_copy(update={"corners": end})
        assert area(half) == pytest.approx(2400 - 2 * missing, rel=1e-3)
        assert filled(half)[rows].sum() / 25500 == pytest.approx(1200 - 2 * missing, rel=1e-3)


def test_cut_outs_are_missing() -> None:
    bare = Screen(slab="body", px=(1, 1), size=(40, 60))
    island = Cutout(center=(3, 20), size=(12, 4), radius=2)
    cut = bare.model_copy(update={"cutouts": (island,)})
    assert area(cut) == pytest.approx(2400 - 8 * 4 - np.pi * 4, rel=1e-3)
    # The middle of the island at 10 px per mm; y points up.
    assert filled(cut)[450 - 200, 450 + 30] == 0
    notch = Cutout(center=(0, 30), size=(16, 8), radius=2, ear=1)
    hung = bare.model_copy(update={"cutouts": (notch,)})
    ears = 2 * (1 - np.pi / 4)
    assert area(hung) == pytest.approx(2400 - (16 * 4 - 2 * (4 - np.pi) / 4 * 4) - ears, rel=1e-3)


def showing(spec: PlateSpec, device: Device) -> PlateSpec:
    """The plate spec with another device in place of its own."""
    return replace(spec, instances=(replace(spec.instances[0], device=device),))


def test_no_line_shows_between_a_bright_bezel_and_a_screen_of_its_colour() -> None:
    """The shoulder compresses the bezel's light, but not the screen's."""
    given = {
        "device": "imac-24",
        "deviceTransform.pose": "hero-left",
        "canvas.width": 800,
        "canvas.height": 600,
    }
    pixels = np.full((90, 160, 3), 240, np.uint8)
    of = scene(given, (160, 90))
    (seen,) = plate.build(of.spec, Clock()).screens
    assert seen is not None
    found = picture(pixels, given)[..., 1].astype(int)
    x, y, _, height = seen.box
    for row in range(height // 3, 2 * height // 3):
        edge = x + int(np.flatnonzero(seen.gain[row])[0])
        bezel, *between, screen = found[y + row, edge - 2 : edge + 4]
        assert max(between) <= max(bezel, screen) + 2


@pytest.mark.parametrize("fast", [False, True])
def test_two_screens_show_a_screenshot_each(fast: bool) -> None:
    device = split(catalogue()["iphone-16-pro"], gap=10)
    spec = showing(scene(GIVEN, (600, 900), fast=fast).spec, device)
    made = plate.build(spec, Clock())
    red, blue = flat((255, 0, 0)), flat((0, 0, 255))
    fit = scene(GIVEN, (90, 195)).fit
    shots = [
        shot.expose(page, shot.place((90, 195), layer.size, fit), fit, layer, Clock(), fast=fast)
        for layer, page in zip(made.screens, (red, blue), strict=True)
        if layer
    ]
    picture = np.concatenate(list(exposure.bands(made, shots, scene(GIVEN, (1, 1)).effects, Clock())))
    # One screen is above the middle, the other below, with dark glass between them.
    assert picture[140, 320].tolist() == [255, 0, 0]
    assert picture[340, 320].tolist() == [0, 0, 255]
    assert picture[240, 320].max() < 20


def test_the_light_of_two_screens_adds_up_where_they_meet() -> None:
    base = np.zeros((8, 16, 3), np.uint8)
    light = np.zeros((8, 10, 3), np.uint16)
    half = np.full((8, 10), 32768, np.uint16)
    layers = [ScreenLayer(Box(x, 0, 10, 8), light, half, np.eye(3), (1.0, 1.0)) for x in (0, 6)]
    white = np.full((8, 10, 3), 255, np.uint8)
    effects = scene(GIVEN, (1, 1)).effects
    (band,) = exposure.bands(Plate(base, tuple(layers)), [white, white], effects, Clock())
    assert (band[:, :6] == 188).all()
    assert (band[:, 6:10] == 255).all()
    assert (band[:, 10:] == 188).all()
    (band,) = exposure.bands(Plate(base, (layers[0], None)), [white, None], effects, Clock())
    assert (band[:, 10:] == 0).all()


@pytest.mark.parametrize("identifier", few(masked()))
def test_a_shape_is_the_mask_that_was_drawn(identifier: str) -> None:
    device = catalogue()[identifier]
    given = {"device": identifier, "deviceTransform.rotationY": 20, "deviceTransform.rotationX": -10}
    spec, screen = scene(GIVEN | given, (600, 900)).spec, device.screen
    at, box = plane(device.slab(screen.slab), True), Box(0, 0, 640, 480)
    assert screen.mask is not None
    mask, homography = grey(TextureFiles(device), screen.mask), at.homography(aim(spec))
    drawn = lay(mask, homography, screen.center, screen.size, box, cv2.BORDER_CONSTANT) / np.float32(255)
    shape = share(screen, at, aim(spec), box)
    # Drawn outlines are as sharp as the body's. A mask is warped, so its edges are slightly softer.
    assert np.abs(drawn - shape).max() < 0.45
    assert np.abs(drawn - shape).mean() < 0.002
    assert float(drawn.sum()) == pytest.approx(float(shape.sum()), rel=0.003)


@pytest.mark.parametrize("fast", [False, True])
def test_a_device_in_memory_looks_like_the_one_in_the_catalogue(fast: bool) -> None:
    made = making.device(read("iphone-16-pro"), SharedArt())
    given = GIVEN | {"deviceTransform.rotationY": -25}
    spec = scene(given, (600, 900), fast=fast).spec
    kept, other = (plate.build(each, Clock()) for each in (spec, showing(spec, made)))
    assert np.abs(kept.base.astype(int) - other.base).mean() < 0.3
    assert kept.screens[0] is not None
    assert other.screens[0] is not None
    assert float(other.screens[0].gain.sum()) == pytest.approx(float(kept.screens[0].gain.sum()), rel=0.005)


def passed(kind: str, *, lit: bool = True) -> Any:
    """A face after the pass: half of it shows a screen, and a quarter of the light is lost there."""
    share: F32 = np.full((1, 2), 0.5, np.float32)
    surface = SimpleNamespace(
        material=SimpleNamespace(lit=lit),
        screens={3: share},
        lost=np.full((1, 2), 0.25, np.float32),
        rgb=np.array([[[0.0, 0.1, 0.2], [0.9, 0.9, 0.9]]], np.float32),
    )
    frame: Any = SimpleNamespace(light=SimpleNamespace(kind=kind))
    target: Any = SimpleNamespace(surfaces=[surface])
    screens_pass.paint(frame, catalogue()["iphone-16-pro"].slab("body"), target)
    return surface


@pytest.mark.parametrize("kind", ["reduced", "soft", "natural"])
def test_only_natural_glare_washes_a_screenshot_out(kind: str) -> None:
    found, gain = passed(kind).screens[3], np.full((1, 2), 0.375, np.float32)
    want = headroom(np.array([[0.1, 0.9]], np.float32), gain) if kind == "natural" else gain
    np.testing.assert_allclose(found, want)
    assert (found[0, 1] < 0.3) == (kind == "natural")


def test_a_screen_leaves_no_light_of_an_unlit_face() -> None:
    surface = passed("natural", lit=False)
    np.testing.assert_allclose(surface.rgb, [[[0.0, 0.05, 0.1], [0.45, 0.45, 0.45]]])
    np.testing.assert_array_equal(surface.screens[3], 0.5)
