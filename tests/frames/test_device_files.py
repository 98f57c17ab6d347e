"""Every device folder is consistent: records, pictures, sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from frames.generator.sheet import known, read
from service.devices.device import BARS, PARTS, Device, Layer
from service.shipped import FRAMES
from tests.support.looped import looped

IDS = known()
# the largest size of a folder, kB; most of a laptop's is its keyboard
LIMITS = {
    "phone": 150, "tablet": 150, "laptop": 400, "desktop": 150, "tv": 150, "watch": 100, "browser": 100,
    "foldable": 200, "console": 100, "window": 5, "card": 5,
}  # fmt: skip


def device(identifier: str) -> Device:
    return Device.model_validate_json((FRAMES / identifier / "device.json").read_bytes())


def color_layers(item: Device) -> Iterator[Layer]:
    for slab in item.slabs:
        for face in (slab.front, slab.back):
            if face is not None:
                yield from (layer for layer in face.layers if layer.image != BARS)


def pictures(item: Device) -> Iterator[tuple[str, tuple[float, float], str]]:
    """Name, size in mm and mode of every picture a device names."""
    for screen in item.screens:
        assert screen.mask is not None or item.fitted is not None or screen.half
        if screen.mask is not None:
            yield screen.mask, screen.size, "L"
    for layer in color_layers(item):
        yield from ((name, layer.size, "RGBA") for name in (layer.image, layer.dark) if name)
    for slab in item.slabs:
        for face in (slab.front, slab.back):
            if face is not None and face.occlusion is not None:
                yield face.occlusion.image, face.occlusion.size, "L"
        for decal in slab.decals:
            yield decal.image, decal.size, "RGBA"


def test_the_first_six_devices_exist() -> None:
    assert {
        "iphone-16-pro",
        "iphone-15-pro-max",
        "pixel-9-pro",
        "ipad-pro-11-m4",
        "macbook-pro-14",
        "browser-chrome-light",
    } <= set(IDS)


@looped("identifier", IDS)
def test_names_and_screen_are_those_of_the_sheet(identifier: str) -> None:
    item, sheet = device(identifier), read(identifier)
    assert (item.id, item.name, item.category) == (identifier, sheet.name, sheet.category)
    assert item.screen.px == sheet.screen.px
    _, _, wide, high = item.screen.part
    assert np.divide(item.screen.size, (wide, high)) == pytest.approx(sheet.screen.size, abs=1e-3)
    assert item.finishes == sheet.finishes


@looped("identifier", IDS)
def test_pictures_exist_have_their_mode_and_square_pixels(identifier: str) -> None:
    item = device(identifier)
    for name, size, mode in pictures(item):
        with Image.open(item.file(name)) as picture:
            assert picture.mode == mode, name
            across, up = picture.width / size[0], picture.height / size[1]
            # A picture has a whole number of pixels, but its size in mm is arbitrary, so the two may differ
            # by half a pixel.
            assert abs(picture.width - up * size[0]) <= max(0.51 * (1 + size[0] / size[1]), 1), name
            assert min(across, up) > 2.0, name


@looped("identifier", IDS)
def test_the_folder_has_no_other_files_and_is_small(identifier: str) -> None:
    item = device(identifier)
    drawn = set(item.textures) - {BARS}
    assert drawn == {name for name, _, _ in pictures(item)}
    files = {item.file(name) for name in drawn} | {FRAMES / identifier / "device.json"}
    own = {file for file in files if file.parent.name != PARTS}
    assert set((FRAMES / identifier).iterdir()) == own
    assert sum(file.stat().st_size for file in files) < LIMITS[item.category] * 1000


def test_every_part_is_used_and_unique() -> None:
    named = {device(identifier).file(name) for identifier in IDS for name in device(identifier).textures}
    parts = list((FRAMES / PARTS).iterdir())
    assert set(parts) == {file for file in named if file.parent.name == PARTS}
    alike: dict[bytes, set[str]] = {}
    for file in parts:
        alike.setdefault(file.read_bytes(), set()).add(re.sub(r"[\d.]+", "", file.stem))
    # Parts whose sizes differ by less than a pixel may have equal pictures, parts of different kinds may not.
    assert all(len(kinds) == 1 for kinds in alike.values())


def test_all_frames_together_are_small() -> None:
    assert sum(file.stat().st_size for file in FRAMES.rglob("*") if file.is_file()) < 25_000_000


@looped("identifier", IDS)
def test_slabs_have_upright_axes_and_known_parents(identifier: str) -> None:
    item = device(identifier)
    names = [slab.name for slab in item.slabs]
    assert len(set(names)) == len(names)
    assert item.screen.slab in names
    for index, slab in enumerate(item.slabs):
        x, y = np.array(slab.x), np.array(slab.y)
        assert np.linalg.norm(x) == pytest.approx(1, abs=1e-6)
        assert np.linalg.norm(y) == pytest.approx(1, abs=1e-6)
        assert x @ y == pytest.approx(0, abs=1e-6)
        assert slab.edge <= slab.size[2] / 2
        if slab.parent is not None:
            assert slab.parent in names[:index]
            assert slab.base is None or -slab.size[2] / 2 <= slab.base < slab.size[2] / 2
        if slab.base is not None and slab.bend is None:
            # A slab with a base is cut off there, in the straight part of its wall.
            assert slab.base >= slab.edge - slab.size[2] / 2 - 1e-3


@looped("identifier", IDS)
def test_the_screen_lies_inside_its_slab(identifier: str) -> None:
    item = device(identifier)
    slab = next(slab for slab in item.slabs if slab.name == item.screen.slab)
    for axis in (0, 1):
        reach = abs(item.screen.center[axis]) + item.screen.size[axis] / 2
        assert reach <= slab.size[axis] / 2 + 1e-6
