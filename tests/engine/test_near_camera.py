"""Scenes whose devices are as near to the camera as a request can place them, behind it, or off the
canvas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from service.clock import Clock
from service.engine.request import GivenScreenshot, prepare
from service.engine.studio import Studio
from service.settings.merge import MergedSettings
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from tests.support import pictures

PHONE = {"device": "iphone-16-pro"}
UPRIGHT = {"framing": "upright", "fieldOfView": 90}


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    """All tests share one studio."""
    with closing(Studio()) as made:
        yield made


def codes(studio: Studio, view: dict[str, Any], *devices: dict[str, Any]) -> set[str]:
    """The codes of the warnings about a picture of these devices."""
    settings = {"canvas": {"width": 320, "height": 240}, "deviceTransform": view}
    members = tuple(Member(SceneDevice.model_validate(one), 0) for one in devices)
    scene = SceneSettings(MergedSettings(settings).resolve(), members, named=True)
    made = studio.render(prepare([GivenScreenshot(pictures.png(60, 130))], scene), Clock())
    assert bytes(made.data[:4]) == b"\x89PNG"
    return {one.code for one in made.warnings}


@pytest.mark.parametrize("framing", ["upright", "posed"])
@pytest.mark.parametrize("view", [30, 90])
def test_the_camera_stays_before_the_nearest_device(studio: Studio, framing: str, view: int) -> None:
    told = codes(studio, {"framing": framing, "fieldOfView": view}, PHONE, {**PHONE, "depth": 2000})
    assert "FIELD_OF_VIEW_LIMITED" in told
    assert "FIELD_OF_VIEW_LIMITED" not in codes(studio, {"fieldOfView": 0}, PHONE, {**PHONE, "depth": 2000})


def test_the_camera_stays_before_a_scene_that_is_turned_towards_it(studio: Studio) -> None:
    """After half a turn, the farthest device is the nearest."""
    away = {**PHONE, "depth": -2000}
    assert "OFF_CANVAS" not in codes(studio, {**UPRIGHT, "fieldOfView": 30}, PHONE, away)
    assert "FIELD_OF_VIEW_LIMITED" in codes(studio, {**UPRIGHT, "rotationY": 180}, PHONE, away)


def test_devices_off_the_canvas_are_reported(studio: Studio) -> None:
    places = [{"positionX": 2, "positionY": 2}, {"positionX": -2}]
    assert "OFF_CANVAS" in codes(studio, UPRIGHT, *({**PHONE, "deviceTransform": one} for one in places))
    assert "OFF_CANVAS" in codes(studio, {**UPRIGHT, "scale": 5}, *[{**PHONE, "depth": 2000}] * 2)


def test_screens_behind_other_devices_are_reported(studio: Studio) -> None:
    def placed(*, away: float, turned: float = 0.0) -> set[str]:
        back = {**PHONE, "deviceTransform": {"positionX": away, "rotationY": turned}}
        return codes(studio, {"fieldOfView": 0}, back, {**PHONE, "depth": 60})

    assert "SCREEN_HIDDEN" in placed(away=0)
    assert "SCREEN_HIDDEN" not in placed(away=0.5)
    assert "SCREEN_HIDDEN" not in placed(away=0, turned=180), "its screen is turned away"
    assert "SCREEN_HIDDEN" not in codes(studio, {}, PHONE)
