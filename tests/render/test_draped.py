"""Pictures on slabs that are bent along their whole length."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pytest

from service.arrays import F32, U8
from service.devices.device import Bend, Face, Layer, Slab, catalogue
from service.render.geometry.bend import bent
from service.render.geometry.camera import Camera
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box, projected
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.draped import drape, shown
from tests.render import strips
from tests.render.posing import framed
from tests.render.strips import PLAIN

SIDE = 240
BOX = Box(0, 0, SIDE, SIDE)
BEND = Bend(angle=70.0, radius=33.0)


class Picture:
    """A source that returns one texture for every name."""

    def __init__(self, pixels: U8) -> None:
        self._pixels = pixels

    def identity(self, name: str) -> Hashable:
        return name, self._pixels.tobytes()

    def read(self, name: str) -> U8:
        return self._pixels


def strip(face: Face, back: Face = PLAIN) -> Slab:
    """A strip of rubber with these faces."""
    return strips.strip(BEND, face, back)


def drawn(**layer: object) -> Face:
    """A face with one picture."""
    return Face(surface="rubber", layers=(Layer.model_validate({"image": "one", **layer}),))


def solid(color: tuple[int, int, int], alpha: int = 255, side: int = 64) -> Picture:
    """A picture of one colour."""
    return Picture(np.full((side, side, 4), (*color, alpha), np.uint8))


def seen(slab: Slab, picture: Picture, ry: float = 0.0, scale: float = 4.0) -> tuple[F32, F32, Camera]:
    """The light (h, w, 3) of a textured strip in a uniform light of 0.5, and the share of samples that hit it
    (h, w)."""
    camera = Camera(rotation(0, ry, 0), scale, 1e5, (SIDE / 2, SIDE / 2), SIDE, SIDE)
    light = Light(load("studio"), 1.0)
    shape = mesh(slab)
    frame = framed(catalogue()["apple-watch-ultra-3"], camera, light, Colors(np.ones(3, np.float32)), picture)
    even = np.full(shape.points.shape, 0.5, np.float32)
    both = np.concatenate([even, shown(frame, slab, shape)], axis=1)
    walls, _, places = projected(shape, both, camera).paint(BOX, 3)
    drape(frame, slab, walls, places)
    return walls.rgb, walls.hit, camera


def test_transparent_pictures_leave_the_light_unchanged() -> None:
    clear = solid((0, 0, 0), 0)
    rgb, *_ = seen(strip(drawn(size=(20.0, 40.0))), clear)
    plain, *_ = seen(strip(PLAIN), clear)
    assert np.abs(rgb - plain).max() < 1e-6


def test_black_hides_all_light_of_its_side_only() -> None:
    slab = strip(drawn(size=(24.0, 60.0)))
    front, hit, _ = seen(slab, solid((0, 0, 0)))
    whole = hit > 0.999
    # From the front, all visible walls lean towards it, so they show its picture.
    assert front[whole].max() < 1e-4
    back, hit, _ = seen(slab, solid((0, 0, 0)), ry=180.0)
    assert np.median(back[hit > 0.999]) == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("front", [True, False])
def test_pictures_keep_their_places_on_the_bent_plate(front: bool) -> None:
    spot = drawn(size=(4.0, 4.0), center=(5.0, -9.0))
    slab = strip(spot) if front else strip(PLAIN, spot)
    rgb, hit, camera = seen(slab, solid((0, 0, 0)), ry=0.0 if front else 180.0)
    dark = (rgb[..., 0] < 0.25) & (hit > 0.999)
    rows, columns = np.nonzero(dark)
    flat = np.array([[5.0 if front else -5.0, -9.0, 1.5 if front else -1.5]])
    place = camera.project(bent(BEND, 40.0, flat, flat, flat)[0])[0]
    assert columns.mean() + 0.5 == pytest.approx(place[0], abs=0.7)
    assert rows.mean() + 0.5 == pytest.approx(place[1], abs=0.7)
    # The mark is 4 mm wide at 4 px per mm. Along the arc, which turns away, it looks shorter.
    assert np.ptp(columns) + 1 == pytest.approx(16, abs=1.5)
    assert 10 < np.ptp(rows) + 1 < 17


def test_a_fine_pattern_is_seen_as_its_mean() -> None:
    checks = np.zeros((512, 256, 4), np.uint8)
    checks[..., 3] = np.where(np.indices((512, 256)).sum(axis=0) % 2, 255, 0)
    rgb, hit, _ = seen(strip(drawn(size=(20.0, 40.0))), Picture(checks), scale=2.0)
    middle = rgb[SIDE // 2 - 15 : SIDE // 2 + 15, SIDE // 2 - 12 : SIDE // 2 + 12, 0]
    assert hit[SIDE // 2, SIDE // 2] == pytest.approx(1)
    assert middle == pytest.approx(np.full(middle.shape, 0.25), abs=0.02)


def test_colours_are_lit_by_the_light_that_falls_on_the_arc() -> None:
    rgb, hit, _ = seen(strip(drawn(size=(24.0, 60.0))), solid((255, 0, 0)))
    red, rest = rgb[hit > 0.999][:, 0], rgb[hit > 0.999][:, 1:]
    assert np.abs(rest).max() < 1e-4
    assert red.min() > 0.05
    # The upper end faces the light from above.
    assert rgb[SIDE // 2 - 60, SIDE // 2, 0] > 1.05 * rgb[SIDE // 2 + 60, SIDE // 2, 0]


def test_watches_have_pictures_on_their_straps() -> None:
    for name in ("pixel-watch-4", "apple-watch-ultra-2"):
        strap = catalogue()[name].slab("strap-bottom")
        assert strap.back is not None
        assert strap.front.layers
        assert strap.front.layers == strap.back.layers
    for name in ("watch", "pixel-watch-4"):
        closure = catalogue()[name].slab("strap-closure")
        assert closure.back is not None
        assert closure.front.layers
        assert closure.front.layers != closure.back.layers


def test_ribs_are_seen_in_small_pictures_too() -> None:
    ribs = np.zeros((360, 180, 4), np.uint8)
    ribs[np.arange(360) // 45 % 2 == 1, :, 3] = 255
    rgb, *_ = seen(strip(drawn(size=(20.0, 40.0))), Picture(ribs), scale=1.0)
    column = rgb[SIDE // 2 - 8 : SIDE // 2 + 8, SIDE // 2, 0]
    assert column.min() < 0.12
    assert column.max() > 0.38


@pytest.mark.parametrize("ry", [0.0, 37.0, 151.0])
def test_the_outline_is_as_light_as_its_neighbours(ry: float) -> None:
    """No sample hits some pixels of the outline, so they take light and places from their neighbours."""
    white = Layer.model_validate({"image": "one", "size": (60.0, 120.0)})
    face = Face(surface="rubber", layers=(white,))
    rgb, hit, _ = seen(strip(face, face), solid((255, 255, 255)), ry, 3.3)
    there = hit > 0
    light = rgb.mean(axis=2)[there] / hit[there]
    assert light.min() > 0.5 * np.percentile(light, 5)
