"""Texts: what is left of them to be drawn, and in which order."""

from __future__ import annotations

import unicodedata

import pytest

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
def test_what_no_font_has_is_left_out(text: str, left: str, missing: bool) -> None:
    assert drawable(text) == (left, missing)


def test_ranges_are_in_order() -> None:
    bounds = [bound for pair in COVERED for bound in pair]
    assert bounds == sorted(bounds)


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
def test_what_runs_to_the_left(text: str, seen: str) -> None:
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
