"""Parts that later slabs hide are not painted, without a visible difference."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from service.arrays import F32
from service.render.geometry.raster import Box
from service.render.paint import culling
from service.render.paint.culling import MARGIN, Cover
from tests.render.posing import built
from tests.render.scenes import draw

OUTLINE = np.array(cv2.ellipse2Poly((100, 80), (60, 40), 30, 0, 360, 3)[1:], np.float32)


@pytest.mark.parametrize("outline", [OUTLINE, OUTLINE[::-1]], ids=["one way", "the other"])
def test_a_cover_hides_points_well_inside(outline: F32) -> None:
    points = np.random.default_rng(1).uniform(0, 200, (400, 2))
    away = np.array([cv2.pointPolygonTest(OUTLINE, (float(x), float(y)), True) for x, y in points])
    hidden = Cover.of(outline).hides(points)
    assert (away[hidden] >= MARGIN - 0.1).all()
    assert hidden[away > MARGIN + 3].all()


@pytest.mark.parametrize(
    "box", [Box(90, 60, 20, 90), Box(60, 70, 60, 20), Box(90, 70, 20, 20), Box(0, 0, 200, 200)]
)
@pytest.mark.parametrize("times", [1, 3])
def test_boxes_lose_hidden_rows_and_columns_alone(box: Box, times: int) -> None:
    cover, whole = Cover.of(OUTLINE), Box(*(times * side for side in box))
    left = cover.clip(whole, times)
    assert left.clipped(whole) == left or not left.area
    y, x = np.mgrid[whole.y : whole.y + whole.height + 1, whole.x : whole.x + whole.width + 1]
    corners = np.stack([x, y], axis=-1).reshape(-1, 2) / times
    outside = ~((left.x <= x) & (x <= left.x + left.width) & (left.y <= y) & (y <= left.y + left.height))
    assert cover.hides(corners)[outside.ravel()].all()


@pytest.mark.parametrize("outline", [OUTLINE, OUTLINE[::-1]], ids=["one way", "the other"])
def test_the_inner_box_is_hidden_and_large(outline: F32) -> None:
    cover = Cover.of(outline)
    box = cover.inner(Box(0, 0, 200, 200))
    ends = [(x, y) for x in (box.x, box.x + box.width) for y in (box.y, box.y + box.height)]
    assert cover.hides(np.array(ends, np.float64)).all()
    assert box.area > 0.3 * cv2.contourArea(OUTLINE)
    assert cover.inner(Box(0, 0, 90, 200)).clipped(Box(0, 0, 90, 200)).width <= 90
    assert not Cover.of(OUTLINE / np.float32(10)).inner(Box(0, 0, 200, 200)).area


@pytest.mark.parametrize("scene", ["monitor", "watch"])
def test_culling_does_not_change_the_picture(scene: str, monkeypatch: pytest.MonkeyPatch) -> None:
    culled = draw(scene)
    monkeypatch.setattr(culling, "MARGIN", 1e6)
    built.cache_clear()
    whole = draw(scene)
    built.cache_clear()
    assert np.abs(culled.astype(int) - whole).max() <= 3
