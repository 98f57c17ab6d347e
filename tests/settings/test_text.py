"""Texts: the characters that can be drawn, and their visual order."""

from __future__ import annotations

import unicodedata

import cv2
import numpy as np
import pytest

from service.render.drawing.lettering import file
from service.settings.text import COVERED, drawable, rtl, visual


@pytest.mark.parametrize(
    ("text", "left", "missing"),
    [
        ("Plain — “quoted” …", "Plain — “quoted” …", False),
        ("  much \u00a0 space\u2028here ", "much space here", False),
        ("e\u0301 A\u030a", "é Å", False),
        ("zero\u200bwidth\u200d\u2060\ufeff soft\u00adhyphen", "zerowidth softhyphen", False),
        ("\u202eevil\u202c", "evil", False),
        ("日本語 中文 한국어", "日本語 中文 한국어", False),
        ("Rocket 🚀 👩\u200d👩\u200d👧 go", "Rocket go", True),
        ("❤\ufe0f", "❤", False),
        ("\ufb01nd \U0001d401old \u2100", "find Bold a/c", False),
        ("مرحبا", "", True),
        ("\x00a\x1b\n", "a", False),
        ("", "", False),
    ],
)
def test_missing_characters_are_left_out(text: str, left: str, missing: bool) -> None:
    assert drawable(text) == (left, missing)


def test_ranges_are_those_of_the_fonts() -> None:
    """The characters at both ends of each range are drawn; those just outside are not."""
    font = cv2.FontFace(str(file("Regular")))

    def drawn(code: int) -> bytes:
        patch = np.zeros((60, 80), np.uint8)
        cv2.putText(patch, chr(code), (10, 45), 255, font, 32)
        return patch.tobytes()

    bounds = [bound for pair in COVERED for bound in pair]
    assert bounds == sorted(bounds)
    absent = {drawn(code) for code in (0x1F680, 0xE005, 0x0627)}
    assert not [hex(code) for code in bounds if drawn(code) in absent]
    beside = {code for first, last in COVERED for code in (first - 1, last + 1)}
    # These characters are drawn although they adjoin a range: marks, accented Greek, a space, and single
    # signs.
    known = {0x1DFF, 0x1F00, 0x205F, 0x2121, 0x2123, 0x2200, 0x9FA6}
    assert {code for code in beside if drawn(code) not in absent} == known


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("abc (1)", "abc (1)"),
        ("שלום", "םולש"),
        ("hello שלום world", "hello םולש world"),
        ("שלום world (א)", "(א) world םולש"),
        ("מחיר 250 ₪", "₪ 250 ריחמ"),
        ("שלום!", "!םולש"),
        ("דוח (Q3) 2026 — סוף", "ףוס — 2026 (Q3) חוד"),
        ("דוח Q3 2026", "Q3 2026 חוד"),
        ("abc (שלום) def", "abc (םולש) def"),
        ("abc (שלום", "abc (םולש"),
        ("(שלום) 1-2 {x]", "[x} 1-2 (םולש)"),
        ("הנחה 50% עד 12:30", "12:30 דע 50% החנה"),
        ("page: שלום, עולם!", "page: םלוע ,םולש!"),
    ],
)
def test_lines_that_run_to_the_left(text: str, seen: str) -> None:
    assert visual(text) == seen


def test_marks_follow_their_letter() -> None:
    pointed = "ש\u05c1א"
    assert [unicodedata.name(char)[:13] for char in visual(pointed)] == [
        "HEBREW LETTER",
        "HEBREW LETTER",
        "HEBREW POINT ",
    ]


def test_the_first_letter_decides() -> None:
    assert rtl("123 שלום abc")
    assert not rtl("abc שלום")
    assert not rtl("12.5")
