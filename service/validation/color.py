"""Colours as callers write them: `#RGB`, `#RRGGBB`, `#RRGGBBAA`."""

from __future__ import annotations

import re
from typing import NamedTuple

PATTERN = r"^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"
# CSS colour names are not accepted, but error messages suggest their hex values.
_NAMED = {
    "black": "#000000",
    "silver": "#C0C0C0",
    "gray": "#808080",
    "grey": "#808080",
    "white": "#FFFFFF",
    "maroon": "#800000",
    "red": "#FF0000",
    "purple": "#800080",
    "fuchsia": "#FF00FF",
    "green": "#008000",
    "lime": "#00FF00",
    "olive": "#808000",
    "yellow": "#FFFF00",
    "navy": "#000080",
    "blue": "#0000FF",
    "teal": "#008080",
    "aqua": "#00FFFF",
    "orange": "#FFA500",
    "pink": "#FFC0CB",
}


class Color(NamedTuple):
    """sRGB with straight alpha, each 0-255."""

    red: int
    green: int
    blue: int
    alpha: int = 255


BLACK = Color(0, 0, 0)
TRANSPARENT = Color(0, 0, 0, 0)


def parse(text: str) -> Color:
    """Parse a hex colour; raises ValueError for anything else."""
    if not re.match(PATTERN, text):
        raise ValueError("a hex colour such as #3366FF")
    digits = text[1:]
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    return Color(*bytes.fromhex(digits))


def suggest(text: str) -> str | None:
    """The hex colour for a CSS name or for digits without #; None for anything else."""
    if re.fullmatch(PATTERN, f"#{text}"):
        return f"#{text}"
    return _NAMED.get(text.strip().casefold())
