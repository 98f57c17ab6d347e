"""Luma and chroma planes, compared with a version that computes every pixel separately."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import U8
from service.films.encoders.planes import WEIGHTS
from service.render.kernels import video
from tests.render.kernels import plain


@pytest.mark.parametrize("full", [False, True])
def test_planes(*, full: bool) -> None:
    random = np.random.default_rng(5)
    pixels = random.integers(0, 256, (14, 34, 3), dtype=np.uint8)
    pixels[:4, :6] = 255
    pixels[10:, 28:] = 0
    size = (14, 34) if full else (7, 17)
    wanted = plain.planes(pixels, WEIGHTS, full=full)
    assert (wanted[0].min(), wanted[0].max()) == (16, 235)
    for box in (
        (0, 0, 34, 14),
        (0, 2, 20, 4),
        (4, 2, 6, 8),
        (12, 10, 22, 4),
        (2, 0, 2, 2),
        (0, 0, 0, 0),
        (34, 14, 0, 0),
    ):
        found = np.full((14, 34), 7, np.uint8), np.full(size, 7, np.uint8), np.full(size, 7, np.uint8)
        x, y, width, height = box
        video.planes(_part(pixels, box), (x, y), WEIGHTS, *found)
        for plane, (other, share) in zip(
            found, zip(wanted, (1, size[0] / 14, size[0] / 14), strict=True), strict=True
        ):
            rows = slice(round(y * share), round((y + height) * share))
            columns = slice(round(x * share), round((x + width) * share))
            assert (plane[rows, columns] == other[rows, columns]).all()
            plane[rows, columns] = 7
            assert (plane == 7).all(), "nothing beside the box is written"


def test_frames_that_do_not_fit_are_refused() -> None:
    whole, luma, chroma = (
        np.zeros((3, 4, 6), np.uint8),
        np.zeros((4, 6), np.uint8),
        np.zeros((2, 3), np.uint8),
    )
    here = 0, 0

    def refused(match: str, *given: Any) -> None:
        with pytest.raises(ValueError, match=match):
            video.planes(*given)

    refused("channels", np.zeros((4, 4, 6), np.uint8), here, WEIGHTS, luma, chroma, chroma)
    for place in ((-2, 0), (0, -2), (2, 0), (0, 2)):
        refused("within its frame", whole, place, WEIGHTS, luma, chroma, chroma)
    refused("within its frame", np.zeros((3, 2, 0), np.uint8), (2, 0), WEIGHTS, luma, chroma, chroma)
    for weights in (WEIGHTS[:2], WEIGHTS[:, :2].copy()):
        refused("three weights", whole, here, weights, luma, chroma, chroma)
    for one in (luma[:3], luma[:, :5].copy()):
        refused("within its frame", whole, here, WEIGHTS, one, chroma, chroma)
    for one in (chroma[:1], chroma[:, :2].copy()):
        refused("half as large", whole, here, WEIGHTS, luma, one, one)
        refused("of one size", whole, here, WEIGHTS, luma, chroma, one)
    for high, wide, x, y in ((2, 3, 1, 0), (2, 2, 0, 1), (2, 3, 0, 0), (3, 2, 0, 0)):
        part = np.zeros((3, high, wide), np.uint8)
        refused("even", part, (x, y), WEIGHTS, luma, chroma, chroma)
        video.planes(part, (x, y), WEIGHTS, luma, luma.copy(), luma.copy())


def _part(pixels: U8, box: tuple[int, int, int, int]) -> U8:
    """The channels (3, h, w) of a box, and of the column before it."""
    x, y, width, height = box
    part = pixels[y : y + height, max(x - 1, 0) : x + width]
    return np.ascontiguousarray(part.transpose(2, 0, 1))
