"""Families of devices: from a sheet of measurements to a device, in memory or for the catalogue."""

from __future__ import annotations

from service.devices.device import Device
from service.devices.families import fitted
from service.devices.families.art import Art
from service.devices.families.console import console
from service.devices.families.foldable import foldable
from service.devices.families.handheld import handheld
from service.devices.families.laptop import laptop
from service.devices.families.monitor import monitor
from service.devices.families.sheet import (
    BrowserWindow,
    Console,
    FittedSheet,
    Foldable,
    Handheld,
    Laptop,
    Monitor,
    Sheet,
    Watch,
)
from service.devices.families.watch import watch
from service.devices.families.window import window


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
        case BrowserWindow():
            return window(sheet, art)
        case FittedSheet():
            return fitted.listed(sheet)
    raise TypeError(f"{sheet.id}: no family has a {type(sheet).__name__}")
