"""Devices by description: possible ones become consistent devices, others are refused with a path."""

from __future__ import annotations

import json
import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis

from service.devices.described import making
from service.devices.described.description import Description
from service.devices.described.kinds import KINDS
from service.devices.described.making import described
from service.devices.described.measures import measured
from service.devices.described.nearest import Nearest
from service.devices.device import Device, catalogue
from service.devices.families.art import SharedPart
from service.errors import MockupError
from service.settings.merge import MergedSettings
from service.settings.resolve import resolve
from service.settings.schema import Settings
from service.shipped import FRAMES
from tests.devices import measures
from tests.devices.descriptions import IPHONE, descriptions, hostile
from tests.support.looped import looped
from tests.support.sound import hold_together, rounded

PHONE = {"kind": "phone", "screen": {"width": 1080, "height": 2400}}


def settings(device: Any) -> Settings:
    return MergedSettings({"device": device}).resolve()


def made(device: dict[str, Any]) -> Device:
    found = settings(device).device
    assert isinstance(found, Description)
    return described(found)


def faults(device: Any) -> dict[str, str]:
    with pytest.raises(MockupError) as caught:
        settings(device)
    return {
        item.path.removeprefix("settings.device").removeprefix("."): item.message
        for item in caught.value.details
    }


@hypothesis(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(descriptions())
def test_a_description_is_refused_by_path_or_holds_together(device: dict[str, Any]) -> None:
    merged = MergedSettings({"device": device})
    for fault in merged.faults:
        assert fault.path.startswith("settings.device")
        assert fault.message
    if not merged.faults:
        hold_together(made(device))


@hypothesis(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(hostile())
def test_hostile_descriptions_are_refused(device: Any) -> None:
    merged = MergedSettings({"device": device})
    assert all(fault.path.startswith("settings.device") for fault in merged.faults)
    if not merged.faults and isinstance(device, dict):
        hold_together(made(device))


@pytest.mark.parametrize("ppi", [207, 243, 261, 295, 421, 460])
def test_a_cutout_may_be_a_single_pixel(ppi: int) -> None:
    screen = {"width": 1080, "height": 2400, "cutout": {"kind": "hole", "width": 1, "height": 1}}
    hold_together(made({"kind": "phone", "screen": screen, "ppi": ppi}))


def test_a_television_stands_on_two_bars() -> None:
    device = made({"kind": "tv", "screen": {"width": 3840, "height": 2160}})
    assert device.category == "tv"
    assert {slab.name for slab in device.slabs if slab.role == "foot"} >= {"left-bar", "right-bar"}
    assert device.screen.size[0] == pytest.approx(1217.6, abs=1)
    assert device.orientations == ("landscape",)


def test_a_console_has_controls_at_the_ends_of_its_screen() -> None:
    screen = {"width": 1920, "height": 1080}
    device = made({"kind": "console", "screen": screen, "ppi": 280})
    assert device.category == "console"
    for prefix, count in {"stick": 2, "cross": 1, "button": 4, "key": 2}.items():
        found = [one for one in device.slabs if re.fullmatch(rf"{prefix}-\d+", one.name)]
        assert len(found) == count, prefix
        assert all(abs(one.center[0]) - one.size[0] / 2 > device.screen.size[0] / 2 for one in found)
    assert not any(slab.name.startswith("grip") for slab in device.slabs)
    assert faults({"kind": "console", "screen": {"width": 1080, "height": 1920}}) == {
        "screen.width": "expected at least its height for a console, 1920, got 1080"
    }


@pytest.mark.parametrize(("height", "gaps"), [(2184, {"top", "bottom"}), (4200, {"left", "right"})])
def test_a_foldable_folds_across_if_it_is_long(height: int, gaps: set[str]) -> None:
    device = made({"kind": "foldable", "screen": {"width": 1968, "height": height}, "ppi": 368})
    assert device.category == "foldable"
    assert {decal.side for decal in device.slabs[0].decals if "/gap-" in decal.image} == gaps
    assert {"spine", "cover", "camera"} <= {slab.name for slab in device.slabs}
    bare = made({"kind": "foldable", "screen": {"width": 1968, "height": height}, "camera": "none"})
    assert "camera" not in {slab.name for slab in bare.slabs}


@pytest.mark.parametrize("kind", KINDS)
def test_kind_and_pixels_suffice(kind: str) -> None:
    device = made({"kind": kind, "screen": {"width": 2000, "height": 1250}})
    hold_together(device)
    assert device.screen.px == (2000, 1250)
    assert device.screen.size[0] / device.screen.size[1] == pytest.approx(1.6)


def test_a_device_of_the_catalogue_can_be_described() -> None:
    device, real = made(IPHONE), catalogue()["iphone-16-pro"]
    pixel = 25.4 / 460
    assert device.body == pytest.approx((*real.body[:2], 8.0), abs=0.06)
    assert device.screen.size == pytest.approx(real.screen.size, abs=pixel)
    assert device.screen.cutouts[0].center == pytest.approx(real.screen.cutouts[0].center, abs=pixel)
    assert device.screen.cutouts[0].size == pytest.approx(real.screen.cutouts[0].size, abs=pixel)
    # At 45 degrees, the corner of both devices is where a circle of the given radius would be.
    for one in (device, real):
        edge = rounded(one.screen.size, one.screen.corner)
        corner = (np.array(one.screen.size) / 2 - edge[edge.min(axis=1) > 0]).sum(axis=1).min() / 2
        assert corner == pytest.approx(186 * pixel * (1 - 2**-0.5), abs=pixel)
    assert device.finishes[0].hex == "#3f4042"
    assert {slab.name for slab in device.slabs} >= {"camera", "lens-1", "lens-2", "lens-3"}


@looped("name", measures.DESCRIPTIONS)
def test_described_devices_keep_their_measures(name: str) -> None:
    kept, found = json.loads(measures.KEPT.read_text())[name], measures.measures(measures.made(name))
    assert list(kept) == list(found)
    for part, values in found.items():
        assert values == pytest.approx(kept[part], abs=0.011), part


def test_kinds_keep_their_limits() -> None:
    assert {kind: measures.limits(kind) for kind in KINDS} == json.loads(measures.KEPT.read_text())["limits"]


def test_a_body_keeps_pixels_square_and_distributes_spare_size() -> None:
    device = made({**PHONE, "body": {"width": 75, "height": 165, "depth": 9}, "bezel": 3})
    assert device.body == (75, 165, 9)
    assert device.screen.size == pytest.approx((69, 69 * 2400 / 1080))
    assert device.screen.center == (0, 0)
    uneven = made({**PHONE, "ppi": 400, "bezel": {"top": 9, "bottom": 14}})
    assert uneven.screen.center == pytest.approx((0, 2.5))
    assert uneven.body[1] == pytest.approx(2400 * 25.4 / 400 + 23)
    laptop = made(
        {"kind": "laptop", "screen": {"width": 1920, "height": 1200}, "body": {"width": 312, "height": 222}}
    )
    assert laptop.slab("deck").size[:2] == (312, 222)
    monitor = made(
        {"kind": "monitor", "screen": {"width": 2560, "height": 1440}, "body": {"width": 612, "height": 361}}
    )
    # A monitor's body is measured without its stand.
    assert monitor.slab("body").size[:2] == (612, 361)
    assert monitor.body[1] > 361 + 80
    assert monitor.category == "desktop"


@pytest.mark.parametrize("kind", ["laptop", "monitor"])
@pytest.mark.parametrize(("size", "way"), [((1600, 900), "landscape"), ((900, 1200), "portrait")])
def test_standing_devices_are_never_turned(kind: str, size: tuple[int, int], way: str) -> None:
    device = made({"kind": kind, "screen": {"width": size[0], "height": size[1]}})
    assert device.orientations == (way,)
    assert device.natural == way


@looped(
    "changed, found",
    [
        ({"kind": "toaster"}, {"kind": "expected one of phone, tablet, foldable, laptop"}),
        ({"screen": {"width": 1080}}, {"screen.height": "missing; expected a whole number from 64 to 8192"}),
        (
            {"screen": {"width": 1080, "height": 4500}},
            {"screen.height": "at most 4 times the other side, 4320"},
        ),
        (
            {"screen": {"width": 1080, "height": 2400, "cornerRadius": 541}},
            {"screen.cornerRadius": "at most half"},
        ),
        (
            {"screen": {"width": 1080, "height": 2400, "cutout": {"kind": "hole", "width": -5}}},
            {"screen.cutout.width": "expected a number from 1 to 4096, got -5"},
        ),
        (
            {"screen": {"width": 1080, "height": 2400, "cutout": {"kind": "hole", "width": 70}}},
            {"screen.cutout.height": "missing; expected a number from 1 to 600"},
        ),
        (
            {
                "screen": {
                    "width": 900,
                    "height": 900,
                    "cutout": {"kind": "hole", "width": 721, "height": 226, "x": 3},
                }
            },
            {
                "screen.cutout.width": "at most 720",
                "screen.cutout.height": "at most 225",
                "screen.cutout.x": "expected 360.5 to 539.5, so that it lies in the screen",
            },
        ),
        (
            {
                "screen": {
                    "width": 900,
                    "height": 900,
                    "cutout": {"kind": "notch", "width": 9, "height": 9, "y": 5},
                }
            },
            {"screen.cutout.y": "hangs from the top edge"},
        ),
        (
            {"screen": {"width": 900, "height": 900, "cutout": {"width": 9}}},
            {"screen.cutout.width": "nothing to cut"},
        ),
        ({"ppi": 400, "body": {"width": 70, "height": 150}}, {"ppi": "expected ppi or body, not both"}),
        ({"ppi": 1500}, {"ppi": "gives a phone a width of 23.09 mm; expected 30 to 300"}),
        ({"body": {"width": 70}}, {"body.height": "missing"}),
        (
            {"body": {"width": 70, "height": 150, "depth": 90}},
            {"body.depth": "expected 4 to 30 for a phone, got 90"},
        ),
        (
            {"body": {"width": 25, "height": 150}, "bezel": 12},
            {"body.width": "expected at least 29 with these bezels, got 25"},
        ),
        ({"bezel": 0.3}, {"bezel": "expected at least 0.8 for a phone, got 0.3"}),
        ({"bezel": {"top": 0.3, "left": "x"}}, {"bezel.left": "expected a number from 0 to 300"}),
        ({"bezel": {"top": 0.3}}, {"bezel.top": "expected at least 0.8"}),
        ({"material": "wood"}, {"material": "expected one of aluminium"}),
        ({"color": "#11223344"}, {"color": "expected an opaque colour"}),
        (
            {"camera": "five", "file": "x"},
            {"camera": "expected one of", "file": "unknown member; known: kind"},
        ),
        (
            {"type": "phone", "finish": "#fff"},
            {
                "type": "unknown member; did you mean device.kind?",
                "finish": "unknown member; did you mean device.color?",
            },
        ),
        ({"kind": "laptop", "camera": "dual"}, {"camera": "a laptop has no camera on its back"}),
        (
            {"kind": "laptop", "screen": {"width": 900, "height": 900, "cutout": {"kind": "island"}}},
            {"screen.cutout.kind": "expected none, notch or hole for a laptop, got island"},
        ),
        ({"kind": "laptop", "bezel": {"right": 9}}, {"bezel.right": "expected left and right alike"}),
        (
            {"kind": "watch", "screen": {"width": 400, "height": 480}, "bezel": {"left": 4, "bottom": 5}},
            {
                "bezel.left": "expected left and right alike for a watch, got 4 and 3.4",
                "bezel.bottom": "expected top and bottom alike",
            },
        ),
        (
            {"kind": "card", "ppi": 99, "bezel": 2, "color": "#fff"},
            {
                "ppi": "a card has nothing but a screen",
                "bezel": "a card has nothing",
                "color": "a card has nothing",
            },
        ),
        (
            {"kind": "window", "screen": {"width": 900, "height": 64, "cornerRadius": 33}},
            {"screen.cornerRadius": "at most half the shorter side, 32"},
        ),
    ],
)
def test_contradictions_are_reported_by_path(changed: dict[str, Any], found: dict[str, str]) -> None:
    said = faults({**PHONE, **changed})
    assert said.keys() == found.keys()
    for path, message in found.items():
        assert message in said[path]


@pytest.mark.parametrize(("kind", "bars"), [("window", True), ("card", False)])
def test_windows_and_cards_keep_the_shape_described(kind: str, bars: bool) -> None:
    device = {"kind": kind, "screen": {"width": 1500, "height": 1000, "cornerRadius": 60}}
    sent = {"device": device, "appearance": {"theme": "dark"}, "screen": {"fit": "contain"}}
    scene = resolve(MergedSettings(sent).resolve(), (390, 844), fast=False)
    screen = scene.device.screen
    assert scene.device.id == "custom"
    assert screen.px == (1500, 1000)
    assert screen.corner.extent == pytest.approx(screen.size[0] / 1500 * 60)
    assert scene.device.slabs[0].corner.extent == pytest.approx(screen.corner.extent + 0.25)
    assert (scene.device.bars is not None) == bars
    assert scene.device.finishes[0].name == "Dark"
    assert scene.warnings == ()


def test_a_round_watch_is_round() -> None:
    device = made({"kind": "watch", "screen": {"width": 480, "height": 480, "cornerRadius": 240}})
    assert device.screen.corner.extent == pytest.approx(device.screen.size[0] / 2)
    case = device.slab("body")
    assert case.corner.extent == pytest.approx(case.size[0] / 2, abs=0.01)
    assert case.corner.exponent == device.screen.corner.exponent == 2


def test_an_upright_monitor_stands_upright() -> None:
    device = made({"kind": "monitor", "screen": {"width": 1200, "height": 1920}})
    assert device.orientations == ("portrait",)
    hold_together(device)


def test_names_in_a_description_match_loosely() -> None:
    device = settings({**PHONE, "kind": "Phone", "material": "TITANIUM"}).device
    assert isinstance(device, Description)
    assert (device.kind, device.material) == ("phone", "titanium")
    merged = MergedSettings({"device": {**PHONE, "kind": "Phone"}})
    assert merged.canonical() == {"device": PHONE}


@pytest.mark.long
def test_a_description_is_made_once_and_kept_within_limits() -> None:
    first = made(IPHONE)
    assert made(json.loads(json.dumps(IPHONE))) is first
    assert made({**IPHONE, "bezel": 2.45}) != first
    for width in range(64, 564):
        made({"kind": "phone", "screen": {"width": width, "height": 2 * width}})
    assert making.devices.currsize <= making.KEPT
    assert len(making.devices) < 500
    assert made(IPHONE) == first
    assert pickle.loads(pickle.dumps(first)) == first


@pytest.mark.parametrize(
    ("project", "request_", "merged"),
    [
        (IPHONE, {"color": "#ffffff"}, {**IPHONE, "color": "#ffffff"}),
        (IPHONE, {"bezel": {"top": 5}}, {**IPHONE, "bezel": {"top": 5}}),
        (IPHONE, {"kind": "PHONE", "camera": None}, {**IPHONE, "kind": "phone", "camera": None}),
        (IPHONE, {**PHONE, "kind": "tablet"}, {**PHONE, "kind": "tablet"}),
        (
            IPHONE,
            {"body": {"width": 80, "height": 165}},
            {
                **{name: value for name, value in IPHONE.items() if name != "ppi"},
                "body": {"width": 80, "height": 165},
            },
        ),
        (IPHONE, "pixel-9-pro", "pixel-9-pro"),
        ("pixel-9-pro", PHONE, PHONE),
        (IPHONE, None, "iphone-16-pro"),
    ],
)
def test_descriptions_merge_unless_the_kind_changes(project: Any, request_: Any, merged: Any) -> None:
    found = MergedSettings({"device": request_}, {"device": project}).resolve()
    assert found.device == settings(merged).device


def test_a_fault_of_a_saved_description_says_so() -> None:
    merged = MergedSettings({"device": {"bezel": 3}}, {"device": {**PHONE, "ppi": 1500}})
    assert [fault.path for fault in merged.faults] == ["settings.device.ppi"]
    assert merged.faults[0].message.endswith("(set by the saved project)")


def test_missing_parts_are_those_nearest_in_size() -> None:
    art = Nearest()
    assert art.part(SharedPart("port", (8.9, 3.1))) == "parts/port-8.9x3.1.png"
    assert art.part(SharedPart("port", (8.0, 3.0))) in {"parts/port-8.9x2.9.png", "parts/port-8.9x3.1.png"}
    assert art.part(SharedPart("lens-cover")) == "parts/lens-cover.png"
    assert art.part(SharedPart("holes", (1.5, 1.5), 99, 2.5)) is None
    assert art.part(SharedPart("unheard-of", (1.0, 1.0))) is None
    for kind in ("well", "front-camera", "band", "earpiece", "keyboard", "trackpad", "grille"):
        image = art.part(SharedPart(kind, (7.77, 3.33)))
        assert image is not None
        assert (FRAMES / image).is_file()


def test_measures_add_up() -> None:
    device = settings({**PHONE, "ppi": 254, "bezel": {"left": 4, "right": 6}}).device
    assert isinstance(device, Description)
    found = measured(device)
    assert found.screen == pytest.approx((108, 240))
    assert found.body[0] == pytest.approx(118)
    assert found.screen_center[0] == pytest.approx(-1)


@pytest.mark.parametrize(
    ("layout", "lenses"),
    [
        ("none", 0),
        ("single", 1),
        ("dual", 2),
        ("triple", 3),
        ("quad", 4),
        ("single-square", 1),
        ("dual-square", 2),
        ("square", 3),
        ("quad-square", 4),
    ],
)
def test_a_back_has_as_many_lenses_as_its_layout_says(layout: str, lenses: int) -> None:
    device = made({**IPHONE, "camera": layout})
    found = [slab for slab in device.slabs if slab.name.startswith("lens-")]
    assert len(found) == lenses
    plate = next((slab for slab in device.slabs if slab.name == "camera"), None)
    if layout.endswith("square"):
        assert plate is not None
        assert plate.size[0] == plate.size[1]
