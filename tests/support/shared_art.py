"""Devices made from sheets without the generator, with the pictures that it has drawn."""

from __future__ import annotations

from typing import Literal

from service.devices.families.art import SharedPart
from service.devices.families.sheet import ScreenPanel, Sheet
from service.shipped import FRAMES


class SharedArt:
    """Only the parts drawn for the catalogue."""

    def part(self, part: SharedPart) -> str | None:
        """The picture of exactly this part, if it exists."""
        return part.image if (FRAMES / part.image).is_file() else None

    def mask(self, panel: ScreenPanel, density: float) -> None:
        """None: masks are drawn by the generator alone."""

    def own(self, kind: Literal["deck-occlusion"], sheet: Sheet) -> None:
        """None: these too are drawn by the generator alone."""
