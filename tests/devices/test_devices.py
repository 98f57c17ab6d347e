"""Devices as values: equal by content, and pickled by name if they are in the catalogue."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from service.devices.device import Catalogue, catalogue
from service.shipped import FRAMES

PHONE = catalogue()["iphone-16-pro"]
THICKER = PHONE.model_copy(update={"body": (71.5, 149.6, 9.0)})


def test_devices_are_equal_by_content() -> None:
    again = type(PHONE).model_validate_json(PHONE.model_dump_json())
    assert again is not PHONE
    assert again == PHONE
    assert hash(again) == hash(PHONE)
    assert len(PHONE.digest) == 32


def test_any_difference_in_content_distinguishes_devices() -> None:
    assert PHONE.digest
    assert THICKER != PHONE
    assert THICKER.digest != PHONE.digest
    slab = PHONE.slabs[0].model_copy(update={"edge": 1.2})
    assert PHONE.model_copy(update={"slabs": (slab, *PHONE.slabs[1:])}) != PHONE
    assert copy.copy(PHONE) == PHONE
    assert copy.deepcopy(PHONE) == PHONE
    assert PHONE != "iphone-16-pro"


def test_a_catalogue_reads_a_device_when_it_is_first_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, read = Catalogue(FRAMES), list[str]()
    content = Path.read_bytes

    def noted(path: Path) -> bytes:
        read.append(path.parent.name)
        return content(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    assert list(shelf) == list(catalogue())
    assert "pixel-9-pro" in shelf
    assert "nokia-3310" not in shelf
    assert shelf.get("nokia-3310") is None
    assert read == []
    phone = shelf["pixel-9-pro"]
    assert shelf["pixel-9-pro"] is phone
    assert read == ["pixel-9-pro"]


def test_entries_agree_with_their_devices() -> None:
    for device in catalogue().values():
        entry = catalogue().entries[device.id]
        said = entry.model_dump(exclude={"screens"})
        assert said == device.model_dump(include=set(said))
        assert entry.px == device.screen.px


def test_devices_of_the_catalogue_are_pickled_by_name() -> None:
    data = pickle.dumps(PHONE)
    assert len(data) < 200
    assert pickle.loads(data) is PHONE


def test_other_devices_are_pickled_whole() -> None:
    data = pickle.dumps(THICKER)
    assert pickle.loads(data) == THICKER
    assert pickle.loads(data) is not PHONE
