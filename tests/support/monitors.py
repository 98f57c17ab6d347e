"""A monitor with a stand of two flat plates, which no catalogue device has."""

from __future__ import annotations

from frames.generator.sheet import read
from service.devices.device import Device
from service.devices.families import making
from service.devices.families.sheet import Monitor
from tests.support.shared_art import SharedArt


def on_plates() -> Device:
    """The Studio Display with a foot, and an upright plate that stands on it."""
    sheet = read("studio-display")
    assert isinstance(sheet, Monitor)
    stand = sheet.stand.model_copy(update={"bend": 0.0, "hole": None})
    return making.device(sheet.model_copy(update={"stand": stand}), SharedArt())
