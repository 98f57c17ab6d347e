"""The sample screens that devices show if there is no screenshot."""

from __future__ import annotations

from typing import Any

import pytest

from service.settings.schema import Settings
from service.shipped import FRAMES
from service.sources.samples import sample

SCREEN = {"width": 1920, "height": 1080}


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "screenshot"),
        ({"device": "auto"}, "screenshot"),
        ({"device": "auto", "orientation": "landscape"}, "desktop"),
        ({"device": "iphone-16-pro", "orientation": "landscape-right"}, "desktop"),
        ({"device": "ipad-mini"}, "tablet"),
        ({"device": "ipad-mini", "orientation": "landscape"}, "desktop"),
        ({"device": {"kind": "tablet", "screen": SCREEN}}, "desktop"),
        ({"device": {"kind": "tablet", "screen": SCREEN}, "orientation": "portrait"}, "tablet"),
        ({"device": "macbook-pro-14"}, "desktop"),
        ({"device": "card"}, "browser"),
    ],
)
def test_a_sample_suits_the_device_and_its_orientation(settings: dict[str, Any], name: str) -> None:
    expected = (FRAMES / "samples" / f"{name}.png").read_bytes()
    assert sample(Settings.model_validate(settings)) == expected
