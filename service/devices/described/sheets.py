"""Sheets of described windows and cards, of the size of their screen."""

from __future__ import annotations

from ..device import Category, Design, FittedDevice
from ..families.fitted import finish
from ..families.sheet import FittedSheet, ScreenPanel
from .handheld import ID
from .measures import Measured


def window(made: Measured) -> FittedSheet:
    """The sheet of a described window."""
    return _sheet(made, "Custom window", "window", "macos")


def card(made: Measured) -> FittedSheet:
    """The sheet of a described card."""
    return _sheet(made, "Custom card", "card", "card")


def _sheet(made: Measured, name: str, category: Category, design: Design) -> FittedSheet:
    screen = made.description.screen
    px = (screen.width, screen.height)
    fitted = FittedDevice(design=design, themes=("light", "dark"), px=px, radius=screen.corner_radius)
    return FittedSheet(
        id=ID,
        name=name,
        brand=None,
        category=category,
        year=None,
        screen=ScreenPanel(px=px, size=made.screen),
        finishes=tuple(finish(design, theme) for theme in fitted.themes),
        fitted=fitted,
    )
