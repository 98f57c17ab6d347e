"""Windows and cards in the shape of a screenshot."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest

from service.devices.device import BARS, Bars, catalogue
from service.devices.families.fitted import AREA, MM, NARROWEST
from service.devices.families.look import LOOKS
from service.render.compose import shot
from service.settings.resolve import resolve
from service.settings.scene import Scene
from service.settings.schema import Settings
from tests.render.posing import settings
from tests.support.looped import looped

FITTED = [device.id for device in catalogue().values() if device.fitted]
SIZES = [
    (1, 1), (2, 1), (1, 2), (10000, 3), (3, 10000), (390, 844), (1440, 900), (2560, 300), (300, 2560),
    (1206, 2622), (2740, 1567), (997, 1009), (1440, 9000), (16384, 16384),
]  # fmt: skip


def scene(size: tuple[int, int], **given: Any) -> Scene:
    return resolve(
        settings({name.replace("__", "."): value for name, value in given.items()}), size, fast=False
    )


def codes(made: Scene) -> list[str]:
    return [warning.code for warning in made.warnings]


def test_all_fitted_devices_exist() -> None:
    assert {"window-macos", "window-windows", "window-linux", "terminal", "card"} < set(FITTED)
    assert {"browser-safari", "browser-chrome", "browser-firefox"} < set(FITTED)


@looped("identifier", FITTED)
@looped("size", SIZES)
def test_nothing_is_cut(identifier: str, size: tuple[int, int]) -> None:
    made = scene(size, device=identifier)
    screen, slab = made.device.screen, made.device.slabs[0]
    placed = shot.place(size, screen.size, made.fit)
    assert placed.crop == placed.onto == (0, 0, 1, 1)
    assert placed.stretch == pytest.approx(1, abs=1e-4)
    assert screen.px == size
    # The screen's far edges are a hairline inside those of the window; bars above it do not matter here.
    for axis in (0, 1):
        reach = abs(screen.center[axis]) + screen.size[axis] / 2
        assert reach == pytest.approx(
            slab.size[axis] / 2 - slab.size[2] / (2.4 if identifier == "card" else 4)
        )
    assert 2 * slab.corner.extent <= min(slab.size[:2]) * 1.0001
    assert 2 * screen.corner.extent <= min(screen.size) * 1.0001
    assert max(slab.size) < 1600
    assert slab.edge < slab.size[2] / 2
    assert made.spec.instances[0].orientation == made.device.natural
    assert codes(made) == []


@looped("identifier", FITTED)
def test_bars_keep_their_proportion_at_any_resolution(identifier: str) -> None:
    small, large = (scene(size, device=identifier).device for size in ((720, 450), (2880, 1800)))
    assert small.body == pytest.approx(large.body)
    width, height = (side / MM for side in large.screen.size)
    assert width * height == pytest.approx(AREA)
    tall = scene((300, 3000), device=identifier).device.screen.size[0] / MM
    assert tall == pytest.approx(math.sqrt(AREA / 10) if identifier == "card" else NARROWEST)


@looped("identifier", FITTED)
def test_themes(identifier: str) -> None:
    fitted = catalogue()[identifier].fitted
    assert fitted is not None
    colors = LOOKS[fitted.design].colors
    usual = scene((800, 500), device=identifier)
    assert usual.device.slabs[0].color == colors[fitted.themes[0]]["border"]
    for theme in ("light", "dark"):
        made = scene((800, 500), device=identifier, appearance__theme=theme)
        has = theme in fitted.themes
        assert (made.device.slabs[0].color == colors[theme]["border"]) == has
        assert codes(made) == ([] if has else ["NO_EFFECT"])
        assert (made.device == usual.device) == (not has or theme == fitted.themes[0])


def test_finishes_are_the_themes() -> None:
    made = scene((800, 500), device="window-linux", appearance__deviceColor="dark")
    assert made.device == scene((800, 500), device="window-linux", appearance__theme="dark").device
    assert codes(made) == []
    assert [finish.name for finish in made.device.finishes] == ["Dark", "Light"]
    made = scene((800, 500), device="window-linux", appearance__theme="light", appearance__deviceColor="Dark")
    assert made.warnings[0].message.endswith("it is shown in Light")
    assert codes(scene((800, 500), device="card", appearance__deviceColor="#123456")) == ["COLOR_UNUSED"]
    for identifier in FITTED:
        device = catalogue()[identifier]
        assert device.fitted is not None
        assert [finish.name.lower() for finish in device.finishes] == list(device.fitted.themes)
        for finish in device.finishes:
            for color in (finish.name, finish.hex.upper()):
                made = scene((800, 500), device=identifier, appearance__deviceColor=color)
                assert made.device.finishes[0] == finish
                assert codes(made) == []


def shown(identifier: str, **given: Any) -> tuple[str, str]:
    bars = scene((800, 500), device=identifier, **given).device.bars
    assert bars is not None
    return bars.url, bars.title


def test_texts() -> None:
    page = {"screen__url": "https://www.example.org/a/b?c=1", "screen__title": "A  page"}
    assert shown("browser-chrome", **page) == ("example.org/a/b?c=1", "A page")
    assert shown("browser-firefox", screen__url="http://example.org/") == ("example.org", "example.org")
    assert shown("browser-safari", screen__url=page["screen__url"]) == ("example.org", "")
    assert shown("browser-chrome") == ("", "")
    assert shown("browser-safari") == ("", "")
    assert catalogue()["browser-chrome-light"].bars == Bars(design="chrome", theme="light", width=1280)
    assert shown("browser-chrome", screen__url="", screen__title="") == ("", "")
    assert shown("window-macos", screen__title="Notes") == ("", "Notes")
    assert shown("window-macos") == ("", "")
    assert shown("terminal") == ("", "Terminal")


def test_settings_without_effect_are_reported() -> None:
    made = scene((800, 500), device="card", screen__fit="contain", screen__title="A", orientation="portrait")
    assert [warning.message for warning in made.warnings] == [
        "screen.title, screen.fit and orientation have no effect on card"
    ]
    made = scene((800, 500), device="browser-safari", screen__title="A", screen__anchor="top")
    assert made.warnings[0].message == "screen.title and screen.anchor have no effect on browser-safari"
    made = scene((800, 500), device="iphone-16-pro", appearance__theme="dark", screen__url="a")
    assert made.warnings[0].message == "screen.url and appearance.theme have no effect on iphone-16-pro"
    assert codes(scene((800, 500), device="card", screen__fit="cover")) == []


def test_settings_without_effect_unless_others_are_given_are_reported() -> None:
    def said(**given: Any) -> list[str]:
        return [warning.message for warning in scene((1206, 2622), device="iphone-16-pro", **given).warnings]

    colors = {"appearance__gradientColor": "#102030", "appearance__gradientAngle": 90}
    names = "appearance.gradientColor and appearance.gradientAngle"
    assert said(**colors) == [f"{names} have no effect without appearance.gradientEnabled"]
    assert said(**colors, appearance__gradientEnabled=True) == []
    assert said(**colors, appearance__gradientEnabled=False) == []
    stops = [{"color": "#000"}, {"color": "#FFF"}]
    assert said(appearance__gradientStops=stops, appearance__gradientAngle=90) == []
    assert said(canvas__gap=40) == ["canvas.gap has no effect without canvas.slices"]
    assert said(canvas__gap=40, canvas__slices=1) == said(canvas__gap=40, canvas__slices=2) == []


def test_missing_glyphs_are_reported_if_the_text_is_shown() -> None:
    made = scene((800, 500), device="browser-chrome", screen__title="Go 🚀", screen__url="a.example/🚀")
    assert codes(made) == ["MISSING_GLYPHS", "MISSING_GLYPHS"]
    assert made.warnings[1].message.startswith("screen.url has")
    assert codes(scene((800, 500), device="card", screen__title="Go 🚀")) == ["NO_EFFECT"]


def test_texts_and_shapes_distinguish_plates() -> None:
    one = scene((800, 500), device="window-macos", screen__title="One")
    assert scene((800, 500), device="window-macos", screen__title="One").spec == one.spec
    assert scene((800, 500), device="window-macos", screen__title="Two").spec != one.spec
    assert scene((801, 500), device="window-macos", screen__title="One").spec != one.spec
    data = pickle.dumps(one.spec)
    assert len(data) < 4000
    assert pickle.loads(data) == one.spec


def test_a_card_has_no_bars() -> None:
    device = scene((800, 500), device="card").device
    assert device.bars is None
    assert device.textures == ()
    assert scene((800, 500), device="terminal").device.textures == (BARS,)


def test_the_source_is_shown_by_its_host_where_it_is_asked_for() -> None:
    settings = Settings.model_validate({"device": "browser-chrome", "screen": {"url": "source"}})
    for host in ("shop.example.org", ""):
        bars = resolve(settings, (800, 500), fast=False, host=host).device.bars
        assert bars is not None
        assert (bars.url, bars.title) == (host, host)
    plain = Settings.model_validate({"device": "browser-chrome"})
    bars = resolve(plain, (800, 500), fast=False, host="shop.example.org").device.bars
    assert bars is not None
    assert bars.url == ""
