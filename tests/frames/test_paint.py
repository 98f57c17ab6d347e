"""Canvases: coverage, straight alpha, and the encoder that writes them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from frames.generator.outline import box, circle
from frames.generator.paint import Canvas
from frames.generator.png import chunk, encode, filtered


def test_coverage_sums_to_the_area() -> None:
    canvas = Canvas((12, 10), 9.0, (3.0, -2.0))
    canvas.fill(circle(canvas.x - 3.2, canvas.y + 1.7, 3.3), "#ffffff")
    assert canvas.alpha.sum() * canvas.pixel**2 == pytest.approx(np.pi * 3.3**2, rel=2e-3)


def test_y_points_up_and_x_right() -> None:
    canvas = Canvas((4, 2), 5, (10.0, 20.0))
    assert canvas.y[0, 0] == pytest.approx(20.9)
    assert canvas.y[-1, 0] == pytest.approx(19.1)
    assert canvas.x[0, 0] == pytest.approx(8.1)
    assert canvas.x[0, -1] == pytest.approx(11.9)


def test_colours_are_straight_under_soft_edges() -> None:
    canvas = Canvas((10, 10), 8)
    canvas.fill(circle(canvas.x, canvas.y, 3), "#c08040", 0.6, softness=2)
    pixels = canvas.pixels()
    solid = pixels[pixels[..., 3] > 12]
    assert np.abs(solid[:, :3].astype(int) - [0xC0, 0x80, 0x40]).max() <= 1
    assert pixels[40, 40, 3] == round(0.6 * 255)


def test_painting_over_and_erasing() -> None:
    canvas = Canvas((10, 10), 4)
    canvas.fill(np.full_like(canvas.x, -1.0), "#000000")
    canvas.fill(circle(canvas.x, canvas.y, 3), "#ffffff", 0.5)
    canvas.erase(box(canvas.x - 5, canvas.y, 10, 20))
    pixels = canvas.pixels()
    assert pixels[20, 10].tolist() == [128, 128, 128, 255]
    assert pixels[20, 35, 3] == 0


def test_light_is_added_only_to_paint() -> None:
    canvas = Canvas((10, 10), 4)
    canvas.fill(circle(canvas.x, canvas.y, 2), "#101010")
    canvas.glow((0, 0), 5, "#ffffff")
    assert canvas.pixels()[20, 20, 0] > 200
    assert canvas.alpha[2, 2] == 0
    assert canvas.color[2, 2].max() == 0


@pytest.mark.parametrize("shape", [(7, 5), (9, 4, 3), (6, 11, 4), (1, 1, 4)])
def test_encoded_pictures_read_back_the_same(shape: tuple[int, ...]) -> None:
    pixels = np.random.default_rng(3).integers(0, 256, shape, dtype=np.uint8)
    pixels[: shape[0] // 2] //= 40
    with Image.open(io.BytesIO(encode(pixels))) as picture:
        assert np.array_equal(np.asarray(picture), pixels)


@pytest.mark.parametrize("kind", range(5))
def test_every_filter_is_undone_by_a_reader(kind: int) -> None:
    import struct
    import zlib

    pixels = np.random.default_rng(kind).integers(0, 5, (8, 6, 3), dtype=np.uint8)
    body = zlib.compress(filtered(pixels.reshape(8, 18), 3, kind))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 6, 8, 8, 2, 0, 0, 0))
    data = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    with Image.open(io.BytesIO(data)) as picture:
        assert np.array_equal(np.asarray(picture), pixels)
