"""Pictures on side walls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from service.arrays import F32
from service.devices.device import Decal, Side, catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import wall
from service.render.geometry.mesh import pose
from service.render.geometry.outline import outline
from service.render.geometry.raster import Box, Samples
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.decal import apply_decal, leaning
from service.render.paint.wrapped import Turn, bulge, met, met_in_corner
from tests.render.posing import framed

PHONE = catalogue()["iphone-15-pro-max"]
BODY = PHONE.slabs[0]
LAPTOP = catalogue()["macbook-pro-14"]
BOX = Box(0, 0, 400, 600)


def painted(radiance: float) -> F32:
    """A left wall with the radiance (h, w, 3) that is given, and antenna bands as its only pictures."""
    camera = Camera(rotation(0, 60, 0), 3.5, 1500.0, (200.0, 300.0), BOX.width, BOX.height)
    rgb = np.full((BOX.height, BOX.width, 3), radiance, np.float32)
    frame = framed(PHONE, camera, Light(load("studio"), 1.0), Colors(np.full(3, 0.8, np.float32)))
    for decal in BODY.decals:
        if decal.side == "left" and "band" in decal.image:
            apply_decal(frame, BODY, decal, Samples(rgb, np.ones(rgb.shape[:2], np.float32)), BOX)
    return rgb


@pytest.mark.parametrize(("radiance", "lighter"), [(0.02, True), (0.9, False)])
def test_a_band_is_lighter_than_dark_metal_and_darker_than_bright(radiance: float, lighter: bool) -> None:
    wall = painted(radiance)
    changed = np.abs(wall - radiance).max(axis=2) > 0.01
    assert changed.sum() > 100
    assert ((wall[changed].mean(axis=1) > radiance) == lighter).all()
    assert wall.min() >= 0


@pytest.mark.parametrize(
    "angles", [(0, 60, 0), (30, 25, 8), (0, 140, -5), (-70, 10, 0), (5, -4, 0), (0, 89, 0)]
)
@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_rays_meet_walls_and_their_edges(angles: tuple[float, ...], side: Side) -> None:
    camera = Camera(rotation(*angles), 3.0, 700.0, (200.0, 300.0), BOX.width, BOX.height)
    at = wall(BODY, side)
    turn = np.linspace(-np.pi / 2, np.pi / 2, 21)
    straight = BODY.size[2] / 2 - BODY.edge
    z = np.sign(turn) * straight + BODY.edge * np.sin(turn)
    out = BODY.edge * (np.cos(turn) - 1)
    points = at.origin + 7 * at.x + z[:, None] * at.y + out[:, None] * at.normal
    normals = np.sin(turn)[:, None] * at.y + np.cos(turn)[:, None] * at.normal
    away = camera.eye - points
    seen = np.einsum("ij,ij->i", normals, away) > 0.1 * np.linalg.norm(away, axis=1)
    for (px, py), height in zip(camera.project(points[seen]), z[seen], strict=True):
        # Shift the picture so that the point falls into a box of one pixel.
        corner = replace(camera, center=(camera.center[0] - px, camera.center[1] - py))
        along, up = met(BODY, at, corner, Box(0, 0, 1, 1))
        assert along[0, 0] == pytest.approx(7, abs=0.02)
        assert up[0, 0] == pytest.approx(height, abs=0.02)


def test_bands_continue_over_the_edge_and_end_there() -> None:
    deck = LAPTOP.slab("deck")
    scoop = next(decal for decal in deck.decals if "scoop" in decal.image)
    light, colors = Light(load("studio"), 1.0), Colors(np.full(3, 0.8, np.float32))

    def painted(*angles: float) -> tuple[F32, Camera]:
        camera = Camera(rotation(*angles), 2.0, 500.0, (300.0, 200.0), 600, 600)
        rgb = np.full((600, 600, 3), 3.0, np.float32)
        walls = Samples(rgb, np.ones(rgb.shape[:2], np.float32))
        apply_decal(framed(LAPTOP, camera, light, colors), deck, scoop, walls, Box(0, 0, 600, 600))
        return np.abs(rgb - 3).max(axis=2), camera

    changed, camera = painted(20, 10, 0)
    at, edge = wall(deck, "bottom"), deck.edge
    tilts = np.radians([0, 30, 60, 80])
    z = deck.size[2] / 2 - edge + edge * np.sin(tilts)
    points = at.origin + z[:, None] * at.y + edge * (np.cos(tilts) - 1)[:, None] * at.normal
    x, y = camera.project(points).astype(int).T
    assert (changed[y, x] > 0.5).all()
    # From behind, the picture is visible past the deck, but never on the wall in front of the deck.
    assert painted(12, 158, 0)[0].max() > 0.5
    assert painted(6, 158, 0)[0].max() == 0


@pytest.mark.parametrize("place", [12.0, -14.0, 20.0])
@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_pictures_touch_their_wall_where_it_bends(side: Side, place: float) -> None:
    case = catalogue()["apple-watch-ultra-3"].slab("body")
    place *= 0.8 if side in ("top", "bottom") else 1.0
    decal = Decal(side=side, at=place, size=(2.0, 1.0), image="")
    flat, axes, middle = wall(case, side), *pose(case)
    at = leaning(case, decal, flat)
    assert np.einsum("ij,kj->ik", [at.normal], [at.x, at.y]) == pytest.approx(0, abs=1e-9)
    fine = outline(case.size[0], case.size[1], case.corner, 50).points @ axes[:, :2].T + middle
    beyond = (fine - at.origin) @ at.normal
    assert beyond.max() == pytest.approx(0, abs=0.01), "all of the outline is on one side"
    point = at.origin + place * at.x
    nearest = np.linalg.norm(fine - point, axis=1).min()
    assert nearest < 0.1
    # Moving a picture outwards leaves its place along the wall unchanged.
    assert (point - flat.origin) @ flat.x == pytest.approx(place)
    straight = decal.model_copy(update={"at": 3.0})
    assert leaning(case, straight, flat) is flat


@pytest.mark.parametrize("angles", [(32, 108, 13), (10, -60, 0), (60, 20, 5), (-50, 150, 0)])
@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_rays_meet_walls_in_corners(angles: tuple[float, ...], side: Side) -> None:
    case = catalogue()["galaxy-watch-8"].slab("body")
    decal = Decal(side=side, at=9.0, size=(7.0, 1.0), image="")
    assert bulge(case, decal) > 0.2
    camera = Camera(rotation(*angles), 9.0, 700.0, (200.0, 300.0), BOX.width, BOX.height)
    flat, (axes, middle) = wall(case, side), pose(case)
    ring = outline(case.size[0], case.size[1], case.corner, 50)
    points = ring.points @ axes[:, :2].T + middle + 0.4 * axes[:, 2]
    along, away = (points - flat.origin) @ flat.x, camera.eye - points
    normals = ring.normals @ axes[:, :2].T
    facing = np.einsum("ij,ij->i", normals, away) > 0.3 * np.linalg.norm(away, axis=1)
    near = (normals @ flat.normal > 0.3) & (np.abs(along - decal.at) < decal.size[0] / 2)
    for (px, py), place in zip(camera.project(points[facing & near]), along[facing & near], strict=True):
        # Shift the picture so that the point falls into a box of one pixel.
        shifted = replace(camera, center=(camera.center[0] - px, camera.center[1] - py))
        found, up = met_in_corner(Turn.of(case, decal), decal.at, flat, shifted, Box(0, 0, 1, 1))
        assert found[0, 0] == pytest.approx(place, abs=0.03)
        assert up[0, 0] == pytest.approx(0.4, abs=0.03)


def test_a_vent_in_a_corner_lies_on_its_wall() -> None:
    """Its plane would only touch the wall in the vent's middle, and move its ends by a pixel."""
    watch = catalogue()["galaxy-watch-8"]
    case, flat = watch.slab("body"), wall(watch.slab("body"), "left")
    decal = next(decal for decal in case.decals if decal.side == "left" and decal.size[0] > 7)
    camera = Camera(rotation(32, 108, 13), 20.0, 900.0, (700.0, 700.0), 1400, 1400)
    rgb = np.full((1400, 1400, 3), 1.0, np.float32)
    frame = framed(watch, camera, Light(load("studio"), 1.0), Colors(np.full(3, 0.8, np.float32)))
    walls = Samples(rgb, np.ones(rgb.shape[:2], np.float32))
    apply_decal(frame, case, decal, walls, Box(0, 0, 1400, 1400))
    changed = np.abs(rgb - 1).max(axis=2)
    y, x = np.nonzero(changed > 0.5 * changed.max())
    turn = Turn.of(case, decal)
    ends = np.array([decal.at - decal.size[0] / 2, decal.at + decal.size[0] / 2])
    inset = turn.along(ends)[0][:, None]
    want = camera.project(flat.origin + ends[:, None] * flat.x + decal.across * flat.y - inset * flat.normal)
    spread = want[1] - want[0]
    along = np.column_stack([x + 0.5, y + 0.5]) @ spread / np.linalg.norm(spread)
    reach = want @ spread / np.linalg.norm(spread)
    assert (along.min() + along.max()) / 2 == pytest.approx(reach.mean(), abs=1.0)
