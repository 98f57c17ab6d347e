"""Shapes, glyphs and lettering of pictures that are drawn on demand."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from service.arrays import F32
from service.devices.device import Bars, Design, Theme
from service.devices.families.fitted import OVERLAP
from service.devices.families.look import LOOKS
from service.render.drawing import bars
from service.render.drawing.easel import Easel
from service.render.drawing.lettering import ELLIPSIS, WEIGHTS, elided, lettering
from service.settings.text import COVERED, drawable
from tests.render.drawings import BLACK, DESIGNS, GLYPHS, WHITE


def ink(easel: Easel) -> F32:
    """The share of black in each pixel of a white easel, 0-1."""
    return np.asarray(1 - easel.pixels(0)[..., 0] / np.float32(255), np.float32)


def area(easel: Easel) -> float:
    """Square points of black."""
    return float(ink(easel).sum()) / easel.density**2


def easel(density: float = 4.0) -> Easel:
    return Easel((40, 30), density, WHITE)


def test_weights_have_the_numbers_of_css() -> None:
    assert WEIGHTS == {"Regular": 400, "SemiBold": 600}


@pytest.mark.parametrize("density", [1.0, 2.0, 4.0])
def test_shapes_have_their_area(density: float) -> None:
    square = easel(density)
    square.box((10, 5, 12, 8), BLACK)
    assert area(square) == pytest.approx(96, rel=1e-3)
    assert ink(square)[int(9 * density), int(16 * density)] == 1
    disc = easel(density)
    disc.disc((20, 15), 7.3, BLACK)
    assert area(disc) == pytest.approx(math.pi * 7.3**2, rel=0.01)
    ring = easel(density)
    ring.ring((20, 15), 7, BLACK, 1.5)
    assert area(ring) == pytest.approx(math.pi * 14 * 1.5, rel=0.03)
    line = easel(density)
    line.line([(8, 8), (20, 8), (20, 22)], BLACK, 2)
    assert area(line) == pytest.approx(26 * 2 + math.pi - (4 - math.pi) / 4, rel=0.04)
    triangle = easel(density)
    triangle.polygon([(5, 5), (25, 5), (5, 25)], BLACK)
    assert area(triangle) == pytest.approx(200, rel=0.005)


def test_rounding_opacity_and_softness() -> None:
    rounded = easel()
    rounded.box((10, 5, 12, 8), BLACK, 3)
    assert area(rounded) == pytest.approx(96 - (4 - math.pi) * 9, rel=0.005)
    faint = easel()
    faint.box((10, 5, 12, 8), BLACK, opacity=0.25)
    assert area(faint) == pytest.approx(24, rel=0.01)
    soft = easel()
    soft.box((10, 5, 12, 8), BLACK, softness=2)
    assert 0.4 < ink(soft)[9 * 4, 10 * 4] < 0.6
    assert 0 < ink(soft)[9 * 4, 10 * 4 - 3] < 0.4
    frame = easel()
    frame.frame((10, 5, 12, 8), BLACK, 1)
    assert area(frame) == pytest.approx(13 * 9 - 11 * 7, rel=0.01)


def test_shapes_outside_the_easel_are_not_drawn() -> None:
    beyond = easel()
    beyond.box((-5, -5, 10, 10), BLACK)
    beyond.disc((100, 100), 5, BLACK)
    beyond.polygon([(50, 50), (60, 50), (50, 60)], BLACK)
    beyond.polygon([(-10, 25), (10, 25), (-10, 45)], BLACK)
    beyond.text("away", (100, 100), 10, BLACK, 50)
    assert area(beyond) == pytest.approx(25 + 37.5, rel=0.01)


def test_only_the_upper_corners_are_cut() -> None:
    alpha = easel().pixels(6)[..., 3]
    assert alpha[0, 0] == alpha[0, -1] == 0
    assert alpha[-1, 0] == alpha[-1, -1] == 255
    assert float((255 - alpha).sum()) / 255 / 16 == pytest.approx((4 - math.pi) / 2 * 36, rel=0.02)


def test_a_text_has_the_returned_width_and_centred_capitals() -> None:
    sheet = Easel((200, 40), 4, WHITE)
    wide = sheet.text("HHH", (20, 20), 16, BLACK, 150)
    rows, columns = np.nonzero(ink(sheet) > 0.5)
    assert columns.min() / 4 == pytest.approx(20, abs=2)
    assert columns.max() / 4 == pytest.approx(20 + wide, abs=2)
    assert (rows.min() + rows.max() + 1) / 8 == pytest.approx(20, abs=0.3)
    middle = Easel((200, 40), 4, WHITE)
    middle.text("HHH", (100, 20), 16, BLACK, 150, "SemiBold", middle=True)
    columns = np.nonzero(ink(middle) > 0.5)[1]
    assert (columns.min() + columns.max() + 1) / 8 == pytest.approx(100, abs=0.5)
    assert area(middle) > 1.15 * area(sheet)
    assert sheet.text("", (20, 20), 16, BLACK, 150) == 0


def test_long_texts_end_in_an_ellipsis() -> None:
    text = "The quick brown fox jumps over the lazy dog"
    assert elided(text, 20, 1000, "Regular")[0] == text
    for width in (200, 100, 40):
        shown, wide = elided(text, 20, width, "Regular")
        assert shown.endswith(ELLIPSIS)
        assert text.startswith(shown[:-1])
        assert width * 0.6 < wide <= width
    # A text is shown whole in exactly the width that it takes.
    wide = elided(text, 20, 1000, "Regular")[1]
    assert elided(text, 20, wide, "Regular") == (text, wide)
    # Text that fits is shown whole, however small and narrow its letters are.
    assert elided("illicit" * 4, 4, 36, "Regular")[0] == "illicit" * 4
    assert elided(text, 20, 5, "Regular") == ("", 0)
    assert elided(text, 20, -5, "Regular") == ("", 0)
    shown, _ = elided("שלום עולם ומלואו", 20, 80, "Regular")
    assert shown.startswith(ELLIPSIS)
    assert shown.endswith("ש")


@pytest.mark.parametrize("text", ["W" * 10_000, "i" * 10_000, "日" * 10_000, "ש" * 10_000, "a\u0301" * 5_000])
def test_huge_texts_are_elided_too(text: str) -> None:
    shown, wide = elided(drawable(text)[0], 26, 480, "SemiBold")
    assert len(shown) < 200
    assert 400 < wide <= 480


def test_every_character_said_to_be_covered_has_a_glyph() -> None:
    """OpenCV draws a question mark for a character that it lacks."""

    def drawn(char: str) -> bytes:
        patch, _ = lettering(char, (4, 12), 8, "Regular")
        return patch.tobytes()

    missing = drawn("?")
    chars = {chr(at) for first, last in COVERED for at in (first, last, *range(first, last, 97))}
    chars |= {chr(at) for first, last in COVERED if last < 0x600 for at in range(first, last + 1)}
    shown = {drawable(char)[0] for char in chars} - {"", "?"}
    assert len(shown) > 1500
    assert [f"U+{ord(char[0]):04X}" for char in sorted(shown) if drawn(char) == missing] == []


def test_every_drawable_text_is_drawn() -> None:
    chance = random.Random(5)
    for _ in range(300):
        chars = "".join(
            chr(chance.choice((chance.randrange(0x3000), chance.randrange(0x110000)))) for _ in range(40)
        )
        kept, _ = drawable(chars)
        shown, wide = elided(kept, 20, 300, "Regular")
        patch, _ = lettering(shown, (3.3, 20), 20, "Regular")
        assert 0 <= wide <= 300
        assert patch.min() >= 0
        assert patch.max() <= 1


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("theme", "width"), [("light", 480.0), ("dark", 1280.0), ("light", 3000.0)])
def test_bars_of_every_design(design: Design, theme: Theme, width: float) -> None:
    own = Bars(design=design, theme=theme, width=width, url="example.com", title="Example")
    density = bars.density(own, 1.2)
    assert density == 2
    drawn = bars.draw(own, density)
    assert drawn.shape == (round((LOOKS[design].height + OVERLAP) * 2), width * 2, 4)
    bare = bars.draw(own.model_copy(update={"url": "", "title": ""}), density)
    changed = np.nonzero((drawn != bare).any(axis=2))
    assert len(changed[0]) > 100
    # Nothing reaches beyond the edges, and no text overlaps the buttons at both ends.
    assert changed[1].min() > 10 * 2
    assert changed[1].max() < (width - 60) * 2
    other: Theme = "dark" if theme == "light" else "light"
    assert (drawn != bars.draw(own.model_copy(update={"theme": other}), density)).mean() > 0.5


@pytest.mark.parametrize("design", DESIGNS)
def test_a_hint_fills_an_address_field_without_an_address(
    design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Bars(design=design, theme="light", width=1280)
    hinted, given = bars.draw(own, 1.0), bars.draw(own.model_copy(update={"url": "example.com"}), 1.0)
    monkeypatch.setattr(bars, "HINT", "")
    assert (bars.draw(own, 1.0) != hinted).any() == ("url" in LOOKS[design].shows)
    assert (bars.draw(own.model_copy(update={"url": "example.com"}), 1.0) == given).all()


def test_bars_are_as_fine_as_needed_and_never_huge() -> None:
    own = Bars(design="chrome", theme="light", width=1280)
    assert [bars.density(own, wanted) for wanted in (0.2, 0.9, 1, 1.01, 3, 7, 100)] == [
        0.25,
        1,
        1,
        2,
        4,
        4,
        4,
    ]
    wide = own.model_copy(update={"width": 60_000.0})
    for wanted in (0.001, 0.1, 1, 8):
        height, width, _ = bars.draw(wide, bars.density(wide, wanted)).shape
        assert width <= bars.WIDEST
        assert height * width <= bars.MOST


@pytest.mark.parametrize("name", GLYPHS)
def test_glyphs_stay_within_their_places(name: str) -> None:
    sheet = easel()
    GLYPHS[name](sheet)
    rows, columns = np.nonzero(ink(sheet) > 0.3)
    assert np.abs(rows / 4 - 15).max() < 10
    assert np.abs(columns / 4 - 20).max() < 10
    assert abs((columns.min() + columns.max() + 1) / 8 - 20) < 1.5
    assert abs((rows.min() + rows.max() + 1) / 8 - 15) < 1.5


def test_letters_of_other_scripts_have_the_requested_weight() -> None:
    """Scripts that Inter lacks have shared fonts, so the weight of earlier text must not affect later
    text."""
    text = "\u05e9\u05dc\u05d5\u05dd"
    plain = lettering(text, (3, 12), 17, "Regular")[0]
    bold = lettering(text, (3, 12), 17, "SemiBold")[0]
    assert bold.sum() > 1.2 * plain.sum()
    assert (lettering(text, (3, 12), 17, "Regular")[0] == plain).all()
