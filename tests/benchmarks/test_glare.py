"""Reduced glare: a limit on the light that screen and bezel mirror; everything else equals the traced
reference."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import glare, measures, posed
from benchmarks.cases import HEIGHT, WIDTH, Case
from service.render.light.environment import load

FRONT = Case("iphone-16-pro", "front", "studio")


@pytest.mark.long
def test_a_screen_seen_head_on_sends_all_that_glass_lets_through() -> None:
    shine, share = glare.screenshot(FRONT)
    assert shine.shape == (HEIGHT, WIDTH, 3)
    assert share[HEIGHT // 2, WIDTH // 2] == 1
    assert share[5, 5] == 0
    assert glare.transmitted(np.array([1.0]))[0] == pytest.approx(0.96)
    assert glare.transmitted(np.array([1e-6]))[0] == pytest.approx(0, abs=1e-4)


@pytest.mark.long
def test_only_the_glass_is_limited() -> None:
    shine, share = glare.screenshot(FRONT)
    bright = shine + np.float32(0.5)
    bezel = np.zeros_like(share)
    bezel[:, : WIDTH // 2] = 1 - share[:, : WIDTH // 2]
    found = glare.reduced(bright, FRONT, bezel)
    beside, within = share + bezel == 0, share + bezel == 1
    assert beside.any()
    np.testing.assert_allclose(found[beside], bright[beside], rtol=1e-6)
    limit = load("studio").glare
    np.testing.assert_allclose(found[within] - shine[within], limit * np.log(1 + 0.5 / limit), rtol=0.02)
    dim = shine + np.float32(limit / 50)
    np.testing.assert_allclose(glare.reduced(dim, FRONT, bezel), dim, rtol=0, atol=1e-6)


def test_fresnel_keeps_more_at_a_slant() -> None:
    kept = glare.transmitted(np.cos(np.radians([0, 30, 60, 75, 85])))
    assert (np.diff(kept) < 0).all()
    # At 60 degrees, Fresnel's equations give reflectances of 17.7 % and 0.2 % for the two polarisations.
    assert kept[2] == pytest.approx(1 - 0.0892, abs=1e-3)


@pytest.mark.long
@pytest.mark.parametrize(
    ("device", "pose"),
    [
        ("macbook-pro-14", "compound"),
        *(pytest.param(one, "24_48_-12", marks=pytest.mark.thorough) for one in ("iphone-16-pro", "card")),
    ],
)
def test_the_screen_is_where_the_renderer_draws_it(device: str, pose: str) -> None:
    """The benchmark finds the screen by rays, the renderer by a homography."""
    case = Case(device, pose, "studio")
    _, share = glare.screenshot(case)
    corners = posed.screen_corners(posed.pose(case).plate)
    assert corners is not None
    assert np.abs(measures.corners(share, corners) - corners).max() < 0.02


def test_a_back_has_no_screen() -> None:
    shine, share = glare.screenshot(Case("iphone-16-pro", "back-165", "studio"))
    assert not shine.any()
    assert not share.any()


def test_the_limit_rolls_off_smoothly() -> None:
    light = np.linspace(0, 2, 2001, dtype=np.float32)[:, None].repeat(3, axis=1)
    found = glare.limited(light, 0.08)[:, 0]
    assert found[1] == pytest.approx(light[1, 0], rel=0.01)
    # A hundred times as much light adds five limits.
    bright = glare.limited(np.array([[8.0], [800.0]], np.float32), 0.08)[:, 0]
    assert bright[1] - bright[0] == pytest.approx(0.08 * np.log(100), rel=0.01)
    steps = np.diff(found)
    assert (steps > 0).all()
    assert (np.diff(steps) < 1e-7).all()


def test_the_limit_keeps_a_colour() -> None:
    found = glare.limited(np.array([[0.8, 0.4, 0.2]], np.float32), 0.05)
    assert found[0] / found[0, 0] == pytest.approx([1, 0.5, 0.25])
