"""The coverage of convex outlines, compared with that of 32 samples along each axis of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from service.arrays import F32, F64
from service.render.geometry.coverage import fill, layers, levels
from service.render.geometry.raster import Box
from tests.support.looped import looped

MANY = 32


def oval(size: float, height: float, squareness: float, turn: float) -> F32:
    """A superellipse of `size` times `height` px, turned; from an ellipse to nearly a rectangle."""
    t = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    c, s = (np.sign(v) * np.abs(v) ** (2 / squareness) / 2 for v in (np.cos(t), np.sin(t)))
    x, y = size * c, height * s
    points = np.stack([np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y], axis=1)
    return np.asarray(cv2.convexHull((points + size / 2 + 5.37).astype(np.float32))[:, 0], np.float32)


def counted(polygon: F32, box: Box) -> F64:
    """The share (h, w) of each pixel's samples that lie inside all edges."""
    middle = polygon.mean(axis=0)
    after = np.roll(polygon, -1, axis=0)
    out = np.stack([(after - polygon)[:, 1], (polygon - after)[:, 0]], axis=1).astype(np.float64)
    out *= np.sign(np.einsum("ij,ij->i", polygon - middle, out))[:, None]
    reach = np.einsum("ij,ij->i", polygon, out)
    x, y = ((np.arange(side * MANY) + 0.5) / MANY for side in (box.width, box.height))
    # In each line of samples, those between the outermost edges on the left and on the right are inside.
    left, right = np.full_like(y, -np.inf), np.full_like(y, np.inf)
    for (across, down), limit in zip(out, reach, strict=True):
        room = limit - down * y
        if across > 0:
            right = np.minimum(right, room / across)
        elif across < 0:
            left = np.maximum(left, room / across)
        else:
            right[room < 0] = -np.inf
    inside = (left[:, None] <= x) & (x <= right[:, None])
    return np.asarray(inside.reshape(box.height, MANY, box.width, MANY).mean(axis=(1, 3)), np.float64)


@looped("turn", [0.0, 0.3, 1.1])
@looped("squareness", [2.0, 8.0])
@looped("size, height", [(60, 60), (60, 18), (60, 3), (60, 0.8), (8, 8), (8, 0.5), (2, 1)])
def test_coverage_is_that_of_the_polygon(size: float, height: float, squareness: float, turn: float) -> None:
    polygon = oval(size, height, squareness, turn)
    box = Box(0, 0, int(size) + 11, int(size) + 11)
    truth, found = counted(polygon, box), fill([polygon], box)
    rim = (truth > 0) & (truth < 1)
    error = (found - truth)[rim]
    # For comparison: four samples per axis without smoothing are wrong by .06 on average and up to .25.
    assert np.sqrt(np.square(error).mean()) < (0.04 if height > 8 else 0.06)
    assert abs(error.mean()) < 0.03
    if height > 8:
        assert np.abs(found - truth).max() < 0.15


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.1])
@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [50, 0], [50, 12], [0, 12]],
        [[0, 0], [50, 0.3], [50, 5], [0, 5.3]],
        [[0, 0], [60, 2.2], [60, 2.6], [0, 5]],
        [[0, 0.4], [0.2, 0.1], [0.5, 0], [40, 0], [40.4, 0.3], [40, 3], [0.3, 3], [0, 2.8]],
    ],
)
def test_coverage_at_sharp_and_at_small_corners(corners: list[list[float]], turn: float) -> None:
    c, s = np.cos(turn), np.sin(turn)
    polygon = (np.array(corners) @ np.array([[c, s], [-s, c]]) + [12.3, 6.8]).astype(np.float32)
    box = Box(0, 0, 80, 72)
    truth, found = counted(polygon, box), fill([polygon], box)
    error = (found - truth)[(truth > 0) & (truth < 1)]
    # The last pixels of a needle's tip are lost.
    assert np.sqrt(np.square(error).mean()) < 0.08
    assert abs(error.mean()) < 0.025
    assert np.abs(found - truth)[truth == 0].max() < 0.15


def test_thin_polygons_stay_faint_beside_large_ones() -> None:
    box = Box(0, 0, 60, 40)
    body = np.array([[20, 5], [50, 5], [50, 35], [20, 35]], np.float32)
    for width in (0.02, 0.1, 0.3, 0.6):
        sliver = np.array([[9, 8], [9 + width, 8], [9 + width, 30], [9, 30]], np.float32)
        alone, both = fill([sliver], box), fill([body, sliver], box)
        assert np.array_equal(both, np.maximum(alone, fill([body], box)))
        assert abs(both[20, :15].sum() - width) < 0.25


def test_polygons_outside_the_box_or_without_area_are_harmless() -> None:
    box = Box(3, 3, 20, 20)
    for points in ([[9, 9]], [[9, 9], [9, 9]], [[5, 5], [15, 5]], [[1e9, 1e9], [1e9, 0], [0, 1e9]]):
        found = fill([np.array(points, np.float32)], box)
        assert found.shape == (20, 20)
        assert 0 <= found.min() <= found.max() <= 1
    assert fill([], box).max() == 0
    assert fill([np.array([[-90, -90], [90, -90], [90, 90], [-90, 90]], np.float32)], box).min() == 1


def test_measuring_polygons_together_equals_one_by_one() -> None:
    box = Box(3, 2, 60, 48)
    # The outlines lie within the box, across each of its sides, beyond each of them, and around the box.
    moves = [(0, 0), (-30, 4), (30, -5), (2, 28), (4, -30), (-70, 0), (70, 0), (0, -60), (0, 60)]
    polygons = [oval(44, 30, 3.0, 0.4) + np.array(move, np.float32) for move in moves]
    polygons.append(np.array([[-50, -50], [150, -40], [140, 150], [-60, 140]], np.float32))
    found, alone = layers(polygons, box), [levels([polygon], box) for polygon in polygons]
    assert found.shape == (10, 48, 60)
    assert (found == np.stack(alone)).all()
    assert (levels(polygons[:5], box) == found[:5].max(axis=0)).all()
    assert not found[5:9].any()
    assert (found[9] == 255).all()
    for polygon, own in zip(polygons[1:5], found[1:5], strict=True):
        wide = Box(box.x - 60, box.y - 60, 180, 168)
        part = fill([polygon], wide)[box.within(wide)]
        assert np.abs(own - 255 * part).max() <= 1
