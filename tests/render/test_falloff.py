"""Falloff: brighter towards near lamps, unchanged at the pivot, and the screenshot keeps its own light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import posed
from benchmarks.cases import Case
from benchmarks.falloff import near
from benchmarks.glare import screenshot
from service.render.geometry.camera import aim
from service.render.geometry.raster import Box
from service.render.light.environment import load, turned
from service.render.light.falloff import falloff
from service.render.light.shading import Light
from tests.render.posing import flat, picture

CASE = Case("iphone-16-pro", "back-165", "studio")
SPEC = posed.spec(CASE.model, CASE.angles, "studio")
WHOLE = Box(0, 0, SPEC.width, SPEC.height)


def factors(light: Light) -> np.ndarray:
    found = falloff(light, SPEC.device, aim(SPEC), WHOLE)
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


def test_lamps_turn_with_their_environment() -> None:
    x, y, z = load("studio").falloff
    np.testing.assert_allclose(turned("studio", 180).falloff, (-x, y, -z), atol=1e-6)
    # Positive turns bring the right in front: what is in front goes to the left.
    np.testing.assert_allclose(turned("studio", 90).falloff, (-z, y, x), atol=1e-6)


def test_distant_light_is_even() -> None:
    even = replace(load("studio"), falloff=(0.0, 0.0, 0.0))
    for light in (Light(even, 1.0), Light(load("studio"), 0.0), Light(load("city"), 1.0)):
        assert falloff(light, SPEC.device, aim(SPEC), WHOLE) is None


def test_the_references_are_brought_into_the_same_light() -> None:
    light = np.ones((SPEC.height, SPEC.width, 3), np.float32)
    np.testing.assert_allclose(near(light, CASE)[..., 1], factors(Light(load("studio"), 1.0)), rtol=1e-4)


@pytest.mark.long
def test_screenshots_keep_their_light() -> None:
    front = CASE._replace(pose="front")
    shine, share = screenshot(front)
    np.testing.assert_allclose(near(shine, front), shine, atol=1e-6)
    assert share.max() == 1


def test_a_matt_back_runs_from_light_to_dark_in_one_sweep() -> None:
    pose = {"device": "galaxy-s25", "deviceTransform.pose": "back"}
    back = picture(flat((255, 255, 255)), {**pose, "canvas.width": 320, "canvas.height": 480})
    middle = back[150:400:10, 160, 1].astype(int)
    assert (np.diff(middle) <= 1).all()
    assert middle[0] - middle[-1] > 25
