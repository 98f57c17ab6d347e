"""Falloff: brighter towards near lamps, unchanged at the pivot, and the screenshot keeps its own light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import posed
from benchmarks.cases import Case
from benchmarks.falloff import near
from benchmarks.glare import screenshot
from service.devices.device import catalogue
from service.render.geometry.camera import aim
from service.render.geometry.raster import Box
from service.render.geometry.rotation import rotation
from service.render.light.environment import load, turned
from service.render.light.falloff import DARK, away, falloff, steepness
from service.render.light.frame import Frame
from service.render.light.shading import Light
from service.render.paint.textures import TextureFiles
from service.render.tone import linear
from service.validation.color import parse
from tests.render.posing import flat, picture

CASE = Case("iphone-16-pro", "back-165", "studio")
SPEC = posed.spec(CASE.model, CASE.angles, "studio")
WHOLE = Box(0, 0, SPEC.width, SPEC.height)


def frame(light: Light, tint: str = CASE.tint) -> Frame:
    return Frame.of(SPEC.device, TextureFiles(SPEC.device), aim(SPEC), light, linear(parse(tint)))


def factors(light: Light, tint: str = CASE.tint) -> np.ndarray:
    found = falloff(frame(light, tint), WHOLE)
    assert found is not None
    return found[0][:, None] * found[1]


def test_light_grows_towards_the_lamps_and_is_kept_at_the_pivot() -> None:
    found = factors(Light(load("studio"), 1.0))
    assert found[SPEC.height // 2, SPEC.width // 2] == pytest.approx(1, abs=0.01)
    assert (np.diff(found, axis=0) <= 0).all()
    assert (np.diff(found, axis=1) <= 0).all()
    assert found.min() > 0.3
    weaker = factors(Light(load("studio"), 0.5))
    np.testing.assert_allclose(weaker, np.sqrt(found), rtol=1e-5)


def test_lamps_stay_around_the_pivot_of_a_device_that_is_beside_others() -> None:
    alone = frame(Light(load("studio"), 1.0))
    beside = replace(alone, camera=replace(alone.camera, aside=(12.0, -7.0)))
    across, down = round(12 * alone.camera.k), round(7 * alone.camera.k)
    found, want = falloff(beside, WHOLE), falloff(alone, Box(-across, -down, WHOLE.width, WHOLE.height))
    assert found is not None
    assert want is not None
    for own, other, usual in zip(found, want, falloff(alone, WHOLE) or (), strict=True):
        # Rounding moves the lamps by half a pixel at most.
        np.testing.assert_allclose(own, other, rtol=2e-3)
        assert np.abs(own / usual - 1).max() > 0.01


def test_lamps_turn_with_their_environment() -> None:
    x, y, z = load("studio").falloff
    np.testing.assert_allclose(turned("studio", 180).falloff, (-x, y, -z), atol=1e-6)
    # A positive turn moves the light on the right to the front, and the light in front to the left.
    np.testing.assert_allclose(turned("studio", 90).falloff, (-z, y, x), atol=1e-6)


def test_distant_light_is_even() -> None:
    even = replace(load("studio"), falloff=(0.0, 0.0, 0.0))
    for light in (Light(even, 1.0), Light(load("studio"), 0.0)):
        assert falloff(frame(light), WHOLE) is None


def test_references_get_the_same_falloff() -> None:
    light = np.ones((SPEC.height, SPEC.width, 3), np.float32)
    for finish in ("", "Black Titanium"):
        case = CASE._replace(finish=finish)
        theirs = near(light, case)[..., 1]
        np.testing.assert_allclose(theirs, factors(Light(load("studio"), 1.0), case.tint), rtol=1e-4)


def test_falloff_is_steeper_on_dark_devices() -> None:
    pale, grey, black = (steepness(linear(parse(tint))) for tint in ("#f1f1ea", "#3f4042", "#000000"))
    assert pale == 1
    assert pale < grey < black == 1 + DARK


def test_falloff_is_steeper_only_without_a_visible_screen() -> None:
    phone, fold = catalogue()["iphone-16-pro"], catalogue()["galaxy-z-fold-7-half-open"]
    assert away(phone, rotation(10, -35, 5)) == away(phone, rotation(0, 90, 0)) == 0
    assert away(phone, rotation(0, 180, 0)) == pytest.approx(1)
    assert away(phone, rotation(0, 150, 0)) == pytest.approx(np.cos(np.radians(30)))
    assert away(fold, rotation(0, 180, 0)) == 0, "its halves face different ways"


@pytest.mark.long
def test_screenshots_keep_their_light() -> None:
    front = CASE._replace(pose="front")
    shine, share = screenshot(front)
    np.testing.assert_allclose(near(shine, front), shine, atol=1e-6)
    assert share.max() == 1


def test_a_matt_back_darkens_steadily_from_side_to_side() -> None:
    for device, color in (("galaxy-s25", "Icyblue"), ("iphone-16-pro", "Black Titanium")):
        pose = {"device": device, "appearance.deviceColor": color, "deviceTransform.pose": "back"}
        back = picture(flat((255, 255, 255)), {**pose, "canvas.width": 320, "canvas.height": 480})
        middle = back[220:400:10, 160, 1].astype(int)
        assert (np.diff(middle) <= 1).all()
        assert middle[0] - middle[-1] > 15
