"""Families construct the catalogue's devices, and other devices in memory."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from frames.generator.sheet import FACTS, known, masked, read
from service.devices.device import BARS, Device, catalogue
from service.devices.families import making
from service.devices.families.art import SharedPart
from service.devices.families.console import SHOULDER, WELL
from service.devices.families.pose import bent
from service.devices.families.sheet import Console, Handheld, ScreenPanel, Sheet, Watch, parse
from service.render.geometry.outline import outline
from service.shipped import FRAMES
from tests.support.looped import looped
from tests.support.shared_art import SharedArt


class Names:
    """Gives names to all pictures, as the generator does, but draws none."""

    def part(self, part: SharedPart) -> str:
        return part.image

    def mask(self, panel: ScreenPanel, density: float) -> str:
        return "screen.png"

    def own(self, kind: str, sheet: Sheet) -> str:
        return f"{kind}.png"


@looped("identifier", known())
def test_a_sheet_makes_the_device_of_the_catalogue(identifier: str) -> None:
    made = making.device(read(identifier), Names())
    kept = catalogue()[identifier]
    assert made.model_dump() == kept.model_dump()
    assert made == kept


@looped("identifier", masked())
def test_devices_in_memory_use_only_the_shared_parts(identifier: str) -> None:
    made, kept = making.device(read(identifier), SharedArt()), catalogue()[identifier]
    assert made.screen.mask is None
    assert made.screen.model_copy(update={"mask": kept.screen.mask}) == kept.screen
    assert set(made.textures) == {name for name in kept.textures if name == BARS or name.startswith("parts/")}
    assert [slab.name for slab in made.slabs] == [slab.name for slab in kept.slabs]
    assert made.digest != kept.digest


def phone(**changed: Any) -> Device:
    """A phone without any pictures drawn in advance."""
    sheet: dict[str, Any] = {
        "id": "custom",
        "name": "A phone",
        "brand": None,
        "category": "phone",
        "year": None,
        "screen": {
            "px": [1000, 2000],
            "size": [63.0, 126.0],
            "radiusPx": 80,
            "cutout": {"kind": "punch", "center": [500, 70], "size": [70, 70], "radius": 35},
        },
        "finishes": [{"name": "Black", "hex": "#202124"}],
        "body": [67.0, 132.0, 7.7],
        "radius": 9.0,
        "edge": 1.0,
        "buttons": [{"side": "right", "name": "side", "center": 40.0, "length": 13.3}],
        "camera": {
            "center": [-20, 48],
            "size": [17, 17],
            "corner": {"extent": 8},
            "rise": 1.2,
            "lenses": [{"at": [0, 0], "diameter": 11.0, "rise": 0.8}],
        },
    }
    return making.device(Handheld.model_validate(sheet | changed), SharedArt())


def test_names_and_estimates_come_from_the_sheet() -> None:
    item = phone(aliases=["Fone"], approximate=["body", "camera"])
    assert item.aliases == ("Fone",)
    assert item.approximate == ("body", "camera")


def test_missing_pictures_are_left_out() -> None:
    item = phone()
    assert item.screen.cutouts[0].center == pytest.approx((0, 58.59))
    assert item.screen.corner.extent == pytest.approx(5.04)
    # The phone's lens uses an existing picture, scaled to its size. No picture of the gap around a button
    # fits this length, so the phone has none.
    assert set(item.textures) == {f"parts/lens-{name}.png" for name in ("elements-violet", "barrel", "cover")}
    assert all((FRAMES / name).is_file() for name in item.textures)
    lens = next(slab for slab in item.slabs if slab.name == "lens-1")
    assert np.ptp([layer.depth for layer in lens.front.layers]) > 1
    assert phone() == item
    assert phone(edge=1.2) != item


@looped("device, name", [("pixel-watch-4", "side"), ("galaxy-watch-8", "home")])
def test_a_button_follows_a_curved_wall(device: str, name: str) -> None:
    item = catalogue()[device]
    key, case = item.slab(name), item.slab("body")
    out = np.cross(key.x, key.y)
    away = np.array(key.center) + out * key.size[2] / 2 - case.center
    wall = outline(*case.size[:2], case.corner).points
    nearest = np.argmin(np.hypot(*(wall - away[:2]).T))
    normal = outline(*case.size[:2], case.corner).normals[nearest]
    assert out[:2] == pytest.approx(normal, abs=0.05)
    assert out[1] > 0.05
    assert (away[:2] - wall[nearest]) @ normal == pytest.approx(0.4, abs=0.2)


@pytest.mark.parametrize("angle", [100.0, 163.0])
def test_a_closed_strap_must_meet_behind_the_wrist(angle: float) -> None:
    path = FACTS / "apple-watch-series-9-45.json"
    given = json.loads(path.read_text(encoding="utf-8"))
    assert given["band"]["lean"] == 17
    given["band"]["angle"] = angle
    said = f"band: expected a lean and an angle of 120 to 180 in all for a closed strap, got {17 + angle:g}"
    with pytest.raises(ValueError, match=f"^{said}$"):
        parse(json.dumps(given).encode())
    given["band"]["form"] = "open"
    assert parse(json.dumps(given).encode())


def test_straps_with_round_and_square_tips_have_the_same_path() -> None:
    sheet = read("apple-watch-series-9-45")
    assert isinstance(sheet, Watch)
    sheet = sheet.model_copy(update={"band": sheet.band.model_copy(update={"form": "open"})})
    square = sheet.model_copy(update={"band": sheet.band.model_copy(update={"tip": 1.4})})
    one, other = (making.device(item, SharedArt()).slab("strap-top") for item in (sheet, square))
    assert one.corner.extent > 5 * other.corner.extent
    for back in (0.0, 12.0, 30.0):
        places = []
        for slab in (one, other):
            assert slab.bend is not None
            x, y = np.array(slab.x), np.array(slab.y)
            axes = np.column_stack([x, y, np.cross(x, y)])
            place = np.array(bent(slab.bend, (0.0, slab.size[1] / 2 - back, 0.0)))
            places.append(slab.center + axes @ place)
        assert places[0] == pytest.approx(places[1], abs=0.01)


@pytest.mark.parametrize("identifier", ["steam-deck-oled", "switch-2"])
def test_controls_of_consoles_keep_their_distance(identifier: str) -> None:
    """A cross that touches a stick's well looks wrong, and so do caps that are not above their wells."""
    slabs = {slab.name: slab for slab in catalogue()[identifier].slabs}
    sheet = read(identifier)
    assert isinstance(sheet, Console)
    boxes = [
        (np.array(control.at), np.array(control.size) / 2 + (WELL if control.kind == "stick" else 0.0))
        for control in sheet.controls
    ]
    for (one, half), (other, other_half) in combinations(boxes, 2):
        assert (np.abs(one - other) - half - other_half).max() > 0.9
    for place, control in enumerate(sheet.controls, 1):
        if control.kind == "stick":
            parts = [slabs[f"stick-{place}{part}"] for part in ("", "-neck", "-ring", "-well")]
            assert {part.center[:2] for part in parts} == {control.at}


@pytest.mark.parametrize("identifier", ["steam-deck-oled", "switch-2"])
def test_bumpers_follow_the_upper_wall(identifier: str) -> None:
    """A bumper rises by the same height wherever the wall falls, and no end of it hangs free."""
    device = catalogue()[identifier]
    body, bumpers = device.slab("body"), [slab for slab in device.slabs if slab.name.startswith("bumper-")]
    shape = outline(*body.size[:2], body.corner, 1, body.lower)
    assert len(bumpers) == 2
    for slab in bumpers:
        out = np.cross(slab.x, slab.y)
        top = np.array(slab.center) + slab.size[2] / 2 * out
        nearest = np.hypot(*(shape.points - top[:2]).T).argmin()
        assert shape.normals[nearest] @ out[:2] == pytest.approx(1, abs=0.01)
        assert (top[:2] - shape.points[nearest]) @ out[:2] == pytest.approx(SHOULDER, abs=0.05)
        assert slab.base is not None
        foot = np.array(slab.center) + slab.base * out
        for end in (-1, 1):
            place = (foot + end * slab.size[0] / 2 * np.array(slab.x))[:2]
            nearest = np.hypot(*(shape.points - place).T).argmin()
            assert (place - shape.points[nearest]) @ shape.normals[nearest] < 0.05
