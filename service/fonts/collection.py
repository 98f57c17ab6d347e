"""Font files found in folders: their families and styles, and what characters they have."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import uharfbuzz as hb

from ..limits import FONT_BYTES, FONT_FACES, FONT_FILES
from ..shipped import FRAMES

log = logging.getLogger(__name__)

SHIPPED = FRAMES / "fonts"
SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
NORMAL = 400


@dataclass(frozen=True, slots=True)
class Axes:
    """The weights that a variable font has, and whether it has a slant or italics of its own."""

    light: float
    heavy: float


@dataclass(frozen=True)
class Font:
    """A face of a font file."""

    path: Path
    number: int
    family: str
    weight: float
    italic: bool
    axes: Axes | None = None
    #: Whether the font's glyphs have colours of their own.
    colored: bool = False
    _face: hb.Face = field(compare=False, repr=False, default=None)

    @property
    def weights(self) -> tuple[float, ...]:
        """The face's weight, or the smallest and the largest weight of a variable font."""
        return (self.axes.light, self.axes.heavy) if self.axes else (self.weight,)

    @cached_property
    def characters(self) -> hb.Set:
        """The code points that the font has glyphs for."""
        return self._face.unicodes

    def away(self, weight: float, italic: bool) -> tuple[float, ...]:
        """A sort key by which the font whose style matches best comes first, by the rules of CSS Fonts 4."""
        if self.axes and self.axes.light <= weight <= self.axes.heavy:
            return (float(self.italic != italic), 0.0, 0.0)
        own = self.weight
        if NORMAL <= weight <= 500:
            wrong = 0 if weight <= own <= 500 else 1 if own < weight else 2
        elif weight < NORMAL:
            wrong = 0 if own <= weight else 1
        else:
            wrong = 0 if own >= weight else 1
        return (float(self.italic != italic), float(wrong), abs(own - weight))

    def sized(self, weight: float, italic: bool) -> hb.Font:
        """The font at a scale of one font unit, at the nearest weight that it has."""
        font = hb.Font(self._face)
        if self.axes:
            font.set_variations({"wght": min(max(weight, self.axes.light), self.axes.heavy)})
        if italic and not self.italic:
            font.synthetic_slant = 0.25
        return font


class Collection:
    """Fonts by family; of two with equal family and style, the first one counts."""

    def __init__(self, fonts: Iterable[Font]) -> None:
        self._families: dict[str, list[Font]] = {}
        self.names: dict[str, str] = {}
        for font in fonts:
            key = font.family.casefold()
            self.names.setdefault(key, font.family)
            known = self._families.setdefault(key, [])
            if all((font.weight, font.italic) != (one.weight, one.italic) for one in known):
                known.append(font)

    @property
    def families(self) -> list[str]:
        """Names of the families, in order."""
        return sorted(self.names.values(), key=str.casefold)

    def styles(self, family: str) -> list[Font]:
        """The fonts of a family; empty if it is not there."""
        return self._families.get(family.casefold(), [])

    def match(self, family: str, weight: float, italic: bool) -> Font | None:
        """The font of a family that is nearest to a style."""
        return min(self.styles(family), key=lambda font: font.away(weight, italic), default=None)


@cache
def collection(extra: str = "") -> Collection:
    """The fonts of a folder `extra`, of the package and of the system, in this order; read once."""
    folders = [*([Path(extra)] if extra else []), SHIPPED, *system()]
    return Collection(font for path in _files(folders) for font in read(path))


def system() -> list[Path]:
    """The folders in which fontconfig looks for fonts."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return [home / "fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    left = FONT_FILES
    for folder in folders:
        # Sorted, so that the same files give the same pictures regardless of the order in which a disk lists
        # them.
        for path in sorted(_within(folder)):
            if not left:
                log.warning("there are more than %d font files; the others are not used", FONT_FILES)
                return
            left -= 1
            yield path


def _within(folder: Path) -> Iterator[Path]:
    for parent, _, names in os.walk(folder):
        yield from (Path(parent, name) for name in names if name.lower().endswith(SUFFIXES))


def read(path: Path) -> list[Font]:
    """The faces of a font file; if it is not a font, none, and a warning is logged."""
    try:
        size = path.stat().st_size
        if not path.is_file() or not 0 < size <= FONT_BYTES:
            raise ValueError("not a file, empty, or too large for a font")
        blob = hb.Blob.from_file_path(str(path))
        count = min(hb.Face(blob, 0).count if path.suffix.lower() in (".ttc", ".otc") else 1, FONT_FACES)
        fonts = [_font(path, blob, number) for number in range(count)]
    except (OSError, ValueError, hb.HarfBuzzError) as error:
        log.warning("%s is not used: %s", path, error)
        return []
    return [font for font in fonts if font is not None]


def _font(path: Path, blob: hb.Blob, number: int) -> Font | None:
    face = hb.Face(blob, number)
    if not face.glyph_count or not face.upem:
        raise ValueError("no font")
    names = hb.OTNameIdPredefined
    family = face.get_name(names.TYPOGRAPHIC_FAMILY) or face.get_name(names.FONT_FAMILY)
    if not family or family.startswith("."):
        raise ValueError("a font without a name")
    font = hb.Font(face)
    weight = next((axis for axis in face.axis_infos if axis.tag == "wght"), None)
    return Font(
        path,
        number,
        family,
        font.get_style_value(hb.StyleTag.WEIGHT),
        bool(font.get_style_value(hb.StyleTag.ITALIC) or font.get_style_value(hb.StyleTag.SLANT_ANGLE)),
        Axes(weight.min_value, weight.max_value) if weight else None,
        bool(face.has_color_png or face.has_color_paint or face.has_color_layers),
        face,
    )
