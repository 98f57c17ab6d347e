"""The shares of wall, gasket and face in each pixel, against counting samples."""

from __future__ import annotations

import numpy as np
import pytest

from service.models.devices import Slab, catalogue
from service.render.geometry.camera import Camera, rotation
from service.render.geometry.coverage import fill
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box, Samples, rasterise
from service.render.geometry.silhouette import silhouette
from service.render.paint.rim import borrow, joined, kinds, rim, seen

SIDE, MANY = 200, 16
BOX = Box(0, 0, SIDE, SIDE)
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
    outer = fill(silhouette(slab, of), BOX)
    shares, own = rim(shape, front, outer, of, BOX), kinds(shape, front)
    white = np.ones(shape.points.shape, np.float32)
    walls, border = rasterise(shape, white, of, BOX, MANY, own)
    pairs = [(shares.wall, walls)]
    total = shares.wall + shares.face.ravel()[shares.at]
    if shares.border is not None and shares.gasket is not None:
        pairs.append((shares.border, border))
        total = total + shares.border + shares.gasket
    assert total == pytest.approx(outer.ravel()[shares.at], abs=0.01)
    for share, samples in pairs:
        apart = np.abs(share - samples.hit.ravel()[shares.at])
        assert apart.max() < 2.5 / MANY
        assert apart.mean() < 0.3 / MANY
    found = joined(walls, border, shares)
    assert found.hit.max() <= 1.01
    if shares.gasket is None:
        assert found.rgb[..., 0] == pytest.approx(found.hit, abs=0.005)


def test_bent_slabs_and_those_seen_edge_on_have_no_face_in_front() -> None:
    strap = next(slab for slab in catalogue()["watch"].slabs if slab.bend is not None)
    assert seen(strap, camera(strap, 0, 0, 0)) is None
    assert seen(LENS, camera(LENS, 0, 0, 0)) is None


def test_a_share_without_samples_borrows_the_nearest_colour() -> None:
    samples = Samples.none(Box(0, 0, 9, 1))
    samples.rgb[0, 0], samples.hit[0, 0] = 2.0, 0.5
    borrow(samples.rgb, samples.hit, np.array([1, 2, 8]))
    assert samples.rgb[0, :, 0] == pytest.approx([2, 2, 2, 0, 0, 0, 0, 0, 0])
    assert samples.hit[0] == pytest.approx([0.5, 1, 1, 0, 0, 0, 0, 0, 0])
