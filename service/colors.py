"""Colours as callers write them: `#RGB`, `#RRGGBB`, `#RRGGBBAA`."""

from __future__ import annotations

import re
from typing import NamedTuple

PATTERN = r"^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"


class Color(NamedTuple):
    """sRGB with straight alpha, each 0-255."""

    red: int
    green: int
    blue: int
    alpha: int = 255


BLACK = Color(0, 0, 0)
TRANSPARENT = Color(0, 0, 0, 0)


def parse(text: str) -> Color:
    """The colour of a hex string; raises ValueError for anything else."""
    if not re.match(PATTERN, text):
        raise ValueError("a hex colour such as #3366FF")
    digits = text[1:]
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    return Color(*bytes.fromhex(digits))
