"""Light that a coloured background reflects onto a device."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from service.arrays import F64
from service.clock import Clock
from service.render.light.environment import load, lookup
from service.render.light.spill import spilled
from service.render.plates import plate
from service.render.plates.spill import spill
from service.settings.scene import Background
from service.validation.color import parse
from tests.render.posing import scene

# A white phone, of which the right side is seen.
WHITE = {
    "device": "iphone-17-pro",
    "canvas.width": 320,
    "canvas.height": 240,
    "shadow.enabled": False,
    "deviceTransform.rotationY": -40,
    "appearance.backgroundColor": "transparent",
}
SIZE = (390, 844)  # px of the screenshot
LEFT, RIGHT = (-1.0, -0.3, -1.0), (1.0, -0.3, -1.0)


def body(background: Background, strength: float = 1.0, **given: Any) -> F64:
    """The phone's pixels (n, 3) before a background, which are not mixed with it."""
    spec = scene({**WHITE, **given}, SIZE).spec
    solid = plate.build(spec, Clock()).base[..., 3] == 255
    made = plate.build(replace(spec, background=background, spill=strength), Clock()).base
    return np.asarray(made[solid][:, :3], np.float64)


def flat(color: str) -> Background:
    return Background.of(parse(color))


def green(pixels: F64) -> F64:
    """By how much pixels (n, 3) are greener than grey, in code values."""
    return np.asarray(pixels[:, 1] - pixels[:, [0, 2]].mean(axis=1), np.float64)


def test_a_coloured_background_colours_the_sides() -> None:
    before, after = body(flat("#2FA84F"), 0), body(flat("#2FA84F"))
    gained = green(after) - green(before)
    assert np.quantile(gained, 0.99) > 12
    # The glass, which is most of the picture, mirrors what is beside the camera.
    assert abs(np.median(gained)) < 5


@pytest.mark.parametrize("color", ["#FFFFFF", "#808080", "#000000", "#F2F3F5"])
def test_a_neutral_background_reflects_no_colour(color: str) -> None:
    assert (body(flat(color)) == body(flat(color), 0)).all()


def test_strength_zero_switches_it_off() -> None:
    assert (body(flat("#2FA84F"), 0) == body(flat("#808080"), 0)).all()


def test_each_side_takes_the_colour_behind_it() -> None:
    spec = scene({**WHITE, "appearance.backgroundColor": "#F2F3F5"}, SIZE).spec
    behind = Background.of(parse("#E02020"), parse("#2030E0"), angle=90)
    found = spill(replace(spec, background=behind))
    assert found is not None
    room = spilled(load("studio"), found)
    for square in (room.sharp, *room.rough.values()):
        left, right = lookup(square, np.array([LEFT, RIGHT], np.float32)) / lookup(
            load("studio").rough[0.45], np.array([LEFT, RIGHT], np.float32)
        )
        assert left[0] > right[0]
        assert left[2] < right[2]


@pytest.mark.parametrize("background", ["transparent", "picture"])
def test_backgrounds_without_their_own_colours_reflect_none(background: str) -> None:
    given: dict[str, Any] = {"appearance.backgroundColor": "transparent"}
    if background == "picture":
        given = {
            "appearance.backgroundColor": "#2FA84F",
            "appearance.backgroundImage": {"type": "screenshot"},
        }
    assert spill(scene({**WHITE, **given}, SIZE).spec) is None


def test_a_coloured_background_lights_nothing_in_front() -> None:
    spec = scene({**WHITE, "appearance.backgroundColor": "#2FA84F"}, SIZE).spec
    found = spill(spec)
    assert found is not None
    front = np.array([(0, 0, 1)], np.float32)
    whole = load("studio")
    assert lookup(spilled(whole, found).sharp, front) == pytest.approx(lookup(whole.sharp, front), abs=0.01)
