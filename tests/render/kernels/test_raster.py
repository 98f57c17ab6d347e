"""Rasterisation of triangles: exact areas, and the nearest triangle of each sample."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from service.arrays import F32, F64
from service.render.kernels import raster
from tests.render.kernels import plain
from tests.support.seeds import seeded

WIDTH, HEIGHT = 9, 7
NONE = np.zeros((HEIGHT, WIDTH, 0), np.float32)  # no further channels


def scattered(seed: int, reach: float = 4.0) -> tuple[F64, F64, F32, NDArray[np.int32]]:
    """Points on and beside the canvas with their nearness and colours, and triangles between them."""
    random = np.random.default_rng(seed)
    points = random.uniform((-reach, -reach), (WIDTH + reach, HEIGHT + reach), (12, 2))
    # These edges coincide with borders of pixels, horizontally and vertically.
    points[:4] = np.round(points[:4])
    points[4, 1], points[5, 0] = points[0, 1], points[1, 0]
    nearness, colors = random.uniform(0.4, 2.5, 12), random.uniform(0, 2, (12, 3)).astype(np.float32)
    triangles = np.stack([random.permutation(12)[:3] for _ in range(6)]).astype(np.int32)
    return points, nearness, colors, triangles


def blank(width: int = WIDTH, height: int = HEIGHT) -> tuple[F32, F32]:
    return np.zeros((height, width, 3), np.float32), np.zeros((height, width), np.float32)


@pytest.mark.parametrize("reach", [0.0, 4.0, 300.0])
@seeded(30)
def test_areas_are_those_of_clipped_triangles(seed: int, reach: float) -> None:
    given = scattered(seed, reach)
    rgb, hit = blank()
    raster.areas(*given, rgb, hit)
    want, share = plain.areas(*given, WIDTH, HEIGHT)
    np.testing.assert_allclose(hit, share, atol=3e-6)
    np.testing.assert_allclose(rgb, want, atol=2e-5)


@seeded(20)
def test_tiny_triangles_have_their_area_and_colour(seed: int) -> None:
    points, nearness, colors, triangles = scattered(seed, 0.0)
    points = points * 0.03 + 3.1
    rgb, hit = blank()
    raster.areas(points, nearness, colors, triangles, rgb, hit)
    want, share = plain.areas(points, nearness, colors, triangles, WIDTH, HEIGHT)
    np.testing.assert_allclose(hit, share, atol=1e-6)
    # For so small an area, the kernel takes the mean of the corners' colours.
    assert np.abs(rgb - want).max() < 0.05 * share.max()


@pytest.mark.parametrize("sides", [3, 5, 64])
def test_a_polygon_has_its_area_wherever_it_is(sides: int) -> None:
    turn = 2 * np.pi * np.arange(sides) / sides
    ring = np.column_stack([40.3 + 31.7 * np.cos(turn), 37.9 + 31.7 * np.sin(turn)])
    points = np.concatenate([[[40.3, 37.9]], ring])
    at = np.arange(sides)
    fan = np.column_stack([0 * at, 1 + at, 1 + (at + 1) % sides]).astype(np.int32)
    rgb, hit = blank(80, 80)
    raster.areas(points, np.ones(sides + 1), np.full((sides + 1, 3), 0.25, np.float32), fan, rgb, hit)
    assert hit.sum(dtype=np.float64) == pytest.approx(
        sides / 2 * 31.7**2 * math.sin(2 * np.pi / sides), rel=1e-6
    )
    assert hit.max() < 1 + 1e-5
    # A uniform colour must not change, and pixels inside must be covered completely.
    np.testing.assert_allclose(rgb, 0.25 * hit[..., None] * np.ones(3), atol=1e-6)
    assert abs(hit[30:45, 33:48] - 1).max() < 1e-5


def test_order_of_corners_does_not_matter() -> None:
    points, nearness, colors, triangles = scattered(3)
    one, other = blank(), blank()
    raster.areas(points, nearness, colors, triangles, *one)
    raster.areas(points, nearness, colors, np.ascontiguousarray(triangles[:, ::-1]), *other)
    np.testing.assert_allclose(one[1], other[1], atol=1e-6)
    np.testing.assert_allclose(one[0], other[0], atol=1e-5)


@pytest.mark.parametrize("samples", [1, 3, 6])
@seeded(4)
def test_the_nearest_triangle_has_the_sample(seed: int, samples: int) -> None:
    points, nearness, colors, triangles = scattered(seed)
    points += 1e-4 * np.sqrt(2)  # moves the edges off the samples
    rgb, hit = blank()
    raster.nearest(points, nearness, colors, triangles, samples, (rgb, hit, NONE))
    want, share = plain.nearest(points, nearness, colors, triangles, samples, WIDTH, HEIGHT)
    np.testing.assert_allclose(hit, share, atol=1e-6)
    np.testing.assert_allclose(rgb, want, atol=2e-5)


def test_samples_may_have_any_number_of_channels() -> None:
    points, nearness, colors, triangles = scattered(4)
    (rgb, hit), (own, share), more = blank(), blank(), np.zeros((HEIGHT, WIDTH, 4), np.float32)
    raster.nearest(points, nearness, colors, triangles, 3, (rgb, hit, NONE))
    wide = np.concatenate([colors, colors[:, :1], colors], axis=1)
    raster.nearest(points, nearness, wide, triangles, 3, (own, share, more))
    np.testing.assert_array_equal(own, rgb)
    np.testing.assert_array_equal(share, hit)
    np.testing.assert_array_equal(more, np.concatenate([rgb[..., :1], rgb], axis=2))
    for other in (more[..., :3].copy(), more[:, 1:].copy(), more[1:].copy()):
        with pytest.raises(ValueError, match="channels"):
            raster.nearest(points, nearness, wide, triangles, 3, (own, share, other))
    with pytest.raises(ValueError, match="channels"):
        raster.areas(points, nearness, wide, triangles, rgb, hit)


@pytest.mark.parametrize("size", [(32, 32), (33, 31), (100, 65)])
def test_tiles_leave_no_seam(size: tuple[int, int]) -> None:
    """A square that covers everything, seen at an angle, has one colour and no hole."""
    width, height = size
    points = np.array([[-1.0, -1], [width + 1, -1], [width + 1, height + 1], [-1, height + 1]])
    colors, near = np.full((4, 3), 0.5, np.float32), np.array([1.0, 2, 2, 1])
    square = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    for samples in (1, 3):
        (rgb, hit), more = blank(width, height), np.zeros((height, width, 0), np.float32)
        raster.nearest(points, near, colors, square, samples, (rgb, hit, more))
        np.testing.assert_allclose(hit, 1, atol=1e-6)
        np.testing.assert_allclose(rgb, 0.5, atol=1e-5)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300, -1e300, 1e9])
def test_places_far_out_of_bounds_cause_no_harm(bad: float) -> None:
    points, nearness, colors, triangles = scattered(1)
    points[triangles[0, 0]] = bad
    for samples in (0, 3):
        rgb, hit = blank()
        if samples:
            raster.nearest(points, nearness, colors, triangles, samples, (rgb, hit, NONE))
        else:
            raster.areas(points, nearness, colors, triangles, rgb, hit)
        assert np.isfinite(hit).all()
        assert hit.min() >= 0


def test_empty_boxes_and_meshes_paint_nothing() -> None:
    points, nearness, colors, triangles = scattered(0)
    for width, height in ((0, 5), (5, 0)):
        raster.areas(points, nearness, colors, triangles, *blank(width, height))
        none = np.zeros((height, width, 0), np.float32)
        raster.nearest(points, nearness, colors, triangles, 2, (*blank(width, height), none))
    rgb, hit = blank()
    raster.areas(points, nearness, colors, triangles[:0], rgb, hit)
    raster.nearest(points, nearness, colors, triangles[:0], 2, (rgb, hit, NONE))
    assert not hit.any()


def test_arrays_that_do_not_fit_are_refused() -> None:
    points, nearness, colors, triangles = scattered(0)
    rgb, hit = blank()
    good = (points, nearness, colors, triangles, rgb, hit)
    faults: dict[int, list[object]] = {
        0: [np.zeros((12, 3)), np.zeros((11, 2)), points.astype(np.float32), points.T.copy().T],
        1: [nearness[:-1], nearness.astype(np.float32)],
        2: [colors[:-1], np.zeros((12, 4), np.float32)],
        3: [triangles + 6, triangles - 6, triangles.astype(np.int64), np.zeros((2, 4), np.int32)],
        4: [np.zeros((HEIGHT, WIDTH, 4), np.float32), np.zeros((HEIGHT, WIDTH + 1, 3), np.float32)],
        5: [np.zeros((HEIGHT + 1, WIDTH), np.float32), np.zeros((HEIGHT, WIDTH))],
    }
    for place, values in faults.items():
        for value in values:
            given = [value if at == place else one for at, one in enumerate(good)]
            with pytest.raises(ValueError, match=r"\w"):
                raster.areas(*given)
            sampled: tuple[Any, ...] = (*given[:4], 2, (*given[4:], NONE))
            with pytest.raises(ValueError, match=r"\w"):
                raster.nearest(*sampled)
    for samples in (0, 17, -1):
        with pytest.raises(ValueError, match="samples"):
            raster.nearest(points, nearness, colors, triangles, samples, (rgb, hit, NONE))
    assert not hit.any()
