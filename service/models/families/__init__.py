"""Families of devices: from a sheet of measurements to a device, in memory or for the catalogue."""

from __future__ import annotations

from service.models.devices import Device
from service.models.families import fitted
from service.models.families.art import Art
from service.models.families.console import console
from service.models.families.foldable import foldable
from service.models.families.handheld import handheld
from service.models.families.laptop import laptop
from service.models.families.monitor import monitor
from service.models.families.sheet import (
    Console,
    FittedSheet,
    Foldable,
    Handheld,
    Laptop,
    Monitor,
    Sheet,
    Watch,
    Window,
)
from service.models.families.watch import watch
from service.models.families.window import window


def device(sheet: Sheet, art: Art) -> Device:
    """The device that a sheet describes, with the pictures of `art`; TypeError for a sheet of no family."""
    match sheet:
        case Foldable():
            return foldable(sheet, art)
        case Console():
            return console(sheet, art)
        case Handheld():
            return handheld(sheet, art)
        case Laptop():
            return laptop(sheet, art)
        case Watch():
            return watch(sheet, art)
        case Monitor():
            return monitor(sheet, art)
        case Window():
            return window(sheet, art)
        case FittedSheet():
            return fitted.listed(sheet)
    raise TypeError(f"{sheet.id}: no family has a {type(sheet).__name__}")
