"""Drawings for reference pictures, in points: bars of every design, glyphs and shapes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import get_args

import numpy as np

from service.arrays import U8
from service.devices.device import Bars, Design, Theme
from service.devices.families.look import LOOKS
from service.render.drawing import bars, glyphs
from service.render.drawing.easel import Easel

WHITE, BLACK = "#ffffff", "#000000"
DESIGNS = [design for design in get_args(Design) if LOOKS[design].height]

#: Each glyph is drawn around the middle of an easel of 40 × 30 points.
GLYPHS: dict[str, Callable[[Easel], None]] = {
    "lock": lambda sheet: glyphs.lock(sheet, (20, 15), BLACK, WHITE),
    "reload": lambda sheet: glyphs.reload(sheet, (20, 15), 6, BLACK, 1.5),
    "globe": lambda sheet: glyphs.globe(sheet, (20, 15), 7.5, BLACK, 1.3),
    "star": lambda sheet: glyphs.star(sheet, (20, 15), 7.5, BLACK, 1.3),
    "share": lambda sheet: glyphs.share(sheet, (20, 15), BLACK, 1.3),
    "tabs": lambda sheet: glyphs.tabs(sheet, (20, 15), BLACK, 1.3),
    "sidebar": lambda sheet: glyphs.sidebar(sheet, (20, 15), BLACK, 1.3),
    "shield": lambda sheet: glyphs.shield(sheet, (20, 15), BLACK, 1.3),
    "puzzle": lambda sheet: glyphs.puzzle(sheet, (20, 15), BLACK, 1.5),
    "sliders": lambda sheet: glyphs.sliders(sheet, (20, 15), BLACK, 1.5),
    "bars": lambda sheet: glyphs.bars(sheet, (20, 15), 7, 4.6, BLACK, 1.5),
    "arrow": lambda sheet: glyphs.arrow(sheet, (20, 15), -1, BLACK, 1.5),
    "chevron": lambda sheet: glyphs.chevron(sheet, (20, 15), (3, 6), BLACK, 1.5),
    "caret": lambda sheet: glyphs.caret(sheet, (20, 15), (5, 2), BLACK, 1.5),
    "cross": lambda sheet: glyphs.cross(sheet, (20, 15), 5, BLACK, 1.5),
    "plus": lambda sheet: glyphs.plus(sheet, (20, 15), 5, BLACK, 1.5),
    "dots": lambda sheet: glyphs.dots(sheet, (20, 15), (0, 5.5), 1.8, BLACK),
}


def _bars(theme: Theme, width: float, title: str, url: str, density: float) -> U8:
    """Bars of all designs, one below the other, (h, w, 4)."""
    each = (Bars(design=design, theme=theme, width=width, title=title, url=url) for design in DESIGNS)
    return np.concatenate([bars.draw(one, density) for one in each])


def _glyphs() -> U8:
    """All glyphs in rows of six at 6 px per point, (h, w, 3)."""
    sheets = []
    for draw in GLYPHS.values():
        sheet = Easel((40, 30), 6, WHITE)
        draw(sheet)
        sheets.append(sheet.pixels(0)[30:-30, 60:-60, :3])
    sheets += [np.full_like(sheets[0], 255)] * (-len(sheets) % 6)
    return np.concatenate([np.concatenate(sheets[at : at + 6], axis=1) for at in range(0, len(sheets), 6)])


def _shapes() -> U8:
    """Shapes at 1.5 px per point: between and across pixels, over the edges, rounded, faint and soft, (h, w,
    4)."""
    sheet = Easel((121, 80), 1.5, "#d0e0f0")
    sheet.box((3.2, 2.7, 30.1, 20.4), "#203040", 6.3, 0.8)
    sheet.box((40.5, 5.25, 25, 14), "#803010", 0, 0.6, softness=4.5)
    sheet.box((75, 4, 18.5, 9.5), "#103080", 3, softness=2)
    sheet.box((-4, 30.3, 20, 12.6), "#30a060", 9)
    sheet.box((110.4, 60, 30, 40), "#a03060", 4)
    sheet.frame((22.3, 30.1, 24.4, 13.3), "#402080", 1.7, 4.1, 0.7)
    sheet.frame((52, 31, 15, 9), "#402080", 0.6)
    sheet.disc((80.2, 36.6), 7.4, "#c08020", 0.9)
    sheet.ring((104.7, 33.3), 9.9, "#208080", 2.3, 0.75)
    sheet.line([(5, 50), (25.5, 58.2), (25.5, 70), (12, 66)], "#e02020", 2.6, 0.85)
    sheet.line([(112, 12), (130, 20)], "#2020e0", 3.1)
    sheet.polygon([(35, 50), (58.4, 55.5), (50.1, 77), (33, 90)], "#208020")
    sheet.text("Ag\u00c9 \u05e9\u05dc\u05d5 \u65e5\u672c, cut off", (62.3, 60.4), 11.5, "#102030", 52)
    sheet.text("Wij", (90.1, 73.2), 13, "#102030", 80, "SemiBold", middle=True)
    return sheet.pixels(11.3)


SHEETS: dict[str, Callable[[], U8]] = {
    "drawn-bars": partial(_bars, "light", 760.0, "Example", "example.com/a", 2.0),
    "drawn-narrow-bars": partial(
        _bars,
        "dark",
        430.5,
        "A title that is too long for any of them",
        "https://example.com/a/long/path?of=it",
        2.0,
    ),
    "drawn-coarse-bars": partial(_bars, "light", 1400.0, "", "", 0.5),
    "drawn-glyphs": _glyphs,
    "drawn-shapes": _shapes,
}
