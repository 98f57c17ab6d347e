"""Which points and boxes lie in front of others."""

from __future__ import annotations

import numpy as np
import pytest

from service.render.kernels import hiding
from tests.render.kernels import plain

# The outward planes of a cube with sides of 2, seen from above.
CUBE = np.array([[1, 0, 0, 1], [-1, 0, 0, 1], [0, 1, 0, 1], [0, -1, 0, 1], [0, 0, 1, 1], [0, 0, -1, 1.0]])
AHEAD, BEHIND = CUBE[4:5], CUBE[[0, 1, 2, 3, 5]]


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
    inside = np.array([max(map(abs, place[:2])) < 1], np.uint8)
    for known in (inside, 0 * inside):
        assert hiding.before(np.array([place], np.float64), known, AHEAD, BEHIND, 0.5).tolist() == [seen]


@pytest.mark.parametrize("told", [True, False])
def test_points_are_measured_from_every_plane(told: bool) -> None:
    random = np.random.default_rng(2)
    planes = random.normal(size=(40, 4))
    planes /= np.linalg.norm(planes[:, :3], axis=1, keepdims=True)
    planes[:, 3] = 2
    points, toward = 1.2 * random.normal(size=(500, 3)), planes[:, 2] > 0
    # The body contains a sphere, so every point within the sphere's outline lies in front of the body or
    # behind it.
    inside = (np.hypot(*points[:, :2].T) < 2).astype(np.uint8) * told
    found = hiding.before(points, inside, planes[toward], planes[~toward], 0.6)
    np.testing.assert_array_equal(found, plain.before(points, planes[toward], planes[~toward], 0.6))
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


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("margin", [0.0, 0.3, -0.2])
def test_points_lie_in_outlines_that_run_either_way(way: int, margin: float) -> None:
    turn = np.linspace(0, 2 * np.pi, 13)[:-1]
    outline = np.ascontiguousarray(np.column_stack([5 + 2 * np.cos(turn), 3 + np.sin(turn)])[::way])
    points = np.random.default_rng(4).random((400, 2)) * (5, 3) + (2.5, 1.5)
    found = hiding.within(points, outline, margin)
    np.testing.assert_array_equal(found, plain.within(points, outline, margin))
    assert 0 < found.sum() < 400


def test_loops_run_around_sets_of_triangles() -> None:
    rows, columns = 5, 4
    at = np.arange(rows * columns).reshape(rows, columns)
    low, up = at[:-1, :-1].ravel(), at[1:, 1:].ravel()
    sheet = np.concatenate([np.stack([low, low + 1, up], 1), np.stack([low, up, up - 1], 1)]).astype(np.int32)
    along, ends = hiding.loops(sheet, at.size)
    around = [*at[0], *at[1:, -1], *at[-1, -2::-1], *at[-2::-1, 0]]
    assert ends.tolist() == [len(around)]
    assert along.tolist() == around
    # Without the middle square there is a second loop, around the hole. A square alone has one loop of four
    # sides.
    square = (sheet == at[1, 1]).any(axis=1) & (sheet == at[2, 2]).any(axis=1)
    along, ends = hiding.loops(sheet[~square], at.size)
    assert sorted(np.diff([0, *ends]).tolist()) == [5, len(around)]
    assert hiding.loops(sheet[square], at.size)[1].tolist() == [5]
    assert hiding.loops(sheet[:0], at.size)[1].tolist() == []


def test_nan_lies_in_no_outline() -> None:
    bad = np.full((2, 3), np.nan)
    assert not hiding.within(bad[:, :2].copy(), np.eye(3)[:, :2].copy(), 1.0).any()
    hiding.within(np.zeros((2, 2)), bad[:, :2].copy(), 1.0)
    for inside in (np.zeros(2, np.uint8), np.ones(2, np.uint8)):
        assert not hiding.before(bad, inside, AHEAD, BEHIND, 0.5).any()
    assert not hiding.boxes(bad, bad, 0.5, 1).any()


def test_empty_input_gives_empty_results() -> None:
    none = np.zeros((0, 3))
    assert not len(hiding.before(none, np.zeros(0, np.uint8), AHEAD, BEHIND, 0.5))
    for inside in (np.zeros(3, np.uint8), np.ones(3, np.uint8)):
        assert not hiding.before(np.zeros((3, 3)), inside, CUBE[:0], CUBE, 0.5).any()
        assert hiding.before(np.zeros((3, 3)), inside, CUBE, CUBE[:0], 2).all()
    assert not len(hiding.boxes(none, none, 0.5, 0))


def test_arrays_that_do_not_fit_are_refused() -> None:
    points, low = np.zeros((4, 3)), np.zeros((4, 3))
    inside = np.zeros(4, np.uint8)
    for places, known, ahead, behind in (
        (points[:, :2].copy(), inside, CUBE, CUBE),
        (points, inside[1:], CUBE, CUBE),
        (points, inside, CUBE[:, :3].copy(), CUBE),
        (points, inside, CUBE, CUBE[:, :3].copy()),
    ):
        with pytest.raises(ValueError, match=r"points|planes"):
            hiding.before(places, known, ahead, behind, 0.5)
    for wrong_ in (np.zeros((2, 4), np.int32), np.full((2, 3), 4, np.int32), np.full((2, 3), -1, np.int32)):
        with pytest.raises(ValueError, match="corner"):
            hiding.loops(wrong_, 4)
    for inner, outline in ((points, points[:, :2].copy()), (points[:, :2].copy(), points)):
        with pytest.raises(ValueError, match="coordinates"):
            hiding.within(inner, outline, 1.0)
    for high, own in ((low[1:], 1), (low[:, :2].copy(), 1), (low, 5), (low, -1)):
        with pytest.raises(ValueError, match="boxes"):
            hiding.boxes(low, high, 0.5, own)
