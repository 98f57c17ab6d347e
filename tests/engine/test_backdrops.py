"""Backgrounds that are pictures: what a renderer keeps, and how faults are worded."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from service.arrays import U8
from service.codec.picture import PictureLimits
from service.engine.backdrops import BackdropKey, Backdrops, about_background, backdrop_file
from service.errors import Detail, MockupError, invalid
from tests.codec.forms import FORMS


def key(name: str) -> BackdropKey:
    return cast(BackdropKey, (name, None, (1, 1), False))


def test_backgrounds_are_made_once_as_long_as_they_fit() -> None:
    kept, made = Backdrops(100), list[str]()

    def get(name: str, nbytes: int) -> U8:
        def make() -> U8:
            made.append(name)
            return np.zeros(nbytes, np.uint8)

        return kept.get(key(name), make)

    assert get("a", 60) is get("a", 60)
    get("b", 40)
    get("a", 60)
    assert made == ["a", "b"]
    get("too large", 101)
    get("too large", 101)
    get("all", 100)
    get("all", 100)
    assert made == ["a", "b", "too large", "too large", "all"]
    get("a", 60)
    assert made[-1] == "a", "the other displaced it"
    kept.trim()
    get("a", 60)
    assert made[-2:] == ["a", "a"]


def test_a_renderer_keeps_24_mebibytes() -> None:
    kept, made = Backdrops(), 0

    def make() -> U8:
        nonlocal made
        made += 1
        return np.zeros(12 * 2**20 + 1, np.uint8)

    for name in ("a", "b", "b", "a"):
        kept.get(key(name), make)
    assert made == 3


def test_faults_name_the_background() -> None:
    def fail(*details: Detail) -> None:
        with about_background():
            raise invalid("The screenshot is wrong", *details)

    with pytest.raises(MockupError) as caught:
        fail(Detail("screenshot.src", "not the screenshot"), Detail("other", "x"))
    error: Any = caught.value
    assert error.message == "The background image is wrong"
    assert [(one.path, one.message) for one in error.details] == [
        ("settings.appearance.backgroundImage.src", "not the background image"),
        ("other", "x"),
    ]


def test_a_file_belongs_to_its_owner() -> None:
    data, limits = FORMS["webp"](40, 30), PictureLimits()
    one, other, same = (backdrop_file(data, owner, limits) for owner in ("a", "b", "a"))
    assert one.area == 1200
    assert one.name == same.name != other.name
