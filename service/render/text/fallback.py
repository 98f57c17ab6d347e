"""Chooses a font for each character of a text: the requested one, or another if that has no glyph for it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import icu

from ...fonts.collection import Collection, Font
from ...settings.captions import CaptionSpec

# Families that are preferred to others with the same characters, plain ones first.
PREFERRED = ("Inter", "Noto Sans")
COLOR = ("Noto Color Emoji", "Twitter Color Emoji", "Apple Color Emoji")
# East Asian fonts by language, since languages write the same characters differently.
EAST = {"ja": "JP", "ko": "KR", "zh-tw": "TC", "zh-hant": "TC", "zh-mo": "HK", "zh-hk": "HK", "zh": "SC"}
EAST_FAMILIES = ("Noto Sans CJK {}", "Noto Sans {}", "Source Han Sans {}")
EAST_SCRIPTS = frozenset({"Hani", "Hira", "Kana", "Hang", "Bopo"})
FAMILIES = ("Noto Sans {}", "Noto Naskh {}", "Noto Serif {}")  # names of families by script
TEXT_STYLE, COLOR_STYLE, JOINER = "\ufe0e", "\ufe0f", "\u200d"


class Fallback:
    """Fonts for the clusters of one caption."""

    def __init__(self, fonts: Collection, caption: CaptionSpec) -> None:
        self._fonts, self._caption = fonts, caption
        own = fonts.match(caption.family, caption.weight, caption.italic)
        assert own is not None
        self.own: Font = own
        self._east = _east(caption)
        self._found: dict[tuple[str, bool], Font | None] = {}

    def font(self, cluster: str) -> Font | None:
        """A font that has all visible characters of a grapheme cluster, or else its first character; None if
        no font has that."""
        wanted = "".join(char for char in cluster if not _invisible(char))
        if not wanted:
            return self.own
        colored = _colored(cluster)
        key = (wanted, colored)
        if key not in self._found:
            self._found[key] = self._first(wanted, wanted, colored) or self._first(wanted[0], wanted, colored)
        return self._found[key]

    def _first(self, needed: str, text: str, colored: bool) -> Font | None:
        """The first font that has the needed characters of a text."""
        return next((font for font in self._candidates(text, colored) if _has(font, needed)), None)

    def _candidates(self, text: str, colored: bool) -> Iterator[Font]:
        script = icu.Script.getScript(text[0])
        families: list[str] = [*COLOR] if colored else []
        families += [self._caption.family, *PREFERRED]
        if script.getShortName() in EAST_SCRIPTS or unicodedata.east_asian_width(text[0]) in "WF":
            families += [one.format(self._east) for one in EAST_FAMILIES]
        families += [one.format(script.getName().replace("_", " ")) for one in FAMILIES]
        for family in families:
            if font := self._nearest(family):
                yield font
        others = [self._nearest(family) for family in self._fonts.families]
        yield from sorted(filter(None, others), key=lambda font: font.colored != colored)

    def _nearest(self, family: str) -> Font | None:
        return self._fonts.match(family, self._caption.weight, self._caption.italic)


def _has(font: Font, text: str) -> bool:
    return all(ord(char) in font.characters for char in text)


def _invisible(char: str) -> bool:
    """Whether a character is invisible by itself: a joiner, space, mark of direction or selector."""
    ignored = icu.UProperty.DEFAULT_IGNORABLE_CODE_POINT
    return char.isspace() or bool(icu.Char.hasBinaryProperty(ord(char), ignored))


def _colored(cluster: str) -> bool:
    """Whether a cluster is an emoji that is to be shown in colour, by UTS 51."""
    if TEXT_STYLE in cluster:
        return False
    if COLOR_STYLE in cluster or (JOINER in cluster and len(cluster) > 2 and _emoji(cluster[0])):
        return True
    return bool(icu.Char.hasBinaryProperty(ord(cluster[0]), icu.UProperty.EMOJI_PRESENTATION))


def _emoji(char: str) -> bool:
    return bool(icu.Char.hasBinaryProperty(ord(char), icu.UProperty.EXTENDED_PICTOGRAPHIC))


def _east(caption: CaptionSpec) -> str:
    """The language whose East Asian glyphs to use, from the caption's language or script."""
    language = caption.language.casefold()
    for known, place in EAST.items():
        if language == known or language.startswith(f"{known}-"):
            return place
    scripts = {icu.Script.getScript(char).getShortName() for char in caption.text}
    return "JP" if scripts & {"Hira", "Kana"} else "KR" if "Hang" in scripts else "SC"
