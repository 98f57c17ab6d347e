"""Pictures on walls that continue over rounded edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32, U16
from service.render.kernels import wrapping

from . import plain

WALL = np.array([2.0, 1.5, 30.0], np.float32)
# Changes from column to column and from row to row, and the first value, of starts and directions.
RAYS = np.array(
    [
        [0.21, 0.02, -3.0],
        [-0.03, 0.3, -4.0],
        [0.04, 0.01, 5.0],
        [1e-4, 2e-4, 0.1],
        [-2e-4, 3e-4, -0.05],
        [3e-4, -1e-4, -0.9],
    ]
)
PICTURE = np.random.default_rng(5).integers(0, 65536, (9, 7, 4)).astype(np.uint16)
PLACING = np.array([-1.5, 2.3, 3.0, 1.4, 0.0, 8.0])


def corners(turn: float = 0.0) -> tuple[F32, F32]:
    """The places of the corners of 21 by 25 pixels on a wall; a `turn` in radians lifts the rays."""
    rays = RAYS.copy()
    rays[4:] = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ rays[4:]
    along, above = np.empty((2, 22, 26), np.float32)
    wrapping.meet(rays, WALL, along, above)
    row, column = np.mgrid[:22, :26]
    values = (rays @ np.stack([column.ravel(), row.ravel(), np.ones(22 * 26)])).reshape(6, 22, 26)
    want = plain.wall_met(values.astype(np.float32), WALL)
    np.testing.assert_allclose(along, want[0], rtol=2e-4, atol=2e-3)
    np.testing.assert_allclose(above, want[1], rtol=2e-4, atol=2e-3)
    return along, above


@pytest.mark.parametrize("turn", [0.0, 0.9, -0.9, 1.4, 2.0])
def test_rays_meet_walls_and_their_edges(turn: float) -> None:
    _, above = corners(turn)
    assert (np.abs(above) <= WALL[:2].sum() * 1.001).all()
    assert (np.abs(above) > WALL[0]).any()


@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("channels", [1, 4])
def test_pixels_show_the_mean_of_samples(samples: int, channels: int) -> None:
    along, above = corners()
    picture = np.ascontiguousarray(PICTURE[..., :channels])
    laid = np.full((21, 25, channels), 7, np.uint16)
    wrapping.wrap(picture, PLACING, along, above, samples, laid)
    want = plain.wrapped(picture, PLACING, along, above, samples)
    assert (want > 0).any()
    assert (want == 0).any()
    np.testing.assert_allclose(laid, want, atol=12)


def test_rows_at_the_end_of_a_wall_are_repeated() -> None:
    along, above = np.zeros((2, 2), np.float32), np.full((2, 2), 50, np.float32)
    ended, left = np.zeros((1, 1, 4), np.uint16), np.zeros((1, 1, 4), np.uint16)
    wrapping.wrap(PICTURE, PLACING, along, above, 2, ended)
    free = np.array([*PLACING[:4], -np.inf, np.inf])
    wrapping.wrap(PICTURE, free, along, above, 2, left)
    assert ended.any()
    assert not left.any()


def test_light_follows_the_lean_of_a_wall() -> None:
    _, above = corners()
    leans = np.array([-1, -0.7, 0, 0.7, 1], np.float32)
    light = np.random.default_rng(3).random((5, 3)).astype(np.float32)
    white = np.empty((21, 25, 3), np.float32)
    wrapping.shine(above, WALL, leans, light, white)
    np.testing.assert_allclose(white, plain.shone(above, WALL, leans, light), atol=1e-5)
    wrapping.shine(np.full((22, 26), np.nan, np.float32), WALL, leans, light, white)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e30])
def test_bad_numbers_cause_no_harm(bad: float) -> None:
    along, above = np.empty((2, 4, 5), np.float32)
    wrapping.meet(RAYS * bad, WALL, along, above)
    laid = np.zeros((3, 4, 4), np.uint16)
    wrapping.wrap(PICTURE, PLACING, along, above, 3, laid)
    wrapping.wrap(PICTURE, PLACING, np.full_like(along, bad), np.full_like(above, bad), 3, laid)


def test_arrays_that_do_not_fit_are_refused() -> None:
    def zeros(*shape: int) -> F32:
        return np.zeros(shape, np.float32)

    def levels(*shape: int) -> U16:
        return np.zeros(shape, np.uint16)

    refused: list[tuple[Any, tuple[Any, ...], list[tuple[int, Any]]]] = [
        (
            wrapping.meet,
            (RAYS, WALL, zeros(3, 4), zeros(3, 4)),
            [(0, RAYS[:5]), (0, RAYS[:, :2].copy()), (1, WALL[:2]), (3, zeros(3, 5)), (3, zeros(2, 4))],
        ),
        (
            wrapping.wrap,
            (PICTURE, PLACING, zeros(3, 4), zeros(3, 4), 2, levels(2, 3, 4)),
            [
                (0, levels(2, 2, 5)), (0, levels(0, 2, 4)), (0, levels(2, 2, 3)), (1, PLACING[:5]),
                (2, zeros(3, 3)), (2, zeros(2, 4)), (3, zeros(3, 3)), (3, zeros(2, 4)), (4, 0),
                (5, levels(2, 3, 3)),
            ],
        ),
        (
            wrapping.shine,
            (zeros(3, 4), WALL, WALL, zeros(3, 3), zeros(2, 3, 3)),
            [
                (0, zeros(3, 3)), (0, zeros(2, 4)), (1, WALL[:2]), (2, WALL[:1]), (3, zeros(2, 3)),
                (3, zeros(3, 2)), (4, zeros(2, 3, 4)),
            ],
        ),
    ]  # fmt: skip
    for call, right, wrong in refused:
        call(*right)
        for place, one in wrong:
            with pytest.raises(ValueError, match=r"rays|corner|picture|wall|light"):
                call(*right[:place], one, *right[place + 1 :])
