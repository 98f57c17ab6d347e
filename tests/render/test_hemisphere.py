"""The light of the sky above a face, on parts that stand on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from service.arrays import F32
from service.render.light.environment import load
from service.render.light.hemisphere import Hemisphere, hemisphere
from service.render.light.shading import Ground, Light, irradiance
from service.render.material import SURFACES
from service.render.paint import standing
from tests.render.posing import flat, picture

NORMAL = np.array([0.42, -0.13, 0.9], np.float32) / np.float32(np.linalg.norm([0.42, -0.13, 0.9]))


def turned(tilt: float, turn: float) -> F32:
    """A unit normal (1, 3) raised from a face by `tilt`, and rotated about the face's normal by `turn`."""
    x, y, z = hemisphere(even, NORMAL).axes
    flat = np.cos(tilt) * (np.cos(turn) * x + np.sin(turn) * y)
    return np.asarray((flat + np.sin(tilt) * z)[None], np.float32)


def even(directions: F32) -> F32:
    return np.ones_like(directions)


@pytest.mark.parametrize("tilt", [0.0, 0.4, 0.9, np.pi / 2])
def test_even_light_falls_by_the_share_of_the_sky_that_is_seen(tilt: float) -> None:
    found = hemisphere(even, NORMAL).diffuse(turned(tilt, 1.0))
    np.testing.assert_allclose(found, (1 + np.sin(tilt)) / 2, atol=0.03)


@pytest.mark.parametrize("name", ["studio", "forest", "city"])
@pytest.mark.parametrize("turn", [0.7, 1.4, 2.1, 3.5, 5.6])
def test_light_from_below_the_horizon_is_left_out(name: str, turn: float) -> None:
    light = Light(load(name), 1.0)
    random = np.random.default_rng(3).normal(size=(200_000, 3)).astype(np.float32)
    random /= np.linalg.norm(random, axis=1, keepdims=True)
    random = random[random @ NORMAL > 0]
    normal = turned(0.3, turn)
    true = 2 * (light.reflected(random, 0.0) * np.maximum(random @ normal.T, 0)).mean(axis=0)
    found = hemisphere(light.cells, NORMAL).diffuse(normal)[0]
    np.testing.assert_allclose(found, true, rtol=0.1, atol=0.03)


def test_a_raised_part_has_light_of_its_ground_from_below() -> None:
    light, black = Light(load("studio"), 1.0), np.zeros(3, np.float32)
    sky = hemisphere(light.cells, NORMAL)
    wall = turned(0.0, 2.0)
    ground = Ground(NORMAL, SURFACES["paint"], black, light, sky)
    np.testing.assert_allclose(irradiance(light, wall, ground), sky.diffuse(wall))
    white = Ground(NORMAL, SURFACES["paint"], black + 1, light, sky)
    np.testing.assert_allclose(irradiance(light, wall, white), sky.diffuse(wall) + 0.5, atol=1e-5)


def test_parts_on_one_face_have_one_sky_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[float, ...]] = []

    def once(seen: Callable[[F32], F32], normal: F32) -> Hemisphere:
        found.append(tuple(normal.tolist()))
        return hemisphere(seen, normal)

    monkeypatch.setattr(standing, "hemisphere", once)
    turned = {"canvas.width": 96, "canvas.height": 72, "deviceTransform.rotationY": 141}
    picture(flat((90, 90, 90)), {"device": "iphone-16-pro", **turned})
    # The back with its camera plate and lenses, and the two sides with buttons.
    assert 2 <= len(found) <= 5
    assert len(set(found)) == len(found)
