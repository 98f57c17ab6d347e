"""Requests for pictures."""

from __future__ import annotations

from typing import Any

import pytest

from service.settings.scene import PlateSpec
from service.settings.schema import Settings
from tests.support.pictures import png
from tests.support.requests import prepared


def spec(owner: str, **screen: str) -> PlateSpec:
    given: dict[str, Any] = {"device": "browser-chrome", "screen": screen}
    return prepared(png(), Settings.model_validate(given), owner=owner).scene.spec


@pytest.mark.parametrize("screen", [{"url": "https://example.com/draft"}, {"title": "Draft"}])
def test_plates_with_texts_belong_to_their_user(screen: dict[str, str]) -> None:
    assert spec("ada", **screen) == spec("ada", **screen)
    assert spec("ada", **screen) != spec("bob", **screen)
    assert spec("ada") == spec("bob"), "all others are for everybody"
