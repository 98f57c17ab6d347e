"""Luma and chroma planes, compared with a version that computes every pixel separately."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.films.encoders.planes import WEIGHTS
from service.render.kernels import video
from tests.render.kernels import plain


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("full", [False, True])
def test_planes(channels: int, *, full: bool) -> None:
    random = np.random.default_rng(5)
    pixels = random.integers(0, 256, (14, 18, channels), dtype=np.uint8)
    pixels[:4, :6] = 255
    pixels[10:, 12:] = 0
    size = (14, 18) if full else (7, 9)
    wanted = plain.planes(pixels, WEIGHTS, full=full)
    assert (wanted[0].min(), wanted[0].max()) == (16, 235)
    for box in ((0, 0, 18, 14), (4, 2, 6, 8), (12, 10, 6, 4), (0, 0, 0, 0), (18, 14, 0, 0)):
        found = np.full((14, 18), 7, np.uint8), np.full(size, 7, np.uint8), np.full(size, 7, np.uint8)
        video.planes(pixels, box, WEIGHTS, *found)
        x, y, width, height = box
        for plane, (other, share) in zip(
            found, zip(wanted, (1, size[0] / 14, size[0] / 14), strict=True), strict=True
        ):
            rows = slice(round(y * share), round((y + height) * share))
            columns = slice(round(x * share), round((x + width) * share))
            assert (plane[rows, columns] == other[rows, columns]).all()
            plane[rows, columns] = 7
            assert (plane == 7).all(), "nothing beside the box is written"


def test_frames_that_do_not_fit_are_refused() -> None:
    pixels, luma, chroma = (
        np.zeros((4, 6, 3), np.uint8),
        np.zeros((4, 6), np.uint8),
        np.zeros((2, 3), np.uint8),
    )
    whole = 0, 0, 6, 4

    def refused(match: str, *given: Any) -> None:
        with pytest.raises(ValueError, match=match):
            video.planes(*given)

    refused("channels", np.zeros((4, 6, 2), np.uint8), whole, WEIGHTS, luma, chroma, chroma)
    for box in ((-2, 0, 2, 2), (0, -2, 2, 2), (0, 0, -2, 2), (0, 0, 2, -2), (2, 0, 6, 2), (0, 2, 2, 4)):
        refused("within its frame", pixels, box, WEIGHTS, luma, chroma, chroma)
    for weights in (WEIGHTS[:2], WEIGHTS[:, :2].copy()):
        refused("three weights", pixels, whole, weights, luma, chroma, chroma)
    for one in (luma[:3], luma[:, :5].copy()):
        refused("luma", pixels, whole, WEIGHTS, one, chroma, chroma)
    for one in (chroma[:1], chroma[:, :2].copy()):
        refused("half as large", pixels, whole, WEIGHTS, luma, one, one)
        refused("of one size", pixels, whole, WEIGHTS, luma, chroma, one)
    for box in ((1, 0, 2, 2), (0, 1, 2, 2), (0, 0, 3, 2), (0, 0, 2, 3)):
        refused("even", pixels, box, WEIGHTS, luma, chroma, chroma)
        video.planes(pixels, box, WEIGHTS, luma, luma.copy(), luma.copy())
