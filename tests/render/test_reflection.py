"""Light that glass and metal reflect."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks import glare
from service.arrays import F64
from service.render.light.shading import limited
from service.settings.schema import ENVIRONMENTS
from tests.render.posing import built, flat, picture, scene

CANVAS = {
    "canvas.width": 480,
    "canvas.height": 360,
    "shadow.enabled": False,
    "deviceTransform.rotationY": -40,
}
BEZEL = 10  # px by which the bezel and the glass' rounded border extend beyond the screen, at most


def shown(**reflection: Any) -> F64:
    given = CANVAS | {f"reflection.{name}": value for name, value in reflection.items()}
    return np.asarray(picture(flat((60, 60, 60)), given), np.float64)


def test_every_environment_looks_different() -> None:
    pictures = [shown(environment=name) for name in ENVIRONMENTS]
    device = shown(enabled=False)[..., 0] < 230
    for at, one in enumerate(pictures):
        for other in pictures[at + 1 :]:
            assert np.abs(one - other)[device].mean() > 1


def test_three_ways_to_switch_it_off() -> None:
    off = shown(enabled=False)
    assert (shown(intensity=0) == off).all()
    assert (shown(environment="none") == off).all()
    assert (shown(enabled=False, environment="sunset") == off).all()


def test_more_intensity_lightens_the_glass_more() -> None:
    middle = [
        shown(environment="window", intensity=level)[150:210, 225:255].mean() for level in (0, 0.5, 1, 2, 3)
    ]
    assert all(after > before for before, after in pairwise(middle))
    assert middle[0] == pytest.approx(60, abs=0.5)


def test_natural_glare_lightens_the_glass_alone() -> None:
    """The frame around the glass does not change, except by one code value in pixels that it shares with the
    glass."""
    # In this pose, the glass mirrors the window.
    turn = {"deviceTransform.rotationX": -12, "deviceTransform.rotationY": -30}
    given = CANVAS | turn | {"reflection.environment": "window"}
    hole = built(scene(given, (90, 195)).spec).screens[0]
    assert hole is not None
    shows = np.zeros((360, 480), bool)
    shows[hole.box.slices] = hole.gain > 0
    reduced, soft, natural = (
        picture(flat((60, 60, 60)), given | {"reflection.glare": name}).astype(int)
        for name in ("reduced", "soft", "natural")
    )
    bezel = np.ones((2 * BEZEL + 1, 2 * BEZEL + 1), np.uint8)
    glass = cv2.dilate(shows.astype(np.uint8), bezel) > 0
    assert np.abs(natural - reduced)[~glass].max() <= 1
    assert np.abs(soft - reduced)[~glass].max() <= 1
    assert 2 < (soft - reduced)[shows].mean() < (natural - reduced)[shows].mean()
    assert (soft - reduced)[shows].max() < 60
    more = (natural - reduced)[shows]
    assert more.min() >= -2
    assert more.mean() > 10


@pytest.mark.parametrize("fast", [False, True])
def test_a_reflection_is_limited_across_the_whole_pane(fast: bool) -> None:
    """At a grazing angle under the soft box, the island is about as dark as the black screenshot around
    it."""
    turned = {"deviceTransform.rotationY": -75, "deviceTransform.scale": 1.4}
    given = CANVAS | turned | {"reflection.environment": "softbox"}
    shown = picture(flat((0, 0, 0)), given, fast=fast).astype(int).mean(axis=2)
    hole = built(scene(given, (90, 195), fast=fast).spec).screens[0]
    assert hole is not None
    share = hole.gain / hole.gain.max()
    island = shown[hole.box.slices][: hole.box.height // 8][share[: hole.box.height // 8] == 0]
    screen = np.median(shown[hole.box.slices][share > 0.99])
    assert 12 < screen < 60
    # Sensors below the glass are drawn in dark grey, so leave them out.
    assert np.median(island) == pytest.approx(screen, abs=12)


def test_far_below_the_limit_glare_is_unchanged() -> None:
    given = CANVAS | {"reflection.environment": "night", "deviceTransform.rotationY": 5}
    reduced, natural = (
        picture(flat((60, 60, 60)), given | {"reflection.glare": name}).astype(int)
        for name in ("reduced", "natural")
    )
    assert np.abs(natural - reduced).max() <= 1


@pytest.mark.parametrize("limit", [0.01, 0.08])
def test_the_limit_is_that_of_the_references(limit: float) -> None:
    light = np.random.default_rng(2).gamma(1, 0.1, (500, 3)).astype(np.float32)
    light[0] = 0
    found = light.copy()
    limited(found, limit)
    assert found == pytest.approx(glare.limited(light, limit), abs=1e-6)
