"""Pictures of parts for devices without drawings: the catalogue's parts that are nearest in size."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Literal, NamedTuple

from ...shipped import FRAMES
from ..device import PARTS
from ..families.art import SharedPart
from ..families.sheet import ScreenPanel, Sheet

_NAME = re.compile(r"([a-z-]+?)-([\d.]+)x([\d.]+)(?:x(\d+)-([\d.]+))?(?:-([a-z-]+))?")


class _Drawn(NamedTuple):
    """A part drawn for the catalogue: a single one, or several in a row."""

    image: str
    width: float
    height: float
    row: int
    style: str


class Nearest:
    """Shows each part as the catalogue's part of that kind that needs the least stretching."""

    def part(self, part: SharedPart) -> str | None:
        """The picture, or None if the catalogue has no part of this kind with the same number in a row."""
        if (FRAMES / part.image).is_file():
            return part.image
        width, height = part.size
        alike = [one for one in _drawn().get(part.kind, ()) if one.row == part.count]
        alike = [one for one in alike if one.style == part.style] or alike
        if not alike or min(width, height) <= 0:
            return None
        best = min(
            alike,
            key=lambda one: (abs(math.log(one.width / width)) + abs(math.log(one.height / height)), one),
        )
        return best.image

    def mask(self, panel: ScreenPanel, density: float) -> None:
        """None: the canvas fills the shape."""

    def own(self, kind: Literal["deck-occlusion"], sheet: Sheet) -> None:
        """None: a described device has no picture of its own."""


@cache
def _drawn() -> dict[str, list[_Drawn]]:
    """The catalogue's parts with a size, by kind."""
    by_kind: dict[str, list[_Drawn]] = {}
    for file in sorted((FRAMES / PARTS).glob("*.png")):
        if named := _NAME.fullmatch(file.stem):
            kind, width, height, count, _, style = named.groups()
            one = _Drawn(f"{PARTS}/{file.name}", float(width), float(height), int(count or 1), style or "")
            by_kind.setdefault(kind, []).append(one)
    return by_kind
