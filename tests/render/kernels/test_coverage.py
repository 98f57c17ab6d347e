"""The coverage of pixels by polygons, compared with clipping and with their areas."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F64, U8
from service.render.kernels import coverage
from tests.render.kernels import plain
from tests.support.seeds import seeded

HEIGHT, WIDTH = 9, 12


def covered(*polygons: F64, height: int = HEIGHT, width: int = WIDTH) -> U8:
    found = np.full((len(polygons), height, width), 77, np.uint8)
    ends = np.cumsum([len(one) for one in polygons]).astype(np.int32)
    points = np.concatenate(polygons) if polygons else np.zeros((0, 2))
    coverage.areas(np.ascontiguousarray(points, np.float64), ends, found)
    return found


def star(seed: int) -> F64:
    """A simple polygon, some of it beyond the pixels."""
    random = np.random.default_rng(seed)
    turn = np.sort(random.uniform(0, 2 * np.pi, 9))
    reach = random.uniform(1, 8, 9)
    return np.stack([5.3 + reach * np.cos(turn), 4.1 + reach * np.sin(turn)], axis=1)


@pytest.mark.parametrize("back", [False, True])
@seeded(8)
def test_coverage_is_that_of_clipping_whichever_way_the_outline_runs(seed: int, back: bool) -> None:
    shape = star(seed)[:: -1 if back else 1]
    want = 255 * plain.covered(shape, HEIGHT, WIDTH)
    assert np.abs(covered(shape)[0] - want).max() <= 0.51


def test_whole_pixels_are_full_and_the_rest_is_empty() -> None:
    box = np.array([[2.0, 1.0], [7, 1], [7, 6], [2, 6]])
    found = covered(box)[0]
    assert (found[1:6, 2:7] == 255).all()
    assert found.sum() == 25 * 255


def test_slivers_leave_their_area() -> None:
    thin = np.array([[1.0, 4.25], [11, 4.25], [11, 4.35], [1, 4.35]])
    assert (covered(thin)[0, 4, 1:11] == 26).all()
    assert covered(thin).sum() == 260


@pytest.mark.parametrize("x", [-40.0, -4.0, 6.0, 40.0])
@pytest.mark.parametrize("y", [-40.0, -4.0, 5.0, 40.0])
def test_polygons_beyond_the_canvas_cover_the_part_inside(x: float, y: float) -> None:
    shape = np.array([[0.0, -7], [9, 0], [0, 8], [-8.5, 0]]) + np.array([x, y])
    want = 255 * plain.covered(shape, HEIGHT, WIDTH)
    assert np.abs(covered(shape)[0] - want).max() <= 0.51


def test_polygons_have_layers_of_their_own() -> None:
    shapes = [star(seed) for seed in range(3)]
    found = covered(*shapes)
    for own, shape in zip(found, shapes, strict=True):
        np.testing.assert_array_equal(own, covered(shape)[0])


def test_a_long_canvas_is_summed_in_bands_without_seams() -> None:
    shape = np.array([[3.0, 2], [60, 2], [60, 3990], [3, 3990]])
    found = covered(shape, height=4000, width=64)[0]
    assert (found[2:3990, 3:60] == 255).all()
    assert found.sum() == 255 * 3988 * 57


def test_parts_of_other_pictures_are_left_alone() -> None:
    whole = np.full((HEIGHT, 2 * WIDTH), 9, np.uint8)
    shape = star(1)
    coverage.areas(shape, np.array([len(shape)], np.int32), whole[None, :, WIDTH:])
    np.testing.assert_array_equal(whole[:, WIDTH:], covered(shape)[0])
    assert (whole[:, :WIDTH] == 9).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300, -1e18])
def test_nan_causes_no_harm(bad: float) -> None:
    for place in np.ndindex(3, 2):
        shape = np.array([[1.0, 1], [8, 2], [4, 7]])
        shape[place] = bad
        covered(shape)


def test_empty_input_gives_empty_coverage() -> None:
    assert not covered(np.zeros((0, 2)), np.array([[3.0, 3.0]])).any()
    assert covered(star(0), height=0).shape == (1, 0, WIDTH)
    assert covered().shape == (0, HEIGHT, WIDTH)


@pytest.mark.parametrize(
    ("columns", "ends", "count"), [(3, [4], 1), (2, [5], 1), (2, [-1], 1), (2, [4], 2), (2, [4, 3], 2)]
)
def test_arrays_that_do_not_fit_are_refused(columns: int, ends: list[int], count: int) -> None:
    with pytest.raises(ValueError, match=r"polygon"):
        coverage.areas(
            np.zeros((4, columns)), np.array(ends, np.int32), np.zeros((count, HEIGHT, WIDTH), np.uint8)
        )
