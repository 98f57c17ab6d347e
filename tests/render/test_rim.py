"""The shares of wall, gasket and face in each pixel, compared with counted samples."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.devices.device import Slab, catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import levels
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box, Samples, projected
from service.render.geometry.rotation import rotation
from service.render.geometry.silhouette import silhouette
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.rim import Rim, join, kinds, polish, rim, seen, straight
from tests.render.posing import framed

SIDE, MANY = 200, 16
BOX = Box(0, 0, SIDE, SIDE)
PHONE = catalogue()["iphone-16-pro"]
BLACK = Colors(np.zeros(3, np.float32))
BODY, LENS, DECK = (
    catalogue()[device].slab(name)
    for device, name in (("iphone-16-pro", "body"), ("iphone-16-pro", "lens-1"), ("macbook-pro-14", "deck"))
)


def camera(slab: Slab, *angles: float) -> Camera:
    """A camera that sees all of a slab."""
    k = 0.7 * SIDE / max(slab.size)
    turn = rotation(*angles)
    x, y, _ = k * turn @ np.array(slab.center)
    return Camera(turn, k, 600.0, (SIDE / 2 - x, SIDE / 2 + y), SIDE, SIDE)


@pytest.mark.parametrize("slab", [BODY, LENS, DECK])
@pytest.mark.parametrize("angles", [(0, 0, 0), (20, -35, 8), (4, 72, -10), (-20, 0, 0), (6, 20, 30)])
@pytest.mark.parametrize("back", [False, True])
def test_shares_are_those_of_samples_and_add_up(slab: Slab, angles: tuple[float, ...], back: bool) -> None:
    if back and slab.base is not None:
        return
    # The lens looks backwards.
    turn = (angles[0], angles[1] + 180 * (back or slab is LENS), angles[2])
    of, shape = camera(slab, *turn), mesh(slab)
    front = seen(slab, of)
    assert front is not None
    outer = levels(silhouette(slab, of), BOX)
    shares, own = rim(shape, front, outer, of, BOX), kinds(slab, shape, front)
    white = np.ones(shape.points.shape, np.float32)
    walls, border, _ = projected(shape, white, of, own).paint(BOX, MANY)
    pairs = [(shares.wall, walls)]
    total = shares.wall.astype(int) + shares.face
    if shares.border is not None and shares.gasket is not None and border is not None:
        pairs.append((shares.border, border))
        total = total + shares.border + shares.gasket
    assert (total == outer).all()
    for share, samples in pairs:
        apart = np.abs(share / 255 - samples.hit)
        assert apart.max() < 2.5 / MANY
        assert apart[(share > 0) & (share < 255)].mean() < 0.4 / MANY
    join(walls, border, shares)
    # A wall that is thinner than the distance between samples gets no colour where no sample hits it.
    missing = outer - shares.face.astype(float) - walls.hit * 255
    assert missing.min() > -0.01
    assert missing.max() < 255 / MANY
    if shares.gasket is None:
        assert walls.rgb[..., 0] == pytest.approx(walls.hit, abs=0.005)


def test_bent_slabs_and_those_seen_edge_on_have_no_face_in_front() -> None:
    strap = next(slab for slab in catalogue()["watch"].slabs if slab.bend is not None)
    assert seen(strap, camera(strap, 0, 0, 0)) is None
    assert seen(LENS, camera(LENS, 0, 0, 0)) is None


@pytest.mark.parametrize("device", ["galaxy-z-fold-7-half-open", "galaxy-z-flip-7-half-open"])
@pytest.mark.parametrize("angles", [(10, -30, 0), (25, 20, 8), (12, 150, -8)])
@pytest.mark.parametrize("side", [-1, 1])
def test_halves_of_folded_slabs_have_the_shares_of_their_samples(
    device: str, angles: tuple[float, ...], side: int
) -> None:
    slab = catalogue()[device].slab("body")
    of, shape = camera(slab, *angles), mesh(slab)
    front = seen(slab, of, side)
    assert front is not None
    shares, there = straight(slab, shape, front, side, of, BOX)
    white = np.ones(shape.points.shape, np.float32)
    own = kinds(slab, shape, front, side)
    walls, border, _ = projected(shape.half(side), white, of, own).paint(BOX, MANY)
    assert border is not None
    assert shares.border is not None
    # Each half has large areas away from the arc.
    assert (there & (shares.face > 0)).sum() > 0.6 * (shares.face > 0).sum()
    for share, samples in ((shares.wall, walls), (shares.border, border)):
        apart = np.abs(share / 255 - samples.hit)[there]
        assert (share[there] > 0).sum() > 100
        # Where a half's side walls end, the wall of the arc is visible, too.
        assert np.quantile(apart, 0.999) < 2.5 / MANY
        assert apart[(share[there] > 0) & (share[there] < 255)].mean() < 0.4 / MANY
    join(walls, border, shares)
    total = (walls.hit + shares.face / 255)[there]
    assert np.abs(total - levels([*silhouette(slab, of)], BOX)[there] / 255)[total > 0].mean() < 0.01


def test_pixels_without_samples_take_the_nearest_colour() -> None:
    samples = Samples.none(Box(0, 0, 9, 1))
    samples.rgb[0, 0], samples.hit[0, 0] = 1.0, 0.5
    join(samples, None, Rim(np.zeros((1, 9), np.uint8), np.full((1, 9), 51, np.uint8)))
    assert samples.rgb[0, :, 0] == pytest.approx([0.4] * 4 + [0] * 5)
    assert samples.hit[0] == pytest.approx([0.2] * 4 + [0] * 5)


def polished(scale: int, strength: float) -> tuple[F32, F32]:
    """The premultiplied light (h, w, 3) of a phone's border, and its share, in a picture `scale` times as
    large."""
    base = camera(BODY, 12, -28, 4)
    of = Camera(
        base.turn, base.k * scale, base.distance, (scale * base.center[0], scale * base.center[1]), 1, 1
    )
    box = Box(0, 0, SIDE * scale, SIDE * scale)
    shape = mesh(BODY)
    shares, own = rim(shape, True, levels(silhouette(BODY, of), box), of, box), kinds(BODY, shape, True)
    normals = of.view(shape.normals).astype(np.float32)
    border = projected(shape, normals, of, own).paint(box, 6).second
    assert border is not None
    assert shares.border is not None
    polish(framed(PHONE, of, Light(load("window"), strength), BLACK), BODY, True, border, shares, box)
    share = shares.border.astype(np.float32) * np.float32(1 / 255)
    light = border.rgb / np.maximum(border.hit, np.float32(1e-6))[..., None] * share[..., None]
    return np.asarray(light, np.float32), share


@pytest.mark.long(seconds=2)
def test_a_border_thinner_than_a_pixel_mirrors_the_mean_of_its_slopes() -> None:
    (small, _), (large, _) = polished(1, 1.0), polished(16, 1.0)
    mean = large.reshape(SIDE, 16, SIDE, 16, 3).mean(axis=(1, 3))
    seen = mean.max(axis=-1) > 1e-4
    assert seen.sum() > 300
    error = np.abs(small - mean)[seen]
    assert error.mean() < 0.12 * mean[seen].mean()
    assert np.abs(small[seen].sum() / mean[seen].sum() - 1) < 0.05


def test_a_polished_border_has_no_light_of_its_own() -> None:
    light, share = polished(1, 0.0)
    assert share.max() > 0.2
    assert np.abs(light).max() == 0


def test_a_border_with_flat_samples_takes_the_slope_of_its_neighbours() -> None:
    """In one pixel of the row, samples met only upright normals; that pixel takes the light of its
    neighbours."""
    of, count = camera(BODY, -12, 66, 0), 9
    size, box = (1, count), Box(SIDE // 2, SIDE // 2, count, 1)
    up, out = of.turn[:, 2].astype(np.float32), of.turn[:, 0].astype(np.float32)
    normals = np.tile(0.5 * (up + np.float32(0.2) * out), (*size, 1)).astype(np.float32)
    normals[0, 4] = 0.5 * up
    border = Samples(normals, np.full(size, 0.5, np.float32))
    half, none = np.full(size, 150, np.uint8), np.zeros(size, np.uint8)
    shares = Rim(255 - half, none, half, none)
    polish(framed(PHONE, of, Light(load("night"), 1.0), BLACK), BODY, True, border, shares, box)
    beside = (border.rgb[0, 3] + border.rgb[0, 5]) / 2
    assert beside.max() > 0.01
    np.testing.assert_allclose(border.rgb[0, 4], beside, rtol=0.02)


@pytest.mark.parametrize("turn", [66, -66])
def test_flat_samples_lean_towards_the_side_with_less_face(turn: float) -> None:
    """Along a side, samples of many rows may hit only the flat beginning of the rounded border."""
    of = camera(BODY, -12, turn, 0)
    size, box = (9, 9), Box(SIDE // 2, SIDE // 2, 9, 9)
    up, out = of.turn[:, 2].astype(np.float32), of.turn[:, 0].astype(np.float32)
    half, none = np.full(size, 150, np.uint8), np.zeros(size, np.uint8)
    face = np.tile(np.linspace(240, 0, 9).astype(np.uint8), (9, 1))

    def lit(tilt: float) -> F32:
        normals = np.tile(0.5 * (up + np.float32(tilt) * out), (*size, 1)).astype(np.float32)
        border = Samples(normals, np.full(size, 0.5, np.float32))
        shares = Rim(face, none, half, none)
        polish(framed(PHONE, of, Light(load("night"), 1.0), BLACK), BODY, True, border, shares, box)
        return np.asarray(border.rgb[4, 4], np.float32)

    assert not np.allclose(lit(0.01), lit(-0.01), rtol=0.15)
    np.testing.assert_allclose(lit(0.0), lit(0.01), rtol=0.05)
