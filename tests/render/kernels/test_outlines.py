"""Projection of points and planes, convex hulls, what lies inside outlines, and invalid arrays."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from service.arrays import F32, F64
from service.render.geometry.camera import Camera
from service.render.kernels import outlines
from tests.render.kernels import plain


def scattered(kind: str, count: int = 500) -> F32:
    random = np.random.default_rng(3)
    turn = random.uniform(0, 2 * np.pi, count)
    points = {
        "square": random.random((count, 2)),
        "ring": np.stack([np.cos(turn), np.sin(turn)], axis=1),
        "line": np.stack([turn, 2 * turn], axis=1).round(1),
        "grid": random.integers(0, 5, (count, 2)).astype(float),
        "point": np.full((count, 2), 7.5),
    }[kind]
    return (100 * points - 30).astype(np.float32)


KINDS = ["square", "ring", "line", "grid", "point"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 3, 500])
def test_the_corners_of_a_hull_are_kept(kind: str, count: int) -> None:
    points = scattered(kind, count)
    kept = {tuple(one) for one in points[outlines.corners(points)].tolist()}
    assert {tuple(one) for one in plain.hull(points).tolist()} <= kept
    assert len(kept) <= count


def test_points_inside_a_hull_are_left_out() -> None:
    points = scattered("square")
    assert len(outlines.corners(points)) == len(plain.hull(points))
    assert not len(outlines.corners(points[:0]))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("margin", [0.0, 4.0])
def test_sets_of_points_lie_inside_as_a_whole(margin: float, reverse: bool) -> None:
    outline = np.ascontiguousarray(plain.hull(scattered("square"))[:: -1 if reverse else 1])
    random = np.random.default_rng(4)
    sets = random.uniform(-35, 75, (80, 1, 2)) + random.normal(size=(80, 6, 2))
    found = outlines.inside(outline, margin, sets.astype(np.float32))
    want = [
        all(cv2.pointPolygonTest(outline, (x, y), measureDist=True) >= margin for x, y in one.tolist())
        for one in sets
    ]
    assert 0 < sum(want) < len(want)
    np.testing.assert_array_equal(found, want)


def test_an_outline_without_area_contains_no_point() -> None:
    point = np.zeros((1, 1, 2), np.float32)
    assert not outlines.inside(np.zeros((2, 2), np.float32), 0.0, point).any()
    assert not len(outlines.inside(scattered("ring"), 0.0, point[:0]))


def test_points_are_projected_from_any_view_of_an_array() -> None:
    random = np.random.default_rng(5)
    points, turn = random.normal(size=(40, 4)), np.linalg.qr(random.normal(size=(3, 3)))[0]
    lens = np.array([2.0, 9.0, 30.0, 20.0, 0.5, -0.25])
    view = points[::2, :3] @ turn.T
    scale = 2 / (1 - view[:, 2] / 9)
    want = np.stack([30 + (view[:, 0] + 0.5) * scale, 20 - (view[:, 1] - 0.25) * scale], axis=1)
    np.testing.assert_allclose(outlines.project(points[::2, :3], turn, lens), want, rtol=1e-12)


def test_a_homography_projects_the_points_of_its_plane() -> None:
    random = np.random.default_rng(6)
    plane, turn = random.normal(size=(3, 3)), np.linalg.qr(random.normal(size=(3, 3)))[0]
    lens = np.array([2.0, 30.0, 30.0, 20.0, 0.5, -0.25])
    places = np.column_stack([random.normal(size=(20, 2)), np.ones(20)])
    flat = places @ outlines.homography(plane, turn, lens).T
    want = outlines.project(places @ plane, turn, lens)
    np.testing.assert_allclose(flat[:, :2] / flat[:, 2:], want, rtol=1e-12)


def test_grids_and_single_places_have_the_same_directions_to_the_camera() -> None:
    camera = Camera(np.eye(3), 4.0, 700.0, (31.0, 17.0), 60, 40)
    x, y = np.meshgrid(5 + 3 * np.arange(7) + 0.5, 9 + 3 * np.arange(4) + 0.5)
    want = camera.toward(x.ravel(), y.ravel())
    np.testing.assert_allclose(camera.grid((5, 9), 3, 7, 4), want, rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(want, axis=1), 1, rtol=1e-6)
    assert camera.grid((0, 0), 1, 0, 4).shape == (0, 3)


def test_bounds_are_the_ends_of_points() -> None:
    points = scattered("square").astype(np.float64)
    assert outlines.bounds(points) == (*points.min(axis=0), *points.max(axis=0))
    assert outlines.bounds(points[::-5]) == (*points[::-5].min(axis=0), *points[::-5].max(axis=0))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38])
def test_nan_causes_no_harm(bad: float) -> None:
    points = scattered("square")
    points[[0, 7, 90], 1] = bad
    outlines.corners(points)
    outlines.inside(points, 0.0, points[:, None].copy())
    outlines.project(np.full((2, 3), bad), np.eye(3), np.ones(6))
    outlines.homography(np.full((3, 3), bad), np.eye(3), np.ones(6))
    outlines.bounds(points.astype(np.float64))


def refused() -> list[Callable[[], object]]:
    def zeros(*shape: int) -> F64:
        return np.zeros(shape)

    single = np.float32
    return [
        lambda: outlines.corners(zeros(4, 3).astype(single)),
        lambda: outlines.inside(zeros(4, 3).astype(single), 0.0, zeros(1, 4, 2).astype(single)),
        lambda: outlines.inside(zeros(4, 2).astype(single), 0.0, zeros(1, 4, 3).astype(single)),
        lambda: outlines.project(zeros(4, 2), zeros(3, 3), zeros(6)),
        lambda: outlines.project(zeros(4, 3), zeros(2, 3), zeros(6)),
        lambda: outlines.project(zeros(4, 3), zeros(3, 3), zeros(5)),
        lambda: outlines.homography(zeros(3, 2), zeros(3, 3), zeros(6)),
        lambda: outlines.homography(zeros(3, 3), zeros(2, 3), zeros(6)),
        lambda: outlines.homography(zeros(3, 3), zeros(3, 3), zeros(5)),
        lambda: outlines.toward(zeros(5), (0, 0), 1, 2, 2),
        lambda: outlines.toward(zeros(6), (0, 0), 1, -1, 2),
        lambda: outlines.bounds(zeros(4, 3)),
        lambda: outlines.bounds(zeros(0, 2)),
    ]


@pytest.mark.parametrize("number", range(len(refused())))
def test_arrays_that_do_not_fit_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=r"points|plane|lens|grid"):
        refused()[number]()
