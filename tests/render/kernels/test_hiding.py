"""Points and boxes before others."""

from __future__ import annotations

import numpy as np
import pytest

from service.render.kernels import hiding
from tests.render.kernels import plain

# Of a cube of 2, outward, not of unit length.
CUBE = 3.0 * np.array(
    [[1, 0, 0, 1], [-1, 0, 0, 1], [0, 1, 0, 1], [0, -1, 0, 1], [0, 0, 1, 1], [0, 0, -1, 1.0]]
)
TOWARD = np.array([0, 0, 0, 0, 1, 0], np.uint8)


@pytest.mark.parametrize(
    ("place", "seen"),
    [
        ((0, 0, 1.5), 1),
        ((0, 0, 0.7), 1),
        ((0, 0, 0.4), 0),
        ((0.9, 0, 0.7), 0),
        ((0, 0, -2), 0),
        ((5, 0, 3), 1),
    ],
)
def test_points_lie_before_a_cube_or_a_little_inside_of_its_front(
    place: tuple[float, float, float], seen: int
) -> None:
    assert hiding.before(np.array([place], np.float64), CUBE, TOWARD, 0.5).tolist() == [seen]


def test_points_are_measured_from_every_plane() -> None:
    random = np.random.default_rng(2)
    planes = random.normal(size=(40, 4))
    planes[:, 3] = 2 * np.linalg.norm(planes[:, :3], axis=1)
    points, toward = 1.2 * random.normal(size=(500, 3)), random.random(40) > 0.5
    found = hiding.before(points, planes, toward.astype(np.uint8), 0.6)
    np.testing.assert_array_equal(found, plain.before(points, planes, toward, 0.6))
    assert 0 < found.sum() < 500


def test_boxes_lie_before_those_that_they_overlap() -> None:
    random = np.random.default_rng(3)
    low = 4 * random.random((60, 3))
    high = low + random.random((60, 3))
    found = hiding.boxes(low, high, 0.5, 20)
    for own, box, end in zip(found, low[20:], high[20:], strict=True):
        over = ((low[:20, :2] < end[:2]) & (high[:20, :2] > box[:2])).all(axis=1)
        assert own == (over & (low[:20, 2] > end[2] + 0.5)).any()
    assert 0 < found.sum() < 40


def test_numbers_that_are_none_lie_nowhere() -> None:
    bad = np.full((2, 3), np.nan)
    assert not hiding.before(bad, CUBE, TOWARD, 0.5).any()
    assert not hiding.boxes(bad, bad, 0.5, 1).any()


def test_nothing_lies_before_nothing() -> None:
    none = np.zeros((0, 3))
    assert not len(hiding.before(none, CUBE, TOWARD, 0.5))
    assert not hiding.before(np.zeros((3, 3)), CUBE[:0], TOWARD[:0], 0.5).any()
    assert not len(hiding.boxes(none, none, 0.5, 0))


def test_arrays_that_do_not_fit_are_refused() -> None:
    points, low = np.zeros((4, 3)), np.zeros((4, 3))
    for wrong in (
        (points[:, :2].copy(), CUBE, TOWARD),
        (points, CUBE[:, :3].copy(), TOWARD),
        (points, CUBE, TOWARD[1:]),
    ):
        with pytest.raises(ValueError, match="planes"):
            hiding.before(*wrong, 0.5)
    for high, own in ((low[1:], 1), (low[:, :2].copy(), 1), (low, 5), (low, -1)):
        with pytest.raises(ValueError, match="boxes"):
            hiding.boxes(low, high, 0.5, own)
