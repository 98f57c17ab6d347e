"""Grids interpolated to pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32
from service.render.kernels import pictures
from tests.render.kernels import plain


@pytest.mark.parametrize("step", [1, 3, 48])
def test_grids_are_interpolated_to_every_pixel(step: int) -> None:
    high, wide = 7, 11
    grid = np.random.default_rng(7).random((-(-high // step) + 1, -(-wide // step) + 1, 4), np.float32)
    light, share = np.empty((high, wide, 3), np.float32), np.empty((high, wide), np.float32)
    pictures.enlarge(grid, step, light, share)
    want = plain.enlarged(grid, step, light.shape[:2])
    np.testing.assert_allclose(np.dstack([light, share]), want, rtol=1e-5)


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


@pytest.mark.parametrize("columns", [1, 5, 40])
def test_rays_meet_a_rectangle_at_the_computed_place(columns: int) -> None:
    random, n = np.random.default_rng(3), 40
    points = random.normal(size=(n, 3)).astype(np.float32) + np.array([0, 0, 4], np.float32)
    ways = random.normal(size=(n, 3)).astype(np.float32) * 0.3 - np.array([0, 0, 1], np.float32)
    ways[::7] *= -1
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0].astype(np.float32)
    points, ways = points @ axes, np.ascontiguousarray(ways @ axes)
    slab = np.array([0.1, 0.2, 0.3, *axes.ravel(), 3, 2, 2], np.float32)
    met, found = np.empty(n, np.int32), np.empty((n, 4), np.float32)
    count = pictures.meet(points, ways, slab, columns, np.empty((3, n), np.float32), met, found)
    at, want = plain.met(points, ways, slab, columns)
    assert 0 < count < n
    assert met[:count].tolist() == at.tolist()
    np.testing.assert_allclose(found[:count], want, rtol=2e-4, atol=2e-4)


def test_rays_that_do_not_fit_are_refused() -> None:
    def zeros(*shape: int) -> F32:
        return np.zeros(shape, np.float32)

    right = zeros(6, 3), zeros(6, 3), zeros(15), 3, zeros(3, 6), np.zeros(6, np.int32), zeros(6, 4)
    pictures.meet(*right)
    for place, wrong in (
        (0, zeros(6, 2)), (1, zeros(5, 3)), (2, zeros(14)), (3, 4), (3, 0), (4, zeros(2, 6)),
        (5, np.zeros(5, np.int32)), (6, zeros(6, 3)),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"points|room|numbers"):
            pictures.meet(*(wrong if number == place else one for number, one in enumerate(right)))


MATRIX = np.array([[0.31, 0.05, -1.2], [-0.04, 0.27, 0.3], [0.0004, -0.0006, 1.0]])


@pytest.mark.parametrize("shape", [(5, 6), (1, 6), (4, 1)])
def test_pictures_on_planes_are_seen_pixel_by_pixel(shape: tuple[int, int]) -> None:
    random, (high, wide) = np.random.default_rng(4), (19, 23)
    picture = random.normal(size=(*shape, 4)).astype(np.float32)
    want = plain.projected(picture, MATRIX, (high, wide))
    light, share = np.full((high, wide, 3), 9, np.float32), np.full((high, wide), 9, np.float32)
    some = random.integers(0, 3, (high, wide)).astype(np.uint8)
    pictures.project(picture, MATRIX, (0, 0), some, light, share, False)
    # The kernel projects every eighth pixel and interpolates the places between.
    found = np.dstack([light, share])
    np.testing.assert_allclose(found[some > 0], want[some > 0], atol=8e-3)
    assert (found[some == 0] == 9).all()
    before, cover = light.copy(), random.integers(0, 256, (7, 9)).astype(np.uint8)
    cover[2], at = 0, (slice(3, 10), slice(5, 14))
    pictures.project(picture, MATRIX, (5, 3), cover, light, share, True)
    before[at] = (
        np.maximum(before[at] + want[at][..., :3] * (cover / 255)[..., None], 0) * (cover > 0)[..., None]
        + before[at] * (cover == 0)[..., None]
    )
    np.testing.assert_allclose(light, before, atol=8e-3)


def test_pictures_on_planes_that_do_not_fit_are_refused() -> None:
    light, share = np.zeros((6, 7, 3), np.float32), np.zeros((6, 7), np.float32)
    right = np.zeros((2, 3, 4), np.float32), MATRIX, (1, 1), np.zeros((3, 4), np.uint8), light, share, True
    pictures.project(*right)
    for place, wrong in (
        (0, np.zeros((0, 3, 4), np.float32)), (0, np.zeros((2, 3, 3), np.float32)), (1, np.eye(2)),
        (2, (4, 1)), (2, (1, -1)), (4, light[..., :2].copy()), (5, share[1:]),
    ):  # fmt: skip
        given: list[Any] = [*right[:place], wrong, *right[place + 1 :]]
        with pytest.raises(ValueError, match=r"picture|matrix|px"):
            pictures.project(*given)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan_matrices_cause_no_harm(bad: float) -> None:
    light, share = np.zeros((6, 7, 3), np.float32), np.zeros((6, 7), np.float32)
    cover = np.ones((6, 7), np.uint8)
    pictures.project(np.ones((2, 3, 4), np.float32), MATRIX * bad, (0, 0), cover, light, share, False)
    assert (light == 1).all()
