"""Looks are valid settings, and leave members that belong to the caller alone."""

from __future__ import annotations

import numpy as np
import pytest

from service.render.geometry.camera import stage
from service.render.plates.plane import plane
from service.settings.looks import LOOKS, with_look
from service.settings.merge import MergedSettings, merge
from service.settings.resolve import resolve
from service.settings.schema import Settings
from service.srgb import LINEAR
from service.validation.color import parse

WHITEST = 0.72  # luminance of a backdrop, from 0 to 1, against which white devices still stand out


def test_each_has_a_title_of_its_own() -> None:
    assert len({look.title for look in LOOKS.values()}) == len(LOOKS) >= 12


@pytest.mark.parametrize("name", LOOKS)
def test_looks_are_valid_and_canonical(name: str) -> None:
    look = LOOKS[name]
    settings = MergedSettings(look.settings)
    assert settings.faults == []
    assert settings.canonical() == dict(look.settings)
    assert settings.resolve() != Settings(), "it changes something"


@pytest.mark.parametrize("name", LOOKS)
def test_looks_override_the_given_settings(name: str) -> None:
    own = {
        "device": "pixel-9-pro",
        "canvas": {"preset": "app-store-6.9"},
        "screen": {"fit": "contain"},
        "export": {"format": "webp"},
    }
    made = Settings.model_validate(merge(own, LOOKS[name].settings))
    assert (made.device, made.screen.fit, made.export.format) == ("pixel-9-pro", "contain", "webp")
    assert made.canvas.size == (1320, 2868)
    assert not {"device", "orientation", "canvas", "screen", "export"} & set(LOOKS[name].settings)


@pytest.mark.parametrize("name", LOOKS)
def test_what_can_stand_stands_on_a_floor(name: str) -> None:
    for device in ("macbook-air-15", "imac-24", "tv-55", "apple-watch-ultra-3"):
        settings = Settings.model_validate(merge({"device": device}, LOOKS[name].settings))
        spec = resolve(settings, (1600, 1000), fast=True).spec
        assert spec.ground is not None, device
        assert spec.ground.kind == "floor", device
        seen = stage(spec)
        assert plane(seen, [spec.instances[0].device], spec.ground, spec.transform).seen(seen.camera), device


@pytest.mark.parametrize("name", LOOKS)
def test_looks_replace_the_ground_of_the_look_before(name: str) -> None:
    own = {"ground": {"reflectivity": 1.0}, "screen": {"fit": "contain"}}
    made = with_look(own, LOOKS[name])
    assert made.get("ground") == LOOKS[name].settings.get("ground")
    assert made["screen"] == own["screen"]


@pytest.mark.parametrize("name", LOOKS)
def test_a_background_colour_recolours_a_look(name: str) -> None:
    made = Settings.model_validate(
        merge(LOOKS[name].settings, {"appearance": {"backgroundColor": "#123456"}})
    )
    assert made.appearance.colors[0] == "#123456"


@pytest.mark.parametrize("name", sorted(LOOKS.keys() - {"clay", "blueprint"}))
def test_white_devices_stand_out_from_backdrops(name: str) -> None:
    appearance = Settings.model_validate(LOOKS[name].settings).appearance
    colors = np.mean([parse(color)[:3] for color in appearance.colors], axis=0)
    assert LINEAR[np.rint(colors).astype(int)] @ (0.2126, 0.7152, 0.0722) < WHITEST
