"""Bilinear samples at scattered places: between px, beyond edges, many at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from service.arrays import F32, F64
from service.render.scattered import LONGEST, ROW, bilinear

FINEST = 1 / 32  # px; OpenCV may round places to multiples of this


def mean(picture: NDArray[Any], columns: F32, rows: F32) -> F64:
    """The mean of the four px around each place, weighted by distance; beyond the edges, the outermost px
    repeat."""
    high, wide = picture.shape[:2]
    x, y = np.clip(columns, 0, wide - 1), np.clip(rows, 0, high - 1)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    right, low = np.minimum(left + 1, wide - 1), np.minimum(top + 1, high - 1)
    a, b = ((way - np.floor(way)).reshape(*way.shape, *[1] * (picture.ndim - 2)) for way in (x, y))
    upper = (1 - a) * picture[top, left] + a * picture[top, right]
    return np.asarray((1 - b) * upper + b * ((1 - a) * picture[low, left] + a * picture[low, right]))


@pytest.mark.parametrize(
    "shape", [(7,), (1, 7), (5, 3), (2, 3, 4), (ROW + 1,), (LONGEST + 1,), (2, LONGEST + 1)]
)
@pytest.mark.parametrize(("dtype", "channels"), [(np.float32, 3), (np.uint16, 4), (np.uint8, 0)])
def test_places_have_the_mean_of_the_px_around_them(
    shape: tuple[int, ...], dtype: type[np.generic], channels: int
) -> None:
    random = np.random.default_rng(1)
    picture = random.integers(0, 256, (5, 9, *[channels] * bool(channels))).astype(dtype)
    columns, rows = (random.uniform(-3, side + 2, shape).astype(np.float32) for side in (9, 5))
    found = bilinear(picture, columns, rows)
    assert found.dtype == dtype
    assert found.shape == (*shape, *picture.shape[2:])
    off = np.abs(found.astype(np.float64) - mean(picture, columns, rows))
    assert off.max() <= 255 * FINEST + 1


def test_whole_numbers_are_the_middles_of_px() -> None:
    picture = np.arange(12, dtype=np.float32).reshape(3, 4)
    columns, rows = (way.ravel() for way in np.meshgrid(np.arange(4.0), np.arange(3.0)))
    found = bilinear(picture, columns.astype(np.float32), rows.astype(np.float32))
    np.testing.assert_array_equal(found, picture.ravel())


def test_beyond_its_edges_a_picture_repeats_its_last_px() -> None:
    picture = np.arange(12, dtype=np.float32).reshape(3, 4)
    columns, rows = np.array([-0.5, 9, 3.5, 1], np.float32), np.array([0, 7, 0, -2], np.float32)
    np.testing.assert_array_equal(bilinear(picture, columns, rows), [0, 11, 3, 1])


@pytest.mark.parametrize("shape", [(0,), (4, 0), (0, 4)])
def test_empty_places_give_empty_samples(shape: tuple[int, ...]) -> None:
    none = np.empty(shape, np.float32)
    assert bilinear(np.ones((2, 2, 3), np.float32), none, none).shape == (*shape, 3)
