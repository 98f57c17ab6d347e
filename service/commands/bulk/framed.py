"""The layout of frameit's pictures, as settings of ours. Lengths are in px from the top left corner.

The picture is as large as the screenshot. The device fills the width between the paddings, and its upper or
lower end may be cut off. Keyword and title are centred in the space that is left above or below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...settings.poses import SPAN

FONT = 0.1  # default of font_scale_factor: the font's size as a share of the picture's width
LINE = 1.2  # line height, in font sizes, without interline_spacing; by eye
GAP = 1 / 3  # distance between a keyword and the title beside it, in font sizes
STACKED_GAP = 1 / 2  # distance, in font sizes, between a keyword and the title below it


class Words(NamedTuple):
    """A keyword or title: its text, font and colour, and its width and height in font sizes.

    If it is `rtl`, the title is to the left of the keyword.
    """

    text: str
    family: str
    weight: int
    color: str
    width: float
    height: float
    rtl: bool = False


@dataclass(frozen=True, slots=True)
class FramefileLayout:
    """A Framefile's layout options; see the page "Moving over from frameit"."""

    padding: tuple[float, float]
    font: float
    spacing: float
    least: float
    stacked: bool
    below: bool
    complete: bool


def settings(
    size: tuple[int, int],
    body: tuple[float, float],
    words: tuple[Words | None, Words | None],
    at: FramefileLayout,
) -> dict[str, Any]:
    """The canvas, transform and captions of a picture of `size` with keyword and title.

    `body` is the device's width and height in mm.
    """
    width, height = size
    aside, above = at.padding
    keyword, title = words
    font = at.font
    if keyword and title and at.stacked:
        fonts = tuple(min(font, (width - 2 * aside) / one.width) for one in (keyword, title))
        tall = keyword.height * fonts[0] + title.height * fonts[1] + STACKED_GAP * font
        free = max(2 * above + tall, at.least)
        middle = height - free / 2 if at.below else free / 2
        top = middle - tall / 2
        captions = [
            _caption(keyword, fonts[0], (width / 2, top), "top", size, at),
            _caption(title, fonts[1], (width / 2, middle + tall / 2), "bottom", size, at),
        ]
    else:
        known = [one for one in words if one]
        if known and known[0].rtl:
            known.reverse()
        free = max(2 * above + font, at.least) if known else above
        middle = height - free / 2 if at.below else free / 2
        wide = sum(one.width for one in known) + GAP * (len(known) - 1)
        tall = max((one.height for one in known), default=0.0)
        if known:
            font = min(font, (width - 2 * aside) / wide, max(free - above, 1) / tall)
        left, captions = width / 2 - wide * font / 2, []
        for one in known:
            captions.append(_caption(one, font, (left + one.width * font / 2, middle), "center", size, at))
            left += (one.width + GAP) * font
    return {
        "canvas": {"width": width, "height": height},
        "deviceTransform": _placed(size, body, free, at),
        "captions": captions,
    }


def _placed(
    size: tuple[int, int], body: tuple[float, float], free: float, at: FramefileLayout
) -> Mapping[str, object]:
    """The device's place below or above the `free` space; if the device must be `complete`, it is made small
    enough to fit."""
    width, height = size
    aside, above = at.padding
    k = max(width - 2 * aside, 1) / body[0]
    if at.complete:
        k = min(k, max(height - free - above, 1) / body[1])
    tall = k * body[1]
    middle = height - free - tall / 2 if at.below else free + tall / 2
    upright = min(SPAN * height / body[1], SPAN * width / body[0])
    return {
        "framing": "upright",
        "scale": round(k / upright, 4),
        "positionY": round(1 - 2 * middle / height, 4),
    }


def _caption(
    words: Words,
    font: float,
    place: tuple[float, float],
    anchor: str,
    size: tuple[int, int],
    at: FramefileLayout,
) -> dict[str, Any]:
    width, height = size
    return {
        "text": words.text,
        "x": round(place[0] / width, 4),
        "y": round(place[1] / height, 4),
        "anchor": anchor,
        "align": "center",
        # Slightly wider than the text's lines, so that rounding does not break a line.
        "width": min(1.05 * words.width * font / width, 2),
        "font": {
            "family": words.family,
            "weight": words.weight,
            "size": round(font / min(size), 5),
            "lineHeight": round(min(max(LINE + at.spacing / font, 0.5), 4), 3),
        },
        "color": words.color,
    }
