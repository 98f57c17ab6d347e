"""The screen shows the screenshot's colours."""

from __future__ import annotations

import io
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from PIL import Image

from service.arrays import U8
from service.clock import Clock
from service.engine.studio import Studio
from tests.codec.profiles import display_p3, p3_as_srgb
from tests.render.posing import DEVICES, PLAIN, built, picture, scene, settings
from tests.support.requests import prepared

CANVAS = {"canvas.width": 640, "canvas.height": 480}
COLORS = [
    (0, 0, 0),
    (255, 255, 255),
    (128, 128, 128),
    (255, 0, 0),
    (0, 255, 0),
    (0, 0, 255),
    (17, 34, 51),
    (200, 60, 140),
    (250, 200, 30),
]


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    made = Studio()
    yield made
    made.close()


def patches(rgb: tuple[int, int, int], size: tuple[int, int] = (300, 300)) -> U8:
    """The colour in three thirds from left to right: unchanged, a little darker, and a little lighter."""
    shades = np.clip(np.array(rgb) + np.array([[-9], [0], [9]]), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(np.tile(shades[None], (size[1], 1, 1)), size[0] // 3, axis=1))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("turned", [0, 30])
def test_the_middle_of_the_screen_has_the_screenshots_colours(device: str, turned: int) -> None:
    given = CANVAS | PLAIN | {"device": device, "deviceTransform.rotationY": turned, "screen.fit": "stretch"}
    hole = built(scene(given, (300, 300)).spec).screens[0]
    assert hole is not None
    x, y = (int(part / hole.matrix[2, 2]) for part in hole.matrix[:2, 2])
    for color in COLORS:
        shown = picture(patches(color), given)
        middle = shown[y - 20 : y + 20, x - 4 : x + 4].reshape(-1, 3).mean(axis=0)
        assert np.abs(middle - color).max() <= 1, f"{color} came out as {middle}"


@pytest.mark.parametrize("fit", ["png", "webp"])
def test_a_display_p3_screenshot_is_the_same_colour_in_srgb(studio: Studio, fit: str) -> None:
    p3 = [(200, 80, 60), (90, 170, 80), (60, 90, 190), (128, 128, 128), (240, 230, 200)]
    given = CANVAS | PLAIN | {"screen.fit": "stretch", "deviceTransform.scale": 1.2}
    for color in p3:
        screenshot = Image.new("RGB", (120, 260), color)
        file = io.BytesIO()
        options = {"lossless": True} if fit == "webp" else {}
        screenshot.save(file, fit, icc_profile=display_p3(), **options)
        answer = studio.render(prepared(file.getvalue(), settings(given)), Clock())
        pixels = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR_RGB)
        assert pixels is not None
        middle = pixels[230:250, 310:330].reshape(-1, 3).mean(axis=0)
        assert np.abs(middle - p3_as_srgb(np.array(color, np.uint8))).max() <= 1
        assert np.abs(middle - color).max() > 2 or len(set(color)) == 1, "the profile changed nothing"


def test_the_response_is_tagged_srgb(studio: Studio) -> None:
    file = io.BytesIO()
    Image.new("RGB", (120, 260), (200, 80, 60)).save(file, "png")
    answer = studio.render(prepared(file.getvalue(), settings(CANVAS)), Clock())
    assert b"sRGB" in answer.data[:64] or b"iCCP" in answer.data[:64]
