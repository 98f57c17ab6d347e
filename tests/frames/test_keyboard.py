"""Keyboards: every key is in its row, and the keys that take the colour of the finish do so."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from frames.generator.keyboard import LAYOUTS, LOOKS, MEDIA, SHIFTED, STYLES, Key, keyboard, layout
from frames.generator.paint import Canvas
from frames.generator.signs import SIGNS
from frames.generator.text import FONTS
from service.arrays import U8
from service.devices.families.laptop import TINTED
from service.devices.families.sheet import KeyboardLayout, KeyStyle

WELL = (280.0, 105.0)
PAINTED = (140.0, 52.5)  # half as wide and high, so painted in a quarter of the time
LETTERED = pytest.mark.skipif(not FONTS.exists(), reason="the package fonts-inter is not installed")
KINDS: tuple[KeyboardLayout, ...] = ("mac", "pc", "touch", "stick", "full")


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_as_wide_as_the_well_and_no_keys_overlap(kind: KeyboardLayout) -> None:
    keys = layout(WELL, LAYOUTS[kind], 0.1)
    for side in (-1, 1):
        ends = {round(max(side * key.x + key.width / 2 for key in row), 3) for row in rows(keys)}
        assert len(ends) == 1 or kind == "full"
        assert max(ends) < WELL[0] / 2
    for one, other in itertools.combinations(keys, 2):
        apart = abs(one.x - other.x) >= (one.width + other.width) / 2
        assert apart or abs(one.y - other.y) >= (one.height + other.height) / 2, (one, other)


def rows(keys: list[Key]) -> list[list[Key]]:
    """The rows of whole keys."""
    found = {key.y for key in keys if key.width == keys[2].width or key.legend in ("shift", "tab")}
    return [[key for key in keys if abs(key.y - y) < key.height] for y in found]


@pytest.mark.parametrize("kind", KINDS)
def test_letters_stand_as_on_a_keyboard(kind: KeyboardLayout) -> None:
    # Digits are on the number pad too.
    at = {
        key.legend: key for key in layout(WELL, LAYOUTS[kind], 0.1) if key.y > 0 or not key.legend.isdigit()
    }
    assert at["Q"].x < at["W"].x < at["P"].x
    assert at["1"].y > at["Q"].y > at["A"].y > at["Z"].y
    assert at["A"].x < at["Z"].x < at["S"].x
    assert at["<"].x < at["^"].x == at["v"].x < at[">"].x
    assert at["^"].y > at["v"].y


def test_a_number_pad_is_right_of_the_letters() -> None:
    keys = layout(WELL, LAYOUTS["full"], 0.1)
    pad = [key for key in keys if key.x > next(key.x for key in keys if key.legend == "backspace")]
    assert {*"0123456789"} <= {key.legend for key in pad}
    tall = {key.legend for key in pad if key.height > 1.5 * pad[5].height}
    assert tall == {"+", "enter"}


@cache
def painted(kind: KeyboardLayout, keys: KeyStyle, signs: bool = False) -> U8:
    """The pixels of a keyboard with 6 px per mm, including a rim of 1 mm."""
    return keyboard(PAINTED, kind, keys, signs=signs).pixels()


@LETTERED
@pytest.mark.long
@pytest.mark.parametrize("keys", ["black", "sunk", "inset", "grey", "pale", "tonal", "lattice"])
def test_keys_that_take_the_finish_let_it_through(keys: KeyStyle) -> None:
    pixels = painted("pc", keys)
    middle = next(
        key for key in layout(PAINTED, LAYOUTS["pc"], LOOKS[keys].gap) if key.legend == "" and key.y < 0
    )
    x, y = (round(value * 6) for value in (middle.x + PAINTED[0] / 2 + 1, PAINTED[1] / 2 + 1 - middle.y))
    opacity = int(pixels[y, x, 3])
    assert opacity == 255 if keys in ("black", "sunk", "inset", "grey") else 10 < opacity < 130


def test_pairs_are_those_of_a_keyboard() -> None:
    assert {key: SHIFTED[key] for key in "2/-"} == {"2": "@", "/": "?", "-": "_"}
    assert LAYOUTS["stick"].pairs
    assert not LAYOUTS["full"].pairs  # this layout's digits are also on the pad, where shift has no effect


def test_every_layout_and_look_has_a_style() -> None:
    assert len(STYLES) == (len(LAYOUTS) + len(MEDIA)) * (len(LOOKS) + len(TINTED))
    assert STYLES[""] == ("mac", "black", False, False)
    assert STYLES["mac-black-signs"] == ("mac", "black", True, False)
    assert STYLES["pc-tonal-signs-dark"] == ("pc", "tonal", True, True)


@LETTERED
@pytest.mark.long(seconds=2)
@pytest.mark.parametrize("kind", ["mac", "pc", "touch", "stick"])
def test_only_function_keys_have_signs(kind: KeyboardLayout) -> None:
    plain, signed = (painted(kind, "black", signs=signs) for signs in (False, True))
    high = next(key for key in layout(PAINTED, LAYOUTS[kind], LOOKS["black"].gap) if key.legend == "1")
    digits = round((PAINTED[1] / 2 + 1 - high.y - high.height / 2) * 6)
    assert (plain[:digits] != signed[:digits]).any()
    assert (plain[digits:] == signed[digits:]).all()


@pytest.mark.parametrize("name", sorted(SIGNS))
def test_signs_have_about_the_given_size(name: str) -> None:
    canvas = Canvas((12.0, 12.0), 10)
    inside = SIGNS[name](canvas.x, canvas.y, 2.0) < 0
    assert inside.any()
    for place in (canvas.x, canvas.y):
        assert 1.0 < np.abs(place[inside]).max() < 3.6


def test_painting_on_a_part_paints_on_the_whole() -> None:
    whole, again = Canvas((20.0, 10.0), 4), Canvas((20.0, 10.0), 4)
    part = again.part((5.0, 1.0), (4.0, 4.0))
    for canvas in (whole, part):
        distance = np.hypot(canvas.x - 5.0, canvas.y - 1.0) - 1.5
        canvas.fill(distance, "#804020", 0.7)
        canvas.glow((5.0, 1.0), 0.3, "#ffffff", 0.5)
    assert (whole.pixels() == again.pixels()).all()
    assert part.alpha.size < again.alpha.size / 4
