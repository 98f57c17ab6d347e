"""Grain over light, compared with plain bilinear samples of a repeating tile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32, F64, I16
from service.render.kernels import grain
from tests.render.kernels import plain

RANDOM = np.random.default_rng(3)
NOISE: I16 = RANDOM.integers(-3000, 3000, (512, 512)).astype(np.int16)
TILE: I16 = np.pad(NOISE, ((0, 1), (0, 1)), mode="wrap")
TURNED: F64 = np.array([[0.8, 0.3, -40.0], [-0.2, 1.1, 700.0], [2e-4, -1e-4, 1.0]])
SIZE = (7, 29)
SCALE = 1e-4
WHOLE = np.ones(SIZE, np.uint8)


def light() -> F32:
    return RANDOM.uniform(0.1, 1, (*SIZE, 3)).astype(np.float32)


@pytest.mark.parametrize("start", [(0, 0), (13, 5), (-6, -3)])
def test_a_face_shows_the_tile_at_each_pixels_middle(start: tuple[int, int]) -> None:
    before = light()
    after = before.copy()
    grain.face(TILE, TURNED, start, SCALE, WHOLE, after)
    for y, x in np.ndindex(SIZE):
        across, down, near = TURNED @ (start[0] + x + 0.5, start[1] + y + 0.5, 1)
        want = 1 + SCALE * plain.tiled(NOISE, across / near - 0.5, down / near - 0.5)
        # The kernel rounds places to a 256th of a texel.
        np.testing.assert_allclose(after[y, x] / before[y, x], want, atol=SCALE * 50)


def test_where_pixels_are_wide_a_face_shows_the_nearest_texel() -> None:
    wide, before = np.diag([3.3, 2.7, 1.0]), light()
    after = before.copy()
    grain.face(TILE, wide, (0, 0), SCALE, WHOLE, after)
    for y, x in np.ndindex(SIZE):
        across, down = (x + 0.5) * 3.3, (y + 0.5) * 2.7
        want = 1 + SCALE * NOISE[int(down) % 512, int(across) % 512]
        np.testing.assert_allclose(after[y, x] / before[y, x], want, atol=1e-5)


def test_uncovered_pixels_may_stay_unchanged() -> None:
    cover, found = np.zeros(SIZE, np.uint8), np.ones((*SIZE, 3), np.float32)
    cover[:, :11] = 1
    grain.face(TILE, TURNED, (0, 0), SCALE, cover, found)
    assert (found[:, :11] != 1).any(axis=2).all()
    assert (found[:, 16:] == 1).all()


def test_parts_of_a_face_are_like_the_whole() -> None:
    whole, before = np.ones((40, 50, 3), np.float32), np.ones((40, 50, 3), np.float32)
    grain.face(TILE, TURNED, (3, 4), SCALE, np.ones((40, 50), np.uint8), whole)
    part = np.ascontiguousarray(before[10:, 13:])
    grain.face(TILE, TURNED, (16, 14), SCALE, np.ones((30, 37), np.uint8), part)
    np.testing.assert_array_equal(part, whole[10:, 13:])


def test_nothing_is_seen_beyond_the_end_of_a_plane() -> None:
    found = np.ones((*SIZE, 3), np.float32)
    grain.face(TILE, np.zeros((3, 3)), (0, 0), SCALE, WHOLE, found)
    want = 1 + SCALE * plain.tiled(NOISE, -0.5, -0.5)
    np.testing.assert_allclose(found, np.full_like(found, want), atol=SCALE * 50)


def test_a_wall_shows_the_first_plane_that_reaches_a_pixel() -> None:
    planes = np.stack([TURNED, np.diag([0.5, 0.25, 1.0])])
    small: I16 = np.pad(NOISE[:64, :64], ((0, 1), (0, 1)), mode="wrap")
    reach = np.array([[32.0, 1000.0], [8.0, np.inf]])
    hit = np.ones(SIZE, np.float32)
    hit[0] = 0
    before = light()
    after = before.copy()
    grain.wall((TILE, small), planes, reach, (3, 2), SCALE, hit, after)
    shown = set()
    for y, x in np.ndindex(SIZE):
        want, own = 1.0, None
        for number, (noise, plane) in enumerate(((NOISE, planes[0]), (NOISE[:64, :64], planes[1]))):
            across, down, near = plane @ (3 + x + 0.5, 2 + y + 0.5, 1)
            place = across / near - 0.5, down / near - 0.5
            if hit[y, x] and own is None and (np.abs(place) <= reach[number]).all():
                want, own = 1 + SCALE * plain.tiled(noise, *place), number
        shown.add(own)
        np.testing.assert_allclose(after[y, x] / before[y, x], want, atol=SCALE * 50)
    assert shown == {None, 0, 1}


@pytest.mark.parametrize(
    "given",
    [
        {"tile": TILE[:512].copy()},
        {"tile": np.ascontiguousarray(TILE[:, :512])},
        {"tile": TILE[:501, :501].copy()},
        {"matrix": np.eye(2)},
        {"cover": np.ones((3, 3), np.uint8)},
        {"light": np.ones((*SIZE, 4), np.float32)},
    ],
)
def test_faces_that_do_not_fit_are_refused(given: dict[str, Any]) -> None:
    own = {"tile": TILE, "matrix": TURNED, "cover": WHOLE, "light": light()} | given
    with pytest.raises(ValueError, match=r"512|3 x 3|square|covered"):
        grain.face(own["tile"], own["matrix"], (0, 0), SCALE, own["cover"], own["light"])


@pytest.mark.parametrize(
    "given",
    [
        {"tiles": (TILE[:512].copy(),)},
        {"tiles": (TILE,) * 9},
        {"matrices": np.ones((2, 3, 3))},
        {"matrices": np.ones((1, 3, 2))},
        {"reach": np.ones((2, 2))},
        {"reach": np.ones((1, 3))},
        {"hit": np.ones((3, 3), np.float32)},
        {"light": np.ones((*SIZE, 4), np.float32)},
    ],
)
def test_walls_that_do_not_fit_are_refused(given: dict[str, Any]) -> None:
    own: dict[str, Any] = {
        "tiles": (TILE,),
        "matrices": TURNED[None],
        "reach": np.ones((1, 2)),
        "hit": np.ones(SIZE, np.float32),
        "light": light(),
    } | given
    with pytest.raises(ValueError, match=r"a tile|each|3 x 3"):
        grain.wall(own["tiles"], own["matrices"], own["reach"], (0, 0), SCALE, own["hit"], own["light"])
