"""Pictures looked up at scattered places."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.render.kernels import pictures
from tests.render.kernels import plain

SIZE = (6, 7)
PICTURE = np.random.default_rng(1).integers(0, 65536, (5, 4, 4)).astype(np.uint16)


def places(seed: int, spread: float = 8.0) -> tuple[F32, F32, F32]:
    random = np.random.default_rng(seed)
    columns, rows = spread * random.random((2, *SIZE)) - 2
    return columns.astype(np.float32), rows.astype(np.float32), random.random(SIZE, np.float32)


def test_pictures_are_looked_up_between_pixels_and_go_on_beyond_them() -> None:
    columns, rows, weights = places(2)
    sums = np.ones((*SIZE, 4), np.float32)
    pictures.add(PICTURE, columns, rows, weights, sums)
    for at in np.ndindex(SIZE):
        want = 1 + weights[at] * plain.pictured(PICTURE, float(columns[at]), float(rows[at]))
        np.testing.assert_allclose(sums[at], want, rtol=1e-4)


def test_whole_numbers_are_the_middles_of_pixels() -> None:
    rows, columns = (way.astype(np.float32) for way in np.mgrid[:5, :4])
    sums = np.zeros((5, 4, 4), np.float32)
    pictures.add(PICTURE, columns, rows, np.ones((5, 4), np.float32), sums)
    np.testing.assert_array_equal(sums, PICTURE)


@pytest.mark.parametrize("weight", [0.0, -1.0, np.nan])
def test_what_has_no_weight_adds_nothing(weight: float) -> None:
    columns, rows, weights = places(3)
    sums = np.zeros((*SIZE, 4), np.float32)
    pictures.add(PICTURE, columns, rows, np.full_like(weights, weight), sums)
    assert not sums.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38, -3e38])
def test_places_that_are_none_harm_nothing(bad: float) -> None:
    columns, rows, weights = places(4)
    columns[1], rows[:, 2] = bad, bad
    sums = np.zeros((*SIZE, 4), np.float32)
    pictures.add(PICTURE, columns, rows, weights, sums)
    assert np.isfinite(sums).all()


def test_the_smallest_picture_is_one_pixel() -> None:
    columns, rows, weights = places(5)
    sums = np.zeros((*SIZE, 4), np.float32)
    pictures.add(PICTURE[:1, :1].copy(), columns, rows, weights, sums)
    np.testing.assert_allclose(sums, weights[..., None] * PICTURE[0, 0].astype(np.float32), rtol=1e-5)


def test_arrays_that_do_not_fit_are_refused() -> None:
    columns, rows, weights = places(6)
    sums = np.zeros((*SIZE, 4), np.float32)
    for wrong in (
        (PICTURE[..., :3].copy(), columns, rows, weights, sums),
        (PICTURE[:0], columns, rows, weights, sums),
        (PICTURE, columns[1:], rows, weights, sums),
        (PICTURE, columns, rows[:, 1:].copy(), weights, sums),
        (PICTURE, columns, rows, weights[1:], sums),
        (PICTURE, columns, rows, weights, sums[..., :3].copy()),
        (PICTURE, columns, rows, weights, sums[1:]),
    ):
        with pytest.raises(ValueError, match=r"picture|alike|sums"):
            pictures.add(*wrong)


@pytest.mark.parametrize("step", [1, 3, 48])
def test_grids_are_interpolated_to_every_pixel(step: int) -> None:
    high, wide = 7, 11
    grid = np.random.default_rng(7).random((-(-high // step) + 1, -(-wide // step) + 1, 4), np.float32)
    light, share = np.empty((high, wide, 3), np.float32), np.empty((high, wide), np.float32)
    pictures.enlarge(grid, step, light, share)
    for y, x in np.ndindex(high, wide):
        corner, down, across = grid[y // step :, x // step :], y % step / step, x % step / step
        want = (corner[0, 0] * (1 - across) + corner[0, 1] * across) * (1 - down)
        want = want + (corner[1, 0] * (1 - across) + corner[1, 1] * across) * down
        np.testing.assert_allclose([*light[y, x], share[y, x]], want, rtol=1e-5)


def test_grids_that_do_not_fit_are_refused() -> None:
    def zeros(*shape: int) -> F32:
        return np.zeros(shape, np.float32)

    for wrong in (
        (zeros(3, 4, 3), 3, zeros(6, 7, 3), zeros(6, 7)),
        (zeros(3, 4, 4), 0, zeros(6, 7, 3), zeros(6, 7)),
        (zeros(2, 4, 4), 3, zeros(6, 7, 3), zeros(6, 7)),
        (zeros(3, 3, 4), 3, zeros(6, 7, 3), zeros(6, 7)),
        (zeros(3, 4, 4), 3, zeros(6, 7, 4), zeros(6, 7)),
        (zeros(3, 4, 4), 3, zeros(6, 7, 3), zeros(5, 7)),
    ):
        with pytest.raises(ValueError, match=r"grid|px"):
            pictures.enlarge(*wrong)
