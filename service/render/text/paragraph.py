"""A paragraph of a caption: its directions, scripts and fonts, where it may break, and its glyphs in ems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import icu
import uharfbuzz as hb

from ...fonts.collection import Font
from ...settings.captions import CaptionSpec
from .fallback import Fallback

# Scripts whose letters join, so that letter spacing would break them.
JOINED = frozenset({"Arab", "Syrc", "Mong", "Nkoo", "Phag", "Adlm", "Rohg", "Mand", "Mani"})
COMMON = frozenset({"Zyyy", "Zinh", "Zzzz"})
# Letters that are set apart have no ligatures, as in CSS.
SPACED: dict[str, Any] = {"liga": False, "clig": False}
# East Asian punctuation that leaves half of its square empty, before or after the sign.
OPENING, CLOSING = frozenset("（《「『【〔〈［｛｟〖〘〝"), frozenset("）》」』】〕〉］｝｠〗〙〟、。，．")
# the most lines of a paragraph that is balanced; readers do not perceive a longer one as a shape
BALANCED = 6
# the most break opportunities for which the text between every two is shaped; a headline has fewer
CHANCES = 30
CLOSE = 1e-6  # em by which a line may be wider because of rounding
LEVELS = {"ltr": 0, "rtl": 1, "auto": icu.Bidi.DEFAULT_LTR}


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph of a font at `x`, `y` (upwards) from its line's start, in ems.

    `advance` is the distance to the next glyph's start, `cluster` its first character.
    """

    font: Font
    number: int
    x: float
    y: float
    advance: float
    cluster: int


@dataclass(frozen=True, slots=True)
class Line:
    """Glyphs from left to right and their width in ems; `rtl` is True if the paragraph runs from right to
    left.

    The line has the paragraph's text from index `start` to `end`.
    """

    glyphs: tuple[Glyph, ...]
    width: float
    rtl: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Run:
    """A piece of a text in one direction, script and font."""

    start: int
    end: int
    level: int
    script: str
    font: Font


class Paragraph:
    """A text without line breaks."""

    def __init__(self, text: str, caption: CaptionSpec, fallback: Fallback) -> None:
        self._text, self._caption, self.own = text, caption, fallback.own
        self._locale = icu.Locale(caption.language or "und")
        units = _units(text)
        bidi = icu.Bidi()
        bidi.setPara(icu.UnicodeString(text), LEVELS[caption.direction])
        levels = bidi.getLevels() if text else ()
        self.base = int(bidi.getParaLevel())
        levels = [levels[unit] for unit in units]
        clusters = _breaks(text, icu.BreakIterator.createCharacterInstance(self._locale))
        self.clusters = [0, *clusters]
        self.missing = False
        fonts: list[Font] = []
        for start, end in zip(self.clusters, clusters, strict=False):
            found = fallback.font(text[start:end])
            self.missing |= found is None
            fonts += [found or fallback.own] * (end - start)
        scripts = _scripts(text)
        self._runs = [
            _Run(start, end, levels[start], scripts[start], fonts[start])
            for start, end in _alike(list(zip(levels, scripts, map(id, fonts), strict=True)))
        ]
        self._line = lru_cache(maxsize=1024)(self._shaped)

    @property
    def chances(self) -> list[int]:
        """The places where a line may end, by UAX 14 and the dictionaries of languages without spaces."""
        return _breaks(self._text, icu.BreakIterator.createLineInstance(self._locale))

    def lines(self, width: float) -> list[Line]:
        """Lines of at most `width` ems; words that are wider are broken between letters."""
        made: list[Line] = []
        start, length, chances = 0, len(self._text), self.chances
        while start < length:
            ends = [end for end in chances if end > start]
            inner = [one for one in self.clusters if start < one < ends[0]]
            # Take at least one letter, even if the line is too narrow.
            end = self._last(ends, start, width) or self._last(inner, start, width) or [*inner, ends[0]][0]
            made.append(self.line(start, end))
            start = end
        return made or [self.line(0, 0)]

    def balanced(self, width: float) -> list[Line]:
        """As `lines`, but with lines of nearly equal length, as with CSS' `text-wrap: balance`.

        Of all ways to break the text into as few lines, this one has the least sum of squared widths. A text
        with more than `BALANCED` lines or more than `CHANCES` break opportunities, or with a word that must
        be broken, has the lines of `lines`.
        """
        filled, chances = self.lines(width), self.chances
        if not 1 < len(filled) <= BALANCED or len(chances) > CHANCES or self.longest() > width:
            return filled
        # The best way to break the text up to each place: the number of lines, the sum of squares, and the
        # lines.
        best: dict[int, tuple[int, float, list[Line]]] = {0: (0, 0.0, [])}
        for start in [0, *chances]:
            number, squares, lines = best[start]
            for end in [one for one in chances if one > start]:
                line = self.line(start, end)
                if line.width > width + CLOSE:
                    break
                way = (number + 1, squares + line.width**2, [*lines, line])
                if end not in best or way[:2] < best[end][:2]:
                    best[end] = way
        return best[len(self._text)][2]

    def _last(self, ends: list[int], start: int, width: float) -> int | None:
        """The farthest of the ascending `ends` up to which a line from `start` fits; None if none fits."""
        found = None
        for end in ends:
            if self.line(start, end).width > width + CLOSE:
                break
            found = end
        return found

    def longest(self) -> float:
        """The width of the widest piece in which no line can end, in ems."""
        ends = self.chances
        return max((self.line(a, b).width for a, b in zip([0, *ends], ends, strict=False)), default=0.0)

    def line(self, start: int, end: int) -> Line:
        """A part of the text as a line, without trailing spaces."""
        while end > start and self._text[end - 1].isspace():
            end -= 1
        return self._line(start, end)

    def _shaped(self, start: int, end: int) -> Line:
        inside = [
            _Run(max(run.start, start), min(run.end, end), run.level, run.script, run.font)
            for run in self._runs
            if run.start < end and run.end > start
        ]
        glyphs: list[Glyph] = []
        pen = 0.0
        for run in _visual(inside):
            pen = self._shape(run, start, end, pen, glyphs)
        return Line(tuple(glyphs), pen, bool(self.base & 1), start, end)

    def _shape(self, run: _Run, first: int, last: int, pen: float, glyphs: list[Glyph]) -> float:
        """Append the glyphs of a run, and return the position of the pen after them."""
        caption, face = self._caption, run.font
        font = sized(face, caption.weight, caption.italic)
        buffer = hb.Buffer()
        # Shape the run in the context of its line, so that letters join across changes of font.
        buffer.add_str(self._text[first:last], run.start - first, run.end - run.start)
        buffer.direction = "rtl" if run.level & 1 else "ltr"
        buffer.script = run.script if run.script not in COMMON else "Zyyy"
        if caption.language:
            buffer.language = caption.language
        buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_GRAPHEMES
        spacing = 0.0 if run.script in JOINED else caption.letter_spacing
        hb.shape(font, buffer, (SPACED if caption.letter_spacing else {}) | self._halved(run, first))
        unit = 1 / font.face.upem
        infos, places = buffer.glyph_infos, buffer.glyph_positions or []
        for at, (info, place) in enumerate(zip(infos, places, strict=True)):
            x, y = pen + place.x_offset * unit, place.y_offset * unit
            advance = place.x_advance * unit
            if at + 1 == len(infos) or infos[at + 1].cluster != info.cluster:
                advance += spacing
            glyphs.append(Glyph(face, info.codepoint, x, y, advance, info.cluster + first))
            pen += advance
        return pen

    def _halved(self, run: _Run, first: int) -> dict[str, Any]:
        """The feature that closes gaps between East Asian punctuation (CSS Text 4, text-spacing-trim)."""
        text = self._text
        found = []
        for at in range(run.start, run.end):
            before = text[at - 1] if at > first else ""
            after = text[at + 1] if at + 1 < len(text) else ""
            if (text[at] in OPENING and before and before in OPENING | CLOSING | {"\u3000", "・"}) or (
                text[at] in CLOSING and after and after in CLOSING | {"\u3000", "・"}
            ):
                found.append((at - first, at - first + 1, True))
        return {"halt": found} if found else {}


def _visual(runs: list[_Run]) -> list[_Run]:
    """Runs from left to right: from the highest embedding level down, sequences of runs at or above each
    level are reversed (UAX 9, L2)."""
    order = list(runs)
    for level in range(max((run.level for run in runs), default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and order[end].level >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = end + 1
    return order


@lru_cache(maxsize=64)
def sized(font: Font, weight: int, italic: bool) -> hb.Font:
    """A font's HarfBuzz font in a style."""
    return font.sized(weight, italic)


def _units(text: str) -> list[int]:
    """The index in UTF-16 of each character."""
    units, at = [], 0
    for char in text:
        units.append(at)
        at += 2 if ord(char) > 0xFFFF else 1
    return units


def _breaks(text: str, iterator: icu.BreakIterator) -> list[int]:
    """The indices of the characters at which a text's pieces end."""
    places = {unit: at for at, unit in enumerate(_units(text))}
    iterator.setText(icu.UnicodeString(text))
    return [places.get(end, len(text)) for end in iterator]


def _scripts(text: str) -> list[str]:
    """The script of each character; signs and marks take the script of the character before or after them."""
    found = [icu.Script.getScript(char).getShortName() for char in text]
    known = next((one for one in found if one not in COMMON), "Zyyy")
    for at, script in enumerate(found):
        if script in COMMON:
            found[at] = known
        else:
            known = script
    return found


def _alike(items: list[tuple[object, ...]]) -> Iterator[tuple[int, int]]:
    """The starts and ends of runs of equal items."""
    start = 0
    for at in range(1, len(items) + 1):
        if at == len(items) or items[at] != items[start]:
            yield start, at
            start = at
