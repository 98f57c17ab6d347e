"""Warped pictures: each pixel is the mean of the area that it shows, and tiles leave no trace."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from benchmarks.measures import psnr
from service.arrays import F64, U8
from service.clock import Clock
from service.render.compose import sampled as sampling
from service.render.compose.sampled import _spread, box_weights, sampled
from service.render.geometry.raster import Box

BOX = Box(20, 10, 420, 460)
FINE = 8  # samples of the reference along each axis of a pixel


def opaque(pixels: U8) -> U8:
    return np.ascontiguousarray(pixels[..., :3])


def posed(scale: float, *, turn: float = 0.0, away: float = 0.0) -> F64:
    """The matrix of a picture of 900 × 1200 px around the middle of the box, rotated, with its right side
    farther away."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    to_middle = np.array([[1, 0, -450], [0, 1, -600], [0, 0, 1.0]])
    pose = np.array([[scale * c, -scale * s, 0], [scale * s, scale * c, 0], [away, 0, 1.0]])
    return np.asarray(np.array([[1, 0, 230], [0, 1, 240], [0, 0, 1.0]]) @ pose @ to_middle, np.float64)


def warped(picture: U8, matrix: F64, *, fast: bool = False) -> U8:
    return sampled(picture, matrix, BOX, opaque, Clock(), fast=fast)


def truth(picture: U8, matrix: F64) -> U8:
    """The warped picture, with many samples per pixel."""
    from_index = np.array([[1, 0, BOX.x * FINE + 0.5], [0, 1, BOX.y * FINE + 0.5], [0, 0, 1.0]])
    inverse = np.linalg.inv(np.diag([FINE, FINE, 1.0]) @ matrix) @ from_index
    inverse = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]]) @ inverse
    size = (BOX.width * FINE, BOX.height * FINE)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    fine = cv2.warpPerspective(picture, inverse, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(fine, (BOX.width, BOX.height), interpolation=cv2.INTER_AREA), np.uint8)


def inside(matrix: F64, by: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The pixels in the box that show the picture, shrunk by `by` px, or grown if `by` is negative."""
    corners = np.array([(0, 0, 1), (900, 0, 1), (900, 1200, 1), (0, 1200, 1.0)]) @ matrix.T
    mask = np.zeros((BOX.height, BOX.width), np.uint8)
    points = np.rint(corners[:, :2] / corners[:, 2:] - (BOX.x, BOX.y)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 1)
    kernel = np.ones((2 * abs(by) + 1,) * 2)
    return np.asarray((cv2.erode if by > 0 else cv2.dilate)(mask, kernel), np.bool_)


def lettered() -> U8:
    """Lines of letters in many sizes and several colours on white."""
    page = np.full((1200, 900, 3), 255, np.uint8)
    for row in range(36):
        at, height = (10 + row * 7 % 40, 30 + row * 33), 0.5 + row % 5 * 0.15
        color = ((0, 0, 0), (180, 30, 40), (20, 60, 200))[row % 3]
        cv2.putText(page, "The quick brown fox jumps over it", at, 3, height, color, 1 + row % 2, cv2.LINE_AA)
    return page


LETTERED = lettered()
POSES = [
    posed(0.3),
    posed(0.36, turn=20),
    posed(0.33, away=4e-4),
    posed(0.24, turn=-8, away=6e-4),
    posed(0.13),
    posed(0.1, turn=30, away=-3e-4),
]


@pytest.mark.parametrize("matrix", POSES)
def test_a_pixel_is_the_mean_of_its_area(matrix: F64) -> None:
    where = inside(matrix, 4)
    assert psnr(warped(LETTERED, matrix)[where], truth(LETTERED, matrix)[where]) > 39


@pytest.mark.parametrize(
    "matrix", [posed(0.24), posed(0.3), posed(0.31, turn=3), posed(0.33, away=2e-4), posed(0.4, turn=-8)]
)
def test_one_averaged_sample_is_enough_for_about_three_by_three_pixels(matrix: F64) -> None:
    way = sampling.choose(LETTERED, matrix, fast=False)
    assert (way.samples, way.averaged, way.scale) == (1, True, (1.0, 1.0))
    where = inside(matrix, 4)
    assert psnr(warped(LETTERED, matrix)[where], truth(LETTERED, matrix)[where]) > 44


@pytest.mark.parametrize("matrix", [*POSES, posed(0.5), posed(0.31, turn=80, away=6e-4), posed(0.16)])
def test_other_pixels_take_more_samples(matrix: F64) -> None:
    way = sampling.choose(LETTERED, matrix, fast=False)
    assert (way.samples == 1) == any(matrix is one for one in POSES[:2])


@pytest.mark.parametrize("matrix", [*POSES, posed(0.95), posed(2.0), posed(0.02), posed(0.3, away=1.9e-3)])
@pytest.mark.parametrize("fast", [False, True])
def test_flat_colours_stay(matrix: F64, fast: bool) -> None:
    color = (255, 1, 130)
    picture = np.full((1200, 900, 3), color, np.uint8)
    where = inside(matrix, 1)
    assert where.any()
    assert (warped(picture, matrix, fast=fast)[where] == color).all()


@pytest.mark.parametrize("matrix", POSES)
def test_tiles_do_not_show(matrix: F64, monkeypatch: pytest.MonkeyPatch) -> None:
    # Tiles choose the widths that their pixels average over, and these differ little between neighbours.
    monkeypatch.setattr(sampling, "TILE", 64)
    small = warped(LETTERED, matrix)
    monkeypatch.setattr(sampling, "TILE", 100)
    other = warped(LETTERED, matrix)
    where = inside(matrix, 2)
    apart = np.abs(small.astype(int) - other)[where]
    assert apart.max() <= 20
    assert apart.mean() < 0.5


@pytest.mark.parametrize("turn", [20, 45])
def test_tiles_away_from_a_picture_are_left_out(turn: float, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = posed(0.25, turn=turn)
    monkeypatch.setattr(sampling, "TILE", 32)
    light = warped(np.full((1200, 900, 3), 200, np.uint8), matrix)
    # Pixels at the edge take colour from just beyond it.
    assert (light[inside(matrix, -4)] == 200).all()
    assert not light[~inside(matrix, -80)].any()


def test_a_picture_is_visible_beyond_its_horizon() -> None:
    # The horizon of the plane crosses the picture; the part in front of it is still warped.
    matrix = posed(0.3, away=-2.2e-3)
    light = warped(np.full((1200, 900, 3), 90, np.uint8), matrix)
    assert (light == 90).any()


def test_weights_have_the_variance_and_an_exact_sum() -> None:
    for variance in (*np.geomspace(0.11, 80, 60), 200.0):
        weights = box_weights(variance).astype(float)
        reach = len(weights) // 2
        assert (weights * 256).sum() == 256, variance
        assert np.array_equal(weights * 256, np.rint(weights * 256)), variance
        assert np.array_equal(weights, weights[::-1]), variance
        assert (weights >= 0).all(), variance
        spread = float((weights * np.arange(-reach, reach + 1) ** 2).sum())
        assert spread == pytest.approx(min(variance, sampling.WIDEST), rel=0.08)


@pytest.mark.parametrize(
    "matrix", [posed(0.3), posed(0.24, turn=-8, away=6e-4), posed(0.5, turn=50, away=1e-3)]
)
def test_a_pixel_spreads_over_the_picture_as_its_corners_do(matrix: F64) -> None:
    at = np.array([400.0, 700.0])
    sides = np.array([(1, 0), (0, 1)]) * 1e-3
    here, *beside = (matrix @ (*place, 1) for place in (at, *(at + sides)))
    jacobian = np.array([one[:2] / one[2] - here[:2] / here[2] for one in beside]).T / 1e-3
    # Both ways of a pixel have a variance of 1/12.
    wanted = (np.linalg.inv(jacobian) ** 2).sum(axis=1) / 12
    assert _spread(matrix, (400.0, 700.0)) == pytest.approx(wanted, rel=1e-3)


def test_small_areas_are_not_averaged() -> None:
    assert box_weights(0.05).tolist() == [1.0]
    assert box_weights(-0.2).tolist() == [1.0]
