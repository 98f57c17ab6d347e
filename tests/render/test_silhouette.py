"""Outlines on the canvas: whether points lie inside, compared with distances by OpenCV."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from service.arrays import F32
from service.render.geometry.silhouette import interior

POINTS = np.random.default_rng(2).uniform(0, 100, (12, 2)).astype(np.float32)
OUTLINE = np.asarray(cv2.convexHull(POINTS)[:, 0], np.float32)


@pytest.mark.parametrize("outline", [OUTLINE, OUTLINE[::-1]], ids=["one way", "the other"])
@pytest.mark.parametrize("margin", [0.0, 0.75, 8.0])
def test_inside_is_a_margin_away_from_every_edge(outline: F32, margin: float) -> None:
    points = np.random.default_rng(3).uniform(-10, 110, (500, 2)).astype(np.float32)
    away = np.array([cv2.pointPolygonTest(OUTLINE, (float(x), float(y)), True) for x, y in points])
    assert (away > margin).any()
    inside = interior(outline, margin)
    assert [inside(point[None]) for point in points] == (away >= margin).tolist()


def test_all_points_must_be_inside() -> None:
    middle = OUTLINE.mean(axis=0)
    inside = interior(OUTLINE)
    assert inside(np.stack([middle, middle + 1]))
    assert not inside(np.stack([middle, middle + 200]))
    assert inside(np.zeros((3, 0, 2), np.float32)).tolist() == [True] * 3
    assert inside(np.zeros((0, 5, 2), np.float32)).shape == (0,)
