"""The content of a screenshot with transparent corners: a window, or another shape."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from service.codec.content import measure, trimmed
from service.devices.content import Content
from tests.support.windows import BAR, PAGE, rounded, window

SIZE = (400, 300)


@pytest.mark.parametrize(
    ("given", "box"),
    [
        ({}, (60, 40)),
        ({"hairline": True}, (60, 40)),
        ({"around": (112, 112, 76, 148), "sigma": 40.0, "radius": 30}, (112, 76)),
        ({"around": (10, 80, 5, 60), "sigma": 6.0, "opacity": 0.8, "radius": 8}, (10, 5)),
        ({"around": (26, 26, 23, 29), "opacity": 0.35, "radius": 0}, (26, 23)),
        ({"around": (0, 0, 0, 0)}, (0, 0)),
        ({"around": (20, 20, 20, 20), "opacity": 0.0}, (20, 20)),
    ],
)
def test_a_window_is_distinguished_from_its_shadow(given: dict[str, Any], box: tuple[int, int]) -> None:
    pixels = window(SIZE, **given)
    if not given.get("radius", 16) and not any(given["around"]):
        return
    found = measure(pixels)
    assert found is not None
    assert found.window
    assert found.box == (*box, *SIZE)
    assert found.radius == pytest.approx(given.get("radius", 16), abs=4)


def test_the_trimmed_window_contains_no_shadow() -> None:
    pixels = window(SIZE, hairline=True)
    found = measure(pixels)
    assert found is not None
    made = trimmed(pixels, found)
    assert made.shape == (300, 400, 3), "it is opaque"
    for corner, color in ((made[:20, :20], BAR), (made[:20, -20:], BAR), (made[-20:, :20], PAGE)):
        assert np.abs(corner.astype(int) - color).max() <= 20
    assert np.array_equal(made[60:240, 20:380], pixels[100:280, 80:440, :3])


def test_screenshots_with_opaque_corners_are_ordinary() -> None:
    pixels = np.full((300, 200, 4), 255, np.uint8)
    assert measure(pixels) is None
    assert measure(np.ascontiguousarray(pixels[..., :3])) is None
    pixels[100:200, 50:150, 3] = 0
    assert measure(pixels) is None


def _picture(alpha: np.ndarray) -> np.ndarray:
    color = np.full((*alpha.shape, 3), (200, 40, 90), np.uint8)
    return np.dstack((color, np.round(alpha * 255).astype(np.uint8)))


def test_other_shapes_are_not_trimmed() -> None:
    disc = _picture(rounded((300, 300), (50, 60, 200, 200), 100))
    assert measure(disc) == Content((300, 300), (50, 60, 200, 200))
    # A translucent sidebar is not a shadow, however dark it is.
    sidebar = window(SIZE)
    sidebar[40:340, 20:60] = (0, 0, 0, 128)
    found = measure(sidebar)
    assert found is not None
    assert not found.window
    letters = np.zeros((200, 300), np.uint8)
    cv2.putText(letters, "Logo", (30, 120), cv2.FONT_HERSHEY_SIMPLEX, 3, (1,), 12)
    logo = measure(_picture(letters))
    assert logo is not None
    assert not logo.window


@pytest.mark.parametrize("size", [(1, 1), (1, 50), (40, 2), (33, 33)])
def test_pictures_of_any_size_are_measured(size: tuple[int, int]) -> None:
    faint = measure(np.full((*size, 4), 80, np.uint8))
    assert faint == Content(size[::-1], (0, 0, *size[::-1]))
    empty = measure(np.zeros((*size, 4), np.uint8))
    assert empty == Content(size[::-1], (0, 0, 0, 0))
    assert empty.margin == 1


@pytest.mark.parametrize(("box", "margin"), [((0, 0, 200, 100), 0), ((5, 6, 50, 80), 0.8), ((0, 0, 0, 0), 1)])
def test_the_margin_is_the_share_of_the_area_outside_the_box(
    box: tuple[int, int, int, int], margin: float
) -> None:
    assert Content((200, 100), box).margin == pytest.approx(margin)
