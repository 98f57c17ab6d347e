"""Colours as callers write them."""

from __future__ import annotations

import pytest

from service.validation.color import BLACK, TRANSPARENT, Color, parse, suggest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#3366FF", (51, 102, 255, 255)),
        ("#36f", (51, 102, 255, 255)),
        ("#3366ff80", (51, 102, 255, 128)),
        ("#000", (0, 0, 0, 255)),
    ],
)
def test_hexadecimal_digits(text: str, expected: tuple[int, int, int, int]) -> None:
    assert parse(text) == Color(*expected)


@pytest.mark.parametrize(
    "text", ["", "#", "#12", "#1234", "#12345", "#1234567", "#123456789", "123456", "#12345G"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a hex colour such as #3366FF"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "hint"),
    [("red", "#FF0000"), (" Navy ", "#000080"), ("3366FF", "#3366FF"), ("1234", None), ("reddish", None)],
)
def test_names_and_bare_digits_suggest_a_colour(text: str, hint: str | None) -> None:
    assert suggest(text) == hint


def test_black_is_opaque() -> None:
    assert (BLACK, TRANSPARENT) == ((0, 0, 0, 255), (0, 0, 0, 0))
