"""Textures draped over light."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32
from service.render.kernels import draping
from tests.render.kernels import plain

SIZE = (6, 9)
RANDOM = np.random.default_rng(1)
PYRAMID = tuple(RANDOM.integers(0, 65536, (side, side, 4)).astype(np.uint16) for side in (32, 16, 8))
MEAN = PYRAMID[-1].mean(axis=(0, 1)).astype(np.float32)


def seen(apart: float, share: float = 1.0) -> tuple[F32, F32, F32]:
    """Pixels that show a flat picture, with `apart` mm between neighbours: `shown` (h, w, 6), share and
    light."""
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]] * apart
    shown = np.empty((*SIZE, 6), np.float32)
    shown[..., 0], shown[..., 1], shown[..., 2], shown[..., 3:] = columns, -rows, 1, (0.5, 0.75, 1)
    return shown * np.float32(share), np.full(SIZE, share, np.float32), np.full((*SIZE, 3), share, np.float32)


def laid(apart: float, share: float = 1.0, front: bool = True, **changed: Any) -> F32:
    shown, hit, rgb = seen(apart, share)
    given = {"shown": shown, "hit": hit, "rgb": rgb} | changed
    draping.drape(PYRAMID, MEAN, (0.0, 0.0, 1.0, 1.0, front), given["shown"], given["hit"], given["rgb"])
    return np.asarray(given["rgb"], np.float32)


def blended(samples: list[Any], share: float = 1.0) -> F32:
    own = np.array(samples) / 65535
    return np.asarray(share * (1 - own[:, 3:] + own[:, :3] * (0.5, 0.75, 1)), np.float32)


@pytest.mark.parametrize("share", [1.0, 0.25])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_pixels_take_the_size_whose_texels_are_as_far_apart(level: int, share: float) -> None:
    apart, picture = 1.0 * 2**level, PYRAMID[level]
    found, middle = laid(apart, share), (len(picture) - 1) / 2
    within = [(y, x) for y, x in np.ndindex(SIZE) if max(y, x) * apart < 15]
    want = blended([plain.pictured(picture, x + middle, y + middle) for y, x in within], share)
    np.testing.assert_allclose([found[at] for at in within], want, atol=2e-5)


def test_sizes_in_between_are_mixed() -> None:
    found = laid(np.sqrt(2))
    one, other = (plain.pictured(PYRAMID[at], half, half) for at, half in ((0, 15.5), (1, 7.5)))
    np.testing.assert_allclose(found[0, 0], blended([(one + other) / 2])[0], atol=3e-5)


def test_the_mean_replaces_smaller_sizes() -> None:
    np.testing.assert_allclose(laid(8.0)[0, 0], blended([MEAN])[0], atol=2e-5)


def test_only_the_visible_side_takes_the_picture() -> None:
    np.testing.assert_array_equal(laid(1.0, front=False), seen(1.0)[2])


def test_a_side_whose_share_is_a_rounding_error_takes_no_picture() -> None:
    shown, _, rgb = seen(1.0)
    shown[..., 2] = np.float32(1 - 1e-6)
    np.testing.assert_array_equal(laid(1.0, front=False, shown=shown), rgb)
    shown[2, 3, 2] = 0.5
    changed = (laid(1.0, front=False, shown=shown) != rgb).any(axis=2)
    np.testing.assert_array_equal(np.argwhere(changed), [[2, 3]])


def test_pixels_beyond_the_picture_stay_unchanged() -> None:
    np.testing.assert_array_equal(laid(4.0)[:, 5:], seen(4.0)[2][:, 5:])


def test_empty_pixels_stay_and_do_not_affect_neighbours() -> None:
    shown, hit, rgb = seen(1.0)
    hit[:, 4], shown[:, 4] = 0, np.nan
    found = laid(1.0, shown=shown, hit=hit)
    np.testing.assert_allclose(np.delete(found, 4, axis=1), np.delete(laid(1.0), 4, axis=1), atol=1e-6)
    np.testing.assert_array_equal(found[:, 4], rgb[:, 4])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38, -3e38])
def test_nan_places_cause_no_harm(bad: float) -> None:
    shown, hit, _ = seen(1.0)
    shown[1, :, 0], shown[:, 2, 1], shown[3, 3, 2] = bad, bad, bad
    laid(1.0, shown=shown, hit=hit)


def test_arrays_that_do_not_fit_are_refused() -> None:
    shown, hit, rgb = seen(1.0)
    good: list[Any] = [PYRAMID, MEAN, (0.0, 0.0, 1.0, 1.0, True), shown, hit, rgb]
    faults: dict[int, list[Any]] = {
        0: [(), (PYRAMID[0][..., :3].copy(),), (PYRAMID[0][:0],), 25 * PYRAMID[:1]],
        1: [MEAN[:3]],
        3: [shown[1:], shown[..., :5].copy()],
        4: [hit[1:], hit[:, 1:].copy()],
        5: [rgb[..., :2].copy(), rgb[1:]],
    }
    for place, values in faults.items():
        for value in values:
            with pytest.raises(ValueError, match=r"picture|pixel"):
                draping.drape(*(value if at == place else one for at, one in enumerate(good)))


@pytest.mark.parametrize("leans", [0.0, 0.004, 0.02, 0.9])
def test_density_is_measured_where_a_picture_is_nearest(leans: float) -> None:
    matrix = np.array([[1.5, 0.2, 7.0], [-0.3, 0.4, 9.0], [leans / 10, leans, 1.0]])
    for tolerance in (1.3, 50.0):
        found = draping.density(matrix, 40, 30, tolerance)
        np.testing.assert_allclose(found, plain.density(matrix, 40, 30, tolerance), rtol=1e-9)
    # Places behind the camera, and those on its horizon, harm nothing.
    draping.density(np.zeros((3, 3)), 40, 30, 1.3)
    draping.density(-matrix, 40, 30, 1.3)


def test_pictures_without_px_have_no_density() -> None:
    for matrix, wide, high in ((np.eye(2), 4, 3), (np.eye(3), 0, 3), (np.eye(3), 4, np.nan)):
        with pytest.raises(ValueError, match="picture"):
            draping.density(matrix, wide, high, 1.3)
