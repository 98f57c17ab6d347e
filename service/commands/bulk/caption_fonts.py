"""The fonts that captions can have here, and how large texts are in them."""

from __future__ import annotations

from pathlib import Path

from ...fonts.collection import collection, read
from ...render.text.layout import lay_out
from ...settings.captions import Caption, spec

CANVAS = 4000, 1000  # wide enough for any title in the smallest font
SMALLEST = 0.005


class CaptionFonts:
    """The fonts of a folder, of the package and of the system."""

    def __init__(self, folder: str) -> None:
        self._known = collection(folder)

    def named(self, file: Path) -> tuple[str, int] | None:
        """The family and weight of a font file; None if it is not a font."""
        found = read(file)
        return (found[0].family, round(found[0].weight)) if found else None

    def has(self, family: str) -> bool:
        """Whether captions can have a family."""
        return bool(self._known.styles(family))

    def measured(
        self, text: str, family: str, weight: int, language: str | None
    ) -> tuple[float, float, bool]:
        """The width and height of a text without wrapping, in font sizes, and whether it begins at the
        right."""
        given = {"text": text, "width": 2, "font": {"family": family, "weight": weight, "size": SMALLEST}}
        block = lay_out(spec(Caption.model_validate(given), language, *CANVAS), CANVAS, self._known)
        return block.width / block.size, block.height / block.size, block.lines[0][0].rtl
