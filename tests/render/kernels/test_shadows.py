"""The outlines of shadows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from service.render.kernels import shadows
from tests.render.kernels import plain


def test_outlines_are_the_hulls_of_points_moved_by_their_heights() -> None:
    random = np.random.default_rng(5)
    shapes = [
        np.column_stack([60 * random.random((count, 2)), 9 * random.random(count)]) for count in (40, 3)
    ]
    ways = random.normal(size=(6, 2))
    corners, ends = shadows.outlines(np.concatenate(shapes), np.array([40, 43], np.int32), ways)
    assert ends.shape == (6, 2)
    found = iter(np.split(corners, ends.ravel()[:-1]))
    for way in ways:
        for shape in shapes:
            # Both outlines run in the same direction, but may begin at different corners.
            own, wanted = next(found).tolist(), plain.outline(shape, way)
            at = wanted.index(own[0])
            assert own == wanted[at:] + wanted[:at]


def test_points_on_a_side_of_an_outline_are_no_corners() -> None:
    square = np.array([[x, y, 0] for x in range(4) for y in range(4)] * 2, np.float64)
    corners, ends = shadows.outlines(square, np.array([32], np.int32), np.zeros((1, 2)))
    assert sorted(corners.tolist()) == [[0, 0], [0, 3], [3, 0], [3, 3]]
    assert cv2.contourArea(corners) == 9
    assert ends.tolist() == [[4]]


@pytest.mark.parametrize("points", [[[3, 4, 0]], [[3, 4, 0], [3, 4, 0]], [[0, 0, 0], [1, 1, 0], [2, 2, 0]]])
def test_shapes_without_area_have_an_outline(points: list[list[float]]) -> None:
    corners, _ = shadows.outlines(
        np.array(points, np.float64), np.array([len(points)], np.int32), np.zeros((1, 2))
    )
    assert {tuple(one) for one in corners.tolist()} == {tuple(points[0][:2]), tuple(points[-1][:2])}


def test_places_are_rounded_to_the_nearest_and_kept_finite() -> None:
    points = np.array([[0.5, 1.5, 0], [np.inf, -1e300, 0], [np.nan, 2.4, 0]])
    each = [
        shadows.outlines(one[None], np.array([1], np.int32), np.zeros((1, 2)))[0].tolist() for one in points
    ]
    far = 1 << 28
    assert each == [[[0, 2]], [[far, -far]], [[-far, 2]]]


def test_empty_shapes_have_no_outline() -> None:
    none, ways = np.zeros((0, 3)), np.zeros((2, 2))
    corners, ends = shadows.outlines(none, np.array([0, 0], np.int32), ways)
    assert corners.shape == (0, 2)
    assert ends.tolist() == [[0, 0], [0, 0]]
    assert shadows.outlines(np.zeros((1, 3)), np.array([1], np.int32), ways[:0])[1].shape == (0, 1)


def test_arrays_that_do_not_fit_are_refused() -> None:
    points, ends, ways = np.zeros((4, 3)), np.array([2, 4], np.int32), np.zeros((2, 2))
    for wrong in ((points[:, :2].copy(), ends, ways), (points, ends, np.zeros((2, 3)))):
        with pytest.raises(ValueError, match="coordinates"):
            shadows.outlines(*wrong)
    for bad in ([5], [2, 1], [-1]):
        with pytest.raises(ValueError, match="ends at point"):
            shadows.outlines(points, np.array(bad, np.int32), ways)
