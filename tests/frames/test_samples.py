"""The sample screens fit the devices they are made for."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from frames.generator.page import Page, smooth
from service.models.devices import FRAMES


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("screenshot.png", (1206, 2622)),
        ("tablet.png", (2420, 1668)),
        ("desktop.png", (3024, 1964)),
        ("browser.png", (2560, 1600)),
    ],
)
def test_samples_have_their_screens_size_and_are_light(name: str, size: tuple[int, int]) -> None:
    file = FRAMES / "samples" / name
    with Image.open(file) as picture:
        assert (picture.size, picture.mode) == (size, "RGB")
    assert file.stat().st_size < 250_000


def test_panels_keep_to_their_place() -> None:
    page = Page(40, 30, 2, "#000000")
    page.panel((10, 8, 20, 10), "#ffffff")
    pixels = page.pixels()
    assert pixels[16:36, 20:60].min() == 255
    assert int((pixels[..., 0] > 0).sum()) == 20 * 40


def test_shapes_beyond_the_page_are_cut() -> None:
    page = Page(20, 20, 1, "#000000")
    page.disc((0, 0), 6, "#ffffff")
    page.disc((100, 100), 6, "#ffffff")
    pixels = page.pixels()
    assert pixels[0, 0].tolist() == [255, 255, 255]
    assert pixels[19, 19].tolist() == [0, 0, 0]


def test_curves_pass_their_points_and_never_overshoot() -> None:
    points = [(0.0, 1.0), (10.0, 5.0), (20.0, 5.0), (30.0, 2.0)]
    curve = smooth(points, 10)
    for point in points:
        assert min(np.hypot(x - point[0], y - point[1]) for x, y in curve) < 1e-9
    assert max(y for _, y in curve) <= 5.0 + 1e-9
