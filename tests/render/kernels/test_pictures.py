"""Grids interpolated to pixels."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.render.kernels import pictures


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
