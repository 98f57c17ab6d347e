"""Boxes of pixels, and the places of points and masks on a canvas."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

from service.devices.device import catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import levels
from service.render.geometry.mesh import FLAT, mesh
from service.render.geometry.raster import Box, around, bounds, extent, landed, projected
from service.render.geometry.rotation import rotation
from service.render.geometry.silhouette import silhouette
from tests.support.seeds import seeded

CANVAS = (40, 30)


def shown(box: Box) -> set[tuple[int, int]]:
    """The pixels (x, y) of a box."""
    return {(x, y) for x in range(box.x, box.x + box.width) for y in range(box.y, box.y + box.height)}


@seeded(40)
def test_boxes_are_sets_of_pixels(seed: int) -> None:
    random = np.random.default_rng(seed)
    one, other = (
        Box(*random.integers(-5, 20, 2).tolist(), *random.integers(0, 15, 2).tolist()) for _ in "ab"
    )
    shared = one.clipped(other)
    assert shown(shared) == shown(one) & shown(other)
    assert shared.area == len(shown(shared))
    assert one.area == len(shown(one))
    if shared.area:
        whole = np.zeros((50, 50), int)
        here = Box(one.x + 10, one.y + 10, one.width, one.height)
        whole[here.slices] += 1
        part = whole[here.slices]
        part[shared.within(one)] += 1
        ys, xs = np.nonzero(whole == 2)
        assert {(int(x) - 10, int(y) - 10) for x, y in zip(xs, ys, strict=True)} == shown(shared)


def test_a_box_turned_inside_out_is_empty() -> None:
    assert Box(0, 0, -3, 5).area == Box(0, 0, 5, -3).area == 0


@pytest.mark.parametrize("margin", [0, 2])
@seeded(40)
def test_bounds_contain_all_points_and_few_other_pixels(seed: int, margin: int) -> None:
    random = np.random.default_rng(seed)
    points = random.uniform(-30, 70, (4, 2))
    box = bounds(points, *CANVAS, margin)
    for axis, size in enumerate(CANVAS):
        low, high = math.floor(points[:, axis].min()) - margin, math.ceil(points[:, axis].max()) + margin
        wanted = [pixel for pixel in range(size) if low <= pixel < high]
        start, length = box[axis], box[axis + 2]
        assert list(range(start, start + length)) == wanted


@seeded(40)
def test_the_box_around_others_is_the_smallest_that_holds_them(seed: int) -> None:
    random = np.random.default_rng(seed)
    boxes = [Box(*random.integers(-9, 20, 2).tolist(), *random.integers(0, 9, 2).tolist()) for _ in "abc"]
    pixels = {pixel for box in boxes for pixel in shown(box)}
    across, up = ({pixel[axis] for pixel in pixels} for axis in (0, 1))
    found = around(boxes)
    if not pixels:
        assert found == (0, 0, 0, 0)
    else:
        assert found == (min(across), min(up), max(across) - min(across) + 1, max(up) - min(up) + 1)


def test_the_box_around_none_is_empty() -> None:
    assert around([]) == around([Box(3, 4, 0, 5), Box(3, 4, 5, 0)]) == (0, 0, 0, 0)


def test_bounds_of_points_beside_the_canvas_are_empty() -> None:
    assert bounds(np.array([[90.0, 10.0], [99.0, 20.0]]), *CANVAS).area == 0
    assert bounds(np.array([[5.0, -20.0], [6.0, -9.0]]), *CANVAS).area == 0


@seeded(20)
def test_the_extent_is_the_smallest_box_that_holds_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    mask = np.zeros((30, 40), bool)
    mask[random.integers(0, 30, 3), random.integers(0, 40, 3)] = True
    ys, xs = np.nonzero(mask)
    box = extent(mask)
    assert list(box) == [xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1]
    assert mask[box.slices].sum() == mask.sum()


def test_the_extent_of_nothing_is_empty() -> None:
    assert list(extent(np.zeros((5, 6), bool))) == [0, 0, 0, 0]


def test_a_rectangle_lands_in_the_box_of_its_corners() -> None:
    # The matrix doubles the rectangle and moves it to (3, 4). At its far end, nearness is halved.
    matrix = np.array([[2, 0, 3], [0, 2, 4], [0, 1 / 8, 1.0]])
    box = landed(matrix, (0, 10), (0, 8), *CANVAS)
    # The corners are (3, 4), (23, 4), (1.5, 10) and (11.5, 10); the box has a margin of two px.
    assert box == Box(0, 2, 25, 10)


@pytest.mark.parametrize("turn", [1.5, 91.5])
def test_edges_that_are_nearly_level_or_upright_take_small_steps(turn: float) -> None:
    """If samples were aligned in rows and columns, nearly level edges would show steps of a quarter."""
    slab = catalogue()["iphone-16-pro"].slab("body")
    shape, side = mesh(slab), 160
    # The phone is seen from its edge, so only its wall is visible.
    of = Camera(rotation(0, 0, turn) @ rotation(0, 90, 0), 0.6, 900.0, (side / 2, side / 2), side, side)
    box = Box(0, 0, side, side)
    walls = projected(shape, np.ones(shape.points.shape, np.float32), of).paint(box, 4).samples
    exact = levels(silhouette(slab, of), box) / np.float32(255)
    edge = (exact > 0) & (exact < 1)
    assert edge.sum() > 100
    apart = np.abs(walls.hit - exact)[edge]
    assert apart.mean() < 0.04
    assert apart.max() < 0.13


@pytest.mark.parametrize("device", ["imac-24", "pixel-8"])
def test_a_mesh_is_convex_if_all_of_it_is_behind_all_of_its_planes(device: str) -> None:
    told = set()
    for slab in catalogue()[device].slabs:
        made = mesh(slab)
        if slab.bend is None and len(made.planes) * len(made.points) < 1e7:
            before = (made.planes[:, :3] @ made.points.T).max(axis=1) - made.planes[:, 3]
            behind = bool((before <= FLAT * np.linalg.norm(made.planes[:, :3], axis=1)).all())
            assert made.convex == behind, slab
            told.add(behind)
    assert told == {False, True}


def test_a_finely_curved_mesh_takes_little_memory() -> None:
    slabs = catalogue()["pixel-8-pro"].slabs
    tracemalloc.start()
    assert max(len(mesh(slab).planes) for slab in slabs) > 70_000
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 400e6


def test_parts_beyond_a_box_cover_the_rest_once() -> None:
    outer = Box(2, 3, 7, 5)
    for inner in (
        Box(4, 4, 2, 2),
        Box(0, 0, 5, 5),
        Box(2, 3, 7, 2),
        Box(6, 0, 20, 20),
        outer,
        Box(20, 0, 3, 3),
        Box(4, 4, 0, 2),
    ):
        count = np.zeros((12, 24), np.uint8)
        for part in outer.beyond(inner):
            count[part.slices] += 1
        wanted = np.zeros_like(count)
        wanted[outer.slices] = 1
        wanted[inner.slices] = 0
        assert (count == wanted).all()
