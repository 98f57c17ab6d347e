"""Where letters, emoji and backgrounds of captions are drawn, compared with the fonts' own measures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("icu")
pytest.importorskip("uharfbuzz")

from service.arrays import F32
from service.fonts.collection import collection
from service.render.geometry.raster import Box
from service.render.text.drawing import draw, extent, off
from service.render.text.layout import Layout, lay_out
from service.settings.captions import Caption, CaptionSpec, spec

SIDE = 300
WHOLE = Box(0, 0, SIDE, SIDE)


def made(text: str, **members: Any) -> tuple[CaptionSpec, Layout]:
    """A caption in the middle of a square canvas, laid out."""
    given = {"text": text, "x": 0.5, "y": 0.5, "anchor": "center", "font": {"size": 0.2}, **members}
    caption = spec(Caption.model_validate(given), None, SIDE, SIDE)
    return caption, lay_out(caption, (SIDE, SIDE), collection())


def seen(name: str, caption: CaptionSpec, layout: Layout) -> F32:
    """One part of a caption, put together from its bands: `back`, `ink`, or the alpha of `pictures`."""
    whole = np.zeros((SIDE, SIDE), np.float32)
    for one in draw(caption, layout, WHOLE):
        found = getattr(one, name)
        if found is not None:
            whole[one.box.slices] = found[..., 3] if found.ndim == 3 else found
    return whole


def bounds(cover: F32 | NDArray[np.bool_]) -> Box:
    rows, columns = np.flatnonzero(cover.any(1)), np.flatnonzero(cover.any(0))
    return Box(
        int(columns[0]),
        int(rows[0]),
        int(columns[-1] - columns[0] + 1),
        int(rows[-1] - rows[0] + 1),
    )


@pytest.mark.parametrize("rotation", [0, 30])
@pytest.mark.parametrize(("radius", "padding"), [(0, 0.4), (0.3, 0.2), (10, 0.5)])
def test_a_background_has_the_area_of_a_rounded_rectangle(
    radius: float, padding: float, rotation: float
) -> None:
    caption, layout = made(
        "Hi", rotation=rotation, background={"color": "#000", "radius": radius, "padding": padding}
    )
    wide, high = layout.width + 2 * padding * layout.size, layout.height + 2 * padding * layout.size
    corner = min(radius * layout.size, wide / 2, high / 2)
    cover = seen("back", caption, layout)
    assert cover.sum() == pytest.approx(wide * high - (4 - math.pi) * corner**2, rel=3e-3)
    # Its middle is the middle of the block.
    rows, columns = np.mgrid[:SIDE, :SIDE] + 0.5
    middle = (cover * columns).sum() / cover.sum(), (cover * rows).sum() / cover.sum()
    assert middle == pytest.approx((SIDE / 2, SIDE / 2), abs=0.1)
    box = extent(caption, layout)
    outer = bounds(cover)
    assert box.x <= outer.x <= box.x + 1
    assert box.y <= outer.y <= box.y + 1
    assert 0 <= box.x + box.width - outer.x - outer.width <= 1
    assert 0 <= box.y + box.height - outer.y - outer.height <= 1


@pytest.mark.parametrize(("text", "part"), [("HxgÅ", "ink"), ("😀", "pictures")])
@pytest.mark.parametrize("rotation", [0, 90, 180])
def test_the_extent_of_letters_is_theirs_and_a_pixel_around(text: str, part: str, rotation: float) -> None:
    caption, layout = made(text, rotation=rotation)
    box, ink = extent(caption, layout), bounds(seen(part, caption, layout) > 1 / 255)
    for low, high in (
        (box.x, ink.x),
        (box.y, ink.y),
        (ink.x + ink.width, box.x + box.width),
        (ink.y + ink.height, box.y + box.height),
    ):
        # Pictures of emoji have margins of their own.
        assert 0 <= high - low <= (2 if part == "ink" else 8)


@pytest.mark.parametrize(("text", "part"), [("Rg", "ink"), ("😀", "pictures")])
def test_turned_captions_are_the_same_turned(text: str, part: str) -> None:
    upright = seen(part, *made(text))
    for quarters in (1, 2, 3):
        turned = seen(part, *made(text, rotation=90 * quarters if quarters < 3 else -90))
        assert np.abs(turned - np.rot90(upright, quarters)).mean() < 2e-3
    assert upright.sum() > 500


def test_letters_stand_on_their_baseline_at_the_size_of_the_font() -> None:
    caption, layout = made("H", font={"size": 0.5, "weight": 400})
    ink = bounds(seen("ink", caption, layout) > 0.5)
    # Inter's capitals are 1490 of 2048 units high.
    assert ink.height == pytest.approx(0.5 * SIDE * 1490 / 2048, abs=1)
    _, left, baseline = layout.lines[0]
    top, bottom = (
        layout.matrix @ (left, baseline - 1490 / 2048 * layout.size, 1),
        layout.matrix @ (left, baseline, 1),
    )
    assert (ink.y, ink.y + ink.height) == pytest.approx((top[1], bottom[1]), abs=1)


def test_emoji_keep_their_shape_in_the_middle_of_their_advance() -> None:
    caption, layout = made("😀", font={"size": 0.5})
    shown = bounds(seen("pictures", caption, layout) > 0.5)
    assert shown.width == pytest.approx(shown.height, rel=0.06), "the face is almost round"
    assert 0.8 * layout.width < shown.width < layout.width
    assert shown.x + shown.width / 2 == pytest.approx(SIDE / 2, abs=2)
    assert seen("ink", caption, layout).sum() == 0


@pytest.mark.parametrize(("x", "share"), [(0.5, 0.0), (0.0, 0.5), (-0.6, 1.0), (1.6, 1.0), (0.97, 0.5)])
def test_letters_off_the_canvas_are_counted(x: float, share: float) -> None:
    """Two letters, of which the canvas' edge cuts none, one or both."""
    caption, layout = made("OO", x=x)
    assert off(caption, layout, (SIDE, SIDE)) == share


def test_nothing_is_off_the_canvas_without_letters() -> None:
    caption, layout = made(" ")
    assert off(caption, layout, (SIDE, SIDE)) == 0
    assert extent(caption, layout) == Box(0, 0, 0, 0)


def test_emoji_over_each_other_stay_opaque_and_no_more() -> None:
    cover = seen("pictures", *made("😀😀", font={"size": 0.4, "letterSpacing": -0.2}))
    assert cover.max() == pytest.approx(1, abs=2e-3)
