"""Devices as values: equal by content, pickled by name when the catalogue has them."""

from __future__ import annotations

import copy
import pickle

from service.models.devices import catalogue

PHONE = catalogue()["iphone-16-pro"]
THICKER = PHONE.model_copy(update={"body": (71.5, 149.6, 9.0)})


def test_devices_are_equal_by_content() -> None:
    again = type(PHONE).model_validate_json(PHONE.model_dump_json())
    assert again is not PHONE
    assert again == PHONE
    assert hash(again) == hash(PHONE)
    assert len(PHONE.digest) == 32


def test_any_part_of_the_content_tells_devices_apart() -> None:
    assert PHONE.digest
    assert THICKER != PHONE
    assert THICKER.digest != PHONE.digest
    slab = PHONE.slabs[0].model_copy(update={"edge": 1.2})
    assert PHONE.model_copy(update={"slabs": (slab, *PHONE.slabs[1:])}) != PHONE
    assert copy.copy(PHONE) == PHONE
    assert copy.deepcopy(PHONE) == PHONE
    assert PHONE != "iphone-16-pro"


def test_devices_of_the_catalogue_are_pickled_by_name() -> None:
    data = pickle.dumps(PHONE)
    assert len(data) < 200
    assert pickle.loads(data) is PHONE


def test_other_devices_are_pickled_whole() -> None:
    data = pickle.dumps(THICKER)
    assert pickle.loads(data) == THICKER
    assert pickle.loads(data) is not PHONE
