"""The bars of windows, drawn by a function for each design."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ...arrays import U8
from ...devices.device import Bars, Design
from ...devices.families.fitted import OVERLAP
from ...devices.families.look import LOOKS
from . import glyphs
from .easel import Easel

Colors = Mapping[str, str]

FINEST, COARSEST = 8.0, 1 / 64  # px per point
MOST = 6 << 20  # the most px of a picture
WIDEST = 16384  # px
HINT = "Search or enter address"  # shown in an empty address field


def density(bars: Bars, wanted: float) -> float:
    """The resolution, a power of two, at which to draw bars that are shown at `wanted` px per point."""
    height = LOOKS[bars.design].height + OVERLAP
    most = min(FINEST, WIDEST / bars.width, math.sqrt(MOST / (bars.width * height)))
    step = math.floor(math.log2(max(min(2 ** math.ceil(math.log2(wanted)), most), COARSEST)))
    return float(2.0**step)


def draw(bars: Bars, density: float) -> U8:
    """A window's bars, with their parts below the screen, (h, w, 4) uint8 sRGB, straight alpha."""
    look = LOOKS[bars.design]
    colors = look.colors[bars.theme]
    easel = Easel((bars.width, look.height + OVERLAP), density, colors["bar"])
    _DESIGNS[bars.design](easel, bars, colors)
    return easel.pixels(look.radius)


def _line(easel: Easel, y: float, colors: Colors) -> None:
    """Draw the line between bars and content; it continues behind the content by OVERLAP."""
    easel.box((0, y - 1, easel.size[0], 2 + OVERLAP), colors["line"])


def _title(easel: Easel, text: str, y: float, margin: float, size: float, color: str) -> None:
    """Draw a title in the middle."""
    width = easel.size[0]
    easel.text(text, (width / 2, y), size, color, width - 2 * margin, "SemiBold", middle=True)


def _address(bars: Bars, colors: Colors) -> tuple[str, str]:
    """The text of an address field, and its colour: an address, or a hint like that of browsers."""
    return (bars.url, colors["text"]) if bars.url else (HINT, colors["glyph"])


def _macos(easel: Easel, bars: Bars, colors: Colors) -> None:
    _line(easel, 28, colors)
    glyphs.lights(easel, 13.5)
    _title(easel, bars.title, 13.5, 84, 13, colors["text"])


def _windows(easel: Easel, bars: Bars, colors: Colors) -> None:
    width, y, color = easel.size[0], 16.0, colors["text"]
    easel.text(bars.title, (16, y), 12, color, width - 16 - 3 * 46 - 16)
    easel.line([(width - 3 * 46 + 18, y), (width - 3 * 46 + 28, y)], color, 1.0)
    easel.frame((width - 2 * 46 + 18.5, y - 4.5, 9, 9), color, 1.0, 1.4)
    glyphs.cross(easel, (width - 23, y), 4.7, color, 1.0)


def _gnome(easel: Easel, bars: Bars, colors: Colors) -> None:
    width, y, color = easel.size[0], 23.0, colors["text"]
    _line(easel, 46, colors)
    places = [width - 24 - 37 * i for i in (2, 1, 0)]
    for x in places:
        easel.disc((x, y), 12, colors["button"])
    easel.line([(places[0] - 4, y + 3.6), (places[0] + 4, y + 3.6)], color, 1.7)
    easel.frame((places[1] - 3.7, y - 3.7, 7.4, 7.4), color, 1.7, 0.6)
    glyphs.cross(easel, (places[2], y), 3.6, color, 1.8)
    _title(easel, bars.title, y, 132, 14.5, color)


def _terminal(easel: Easel, bars: Bars, colors: Colors) -> None:
    glyphs.lights(easel, 15)
    _title(easel, bars.title, 15, 84, 13, colors["text"])


def _safari(easel: Easel, bars: Bars, colors: Colors) -> None:
    width, y, glyph = easel.size[0], 26.0, colors["glyph"]
    _line(easel, 52, colors)
    glyphs.lights(easel, y)
    glyphs.sidebar(easel, (100, y), glyph, 1.4)
    glyphs.chevron(easel, (135, y), (-3.2, 6), glyph, 1.7)
    glyphs.chevron(easel, (165, y), (3.2, 6), colors["faint"], 1.7)
    wide = max(0.46 * width, 220.0)
    left = max((width - wide) / 2, 190.0)
    right = min(left + wide, width - 118)
    easel.box((left, y - 14, right - left, 28), colors["field"], 7)
    if left > 214:
        glyphs.shield(easel, (left - 24, y), glyph, 1.4)
    glyphs.reload(easel, (right - 15, y), 4.8, glyph, 1.3)
    middle = (left + right) / 2 + 6
    text, color = _address(bars, colors)
    shown = easel.text(text, (middle, y), 13, color, right - left - 76, middle=True)
    if bars.url and shown:
        glyphs.lock(easel, (middle - shown / 2 - 10, y), glyph, glyph, 0.72)
    glyphs.share(easel, (width - 94, y), glyph, 1.4)
    glyphs.plus(easel, (width - 60, y), 6.6, glyph, 1.5)
    glyphs.tabs(easel, (width - 26, y), glyph, 1.4)


def _chrome(easel: Easel, bars: Bars, colors: Colors) -> None:
    width, strip, color, glyph = easel.size[0], 41.0, colors["text"], colors["glyph"]
    easel.box((0, strip, width, easel.size[1] - strip), colors["toolbar"])
    glyphs.lights(easel, strip / 2)
    left, wide, top, foot, radius = 84.0, min(240.0, width - 180), 6.0, strip + 1, 10.0
    right = left + wide
    outline = [
        *glyphs.arc((left - radius, foot - 1 - radius), radius, 90, 0),
        *glyphs.arc((left + radius, top + radius), radius, 180, 270),
        *glyphs.arc((right - radius, top + radius), radius, 270, 360),
        *glyphs.arc((right + radius, foot - 1 - radius), radius, 180, 90),
        (right + radius, foot),
        (left - radius, foot),
    ]
    easel.polygon(outline, colors["toolbar"])
    y = (top + strip) / 2
    glyphs.globe(easel, (left + 20, y), 7.6, glyph, 1.3)
    easel.text(bars.title, (left + 36, y), 12.5, color, wide - 36 - 34)
    glyphs.cross(easel, (right - 18, y), 3.6 * 0.72, glyph, 1.5)
    glyphs.plus(easel, (right + 24, y), 5.5, glyph, 1.5)
    glyphs.caret(easel, (width - 24, y), (4.4, 2.2), glyph, 1.6)
    y = strip + 23
    glyphs.arrow(easel, (26, y), -1, glyph, 1.8)
    glyphs.arrow(easel, (62, y), 1, colors["faint"], 1.8)
    glyphs.reload(easel, (98, y), 6.0, glyph, 1.8)
    left, right = 122.0, width - 92
    easel.box((left, y - 17, right - left, 34), colors["field"], 17)
    easel.disc((left + 17, y), 13, colors["toolbar"])
    glyphs.sliders(easel, (left + 17, y), glyph, 1.5)
    text, color = _address(bars, colors)
    easel.text(text, (left + 38, y), 14, color, right - left - 38 - 40)
    glyphs.star(easel, (right - 20, y), 7.4, glyph, 1.4)
    _person(easel, (width - 62, y), colors)
    glyphs.dots(easel, (width - 24, y), (0, 5.5), 1.8, glyph)
    easel.box((0, 86, width, 1 + OVERLAP), colors["line"])


def _person(easel: Easel, at: tuple[float, float], colors: Colors) -> None:
    """Draw a round placeholder portrait."""
    x, y = at
    easel.disc(at, 13, colors["person"])
    easel.disc((x, y - 3), 4.4, colors["figure"])
    # The outline begins where the shoulders' circle meets the portrait's, and follows both arcs.
    down = (11.5**2 + 13**2 - 9.6**2) / (2 * 11.5)
    meet = math.degrees(math.asin(down / 13))
    rise = math.degrees(math.asin((11.5 - down) / 9.6))
    shoulders = glyphs.arc((x, y + 11.5), 9.6, 180 + rise, 360 - rise)
    easel.polygon([*shoulders, *glyphs.arc(at, 13, meet, 180 - meet)], colors["figure"])


def _firefox(easel: Easel, bars: Bars, colors: Colors) -> None:
    width, strip, color, glyph = easel.size[0], 44.0, colors["text"], colors["glyph"]
    easel.box((0, strip, width, easel.size[1] - strip), colors["toolbar"])
    glyphs.lights(easel, strip / 2)
    left, wide, y = 86.0, min(225.0, width - 180), strip / 2
    easel.box((left - 0.5, 4.5, wide + 1, 36), colors["shade"], 4.5, 0.75, softness=2.5)
    easel.box((left, 4, wide, 36), colors["tab"], 4)
    glyphs.globe(easel, (left + 18, y), 7.6, glyph, 1.3)
    easel.text(bars.title, (left + 34, y), 12.5, color, wide - 34 - 36)
    glyphs.cross(easel, (left + wide - 17, y), 3.6, glyph, 1.3)
    glyphs.plus(easel, (left + wide + 24, y), 5.8, glyph, 1.4)
    glyphs.caret(easel, (width - 24, y), (4.6, 2.3), glyph, 1.5)
    y = strip + 20
    glyphs.arrow(easel, (26, y), -1, glyph, 1.5, 5.8)
    glyphs.arrow(easel, (62, y), 1, colors["faint"], 1.5, 5.8)
    glyphs.reload(easel, (98, y), 5.8, glyph, 1.5)
    wide = max(0.62 * width, 400.0)
    left = max((width - wide) / 2, 128.0)
    right = min(left + wide, width - 92)
    easel.box((left, y - 16, right - left, 32), colors["field"], 4)
    glyphs.shield(easel, (left + 18, y), glyph, 1.3)
    inset = 36.0
    if bars.url:
        glyphs.lock(easel, (left + 42, y), glyph, colors["field"])
        inset = 60.0
    text, color = _address(bars, colors)
    easel.text(text, (left + inset, y), 13.5, color, right - left - inset - 40)
    glyphs.star(easel, (right - 19, y), 7.2, glyph, 1.3)
    glyphs.puzzle(easel, (width - 64, y), glyph, 1.5)
    glyphs.bars(easel, (width - 26, y), 7, 4.6, glyph, 1.5)
    easel.box((0, 83, width, 1 + OVERLAP), colors["line"])


_DESIGNS: Mapping[Design, Callable[[Easel, Bars, Colors], None]] = {
    "macos": _macos,
    "windows": _windows,
    "gnome": _gnome,
    "terminal": _terminal,
    "safari": _safari,
    "chrome": _chrome,
    "firefox": _firefox,
}
