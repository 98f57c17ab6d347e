"""Makes the device of a sheet, by the sheet's family."""

from __future__ import annotations

from ..device import Device
from . import fitted
from .art import Art
from .console import console
from .foldable import foldable
from .handheld import handheld
from .laptop import laptop
from .monitor import monitor
from .sheet import (
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
from .watch import watch
from .window import window


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
