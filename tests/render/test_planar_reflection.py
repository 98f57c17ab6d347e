"""The reflection of a laptop's deck, or a monitor's foot, in the display."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.devices.device import catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import plane
from service.render.geometry.raster import Box
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.planar_reflection import MOST, PPM, PlanarReflection, _density, planar_reflection
from service.render.quality import FULL, PREVIEW, Quality
from tests.render.posing import framed

LAPTOP = catalogue()["macbook-pro-14"]
CAMERA = Camera(rotation(10, -15, 0), 2.0, 1500.0, (400.0, 300.0), 800, 600)
SILVER = Colors(np.array([0.6, 0.6, 0.6], np.float32))


def mirrored(
    name: str = "lid", device: str = "macbook-pro-14", quality: Quality = FULL
) -> PlanarReflection | None:
    of = catalogue()[device]
    frame = framed(of, CAMERA, Light(load("studio"), 1.0), SILVER, quality=quality)
    return planar_reflection(frame, of.slab(name))


def rays(places: list[tuple[float, float]]) -> tuple[F32, F32]:
    """Points (n, 3) on the middle line of the lid, and the directions (n, 3) from them to places on the deck,
    in mm."""
    lid, deck = (plane(LAPTOP.slab(name), True) for name in ("lid", "deck"))
    start = np.repeat((lid.origin + 20 * lid.y)[None], len(places), axis=0)
    ends = np.array([deck.origin + x * deck.x + y * deck.y for x, y in places])
    ways = ends - start
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return CAMERA.view(start).astype(np.float32), CAMERA.view(ways).astype(np.float32)


def test_only_the_lid_has_a_deck_in_front() -> None:
    found = mirrored()
    assert found is not None
    assert found.slab.name == "deck"
    assert mirrored("deck") is None
    phone = catalogue()["iphone-16-pro"]
    assert mirrored(phone.screen.slab, "iphone-16-pro") is None


def test_textures_of_large_faces_are_coarser() -> None:
    deck = LAPTOP.slab("deck")
    assert _density(deck) == PPM
    for size in ((900.0, 300.0, 9.0), (300.0, 900.0, 9.0)):
        large = _density(deck.model_copy(update={"size": size}))
        assert large < PPM
        assert size[0] * size[1] * large**2 == pytest.approx(MOST)


def test_keys_are_darker_than_the_palm_rest() -> None:
    found = mirrored()
    assert found is not None
    places = [(x, y) for y in (60.0, 20.0, -80.0, -100.0) for x in (-100.0, -95.0, -90.0)]
    met, share, light = found.seen(*rays(places), 3)
    assert (met == np.arange(len(places))).all()
    assert (share > 0.7).all()
    keys, palm = light[:6].mean(), light[6:].mean()
    assert keys < 0.3 * palm


def test_rays_beside_the_deck_meet_nothing() -> None:
    found = mirrored()
    assert found is not None
    points, ways = rays([(0.0, -300.0), (5.0, -300.0), (0.0, -320.0), (5.0, -320.0)])
    assert not len(found.seen(points, ways, 2)[0])
    assert not len(found.seen(points, -ways, 2)[0])


def test_the_foot_of_the_glass_is_looked_up_for_every_pixel() -> None:
    found, coarse = mirrored(), mirrored(quality=PREVIEW)
    assert found is not None
    assert coarse is not None
    at, lid, screen = plane(LAPTOP.slab("lid"), True), LAPTOP.slab("lid"), LAPTOP.screen
    foot = screen.center[1] - screen.size[1] / 2 + lid.size[1] / 2
    assert found.foot == foot
    whole = Box(0, 0, CAMERA.width, CAMERA.height)
    parts = found.sharp(at, CAMERA, whole)
    seen = np.zeros((CAMERA.height, CAMERA.width), np.int64)
    for part in parts:
        seen[part.within(whole)] += 1
    places = [
        (x, y - lid.size[1] / 2) for x in np.linspace(-150, 150, 31) for y in (0.5, foot / 2, foot - 0.5)
    ]
    spots = CAMERA.project(np.array([at.origin + x * at.x + y * at.y for x, y in places])).astype(int)
    assert (seen[spots[:, 1], spots[:, 0]] > 0).all()
    # Few other pixels show anything.
    assert (seen > 0).sum() < 3 * lid.size[0] * foot * CAMERA.k**2
    assert not coarse.sharp(at, CAMERA, whole)


def test_the_edge_of_the_mirror_image_is_blurred() -> None:
    """The share rises from 0 to 1 over two steps of the grid, each a third of a millimetre."""
    found = mirrored()
    assert found is not None
    places = [(x, -110.6 + step / 3) for step in range(-4, 5) for x in (0.0, 1.0)]
    met, share, _ = found.seen(*rays(places), 2)
    column = np.zeros(len(places))
    column[met] = share
    column = column[::2]
    assert (np.diff(column) >= 0).all()
    assert column[0] == 0
    assert column[-1] == 1
    assert 0.4 < column[4] < 0.6


def test_nothing_is_mirrored_at_the_horizon_of_a_foot() -> None:
    """Seen straight on, a level foot would extend to its horizon, halfway up the glass."""
    of = catalogue()["studio-display"]
    camera = Camera(rotation(0, 0, 0), 1.5, 1500.0, (480.0, 360.0), 960, 720)
    body = plane(of.slab("body"), True)
    found = planar_reflection(framed(of, camera, Light(load("studio"), 1.0), SILVER), of.slab("body"))
    assert found is not None
    rows = np.linspace(-160, 160, 321)
    points = np.array([body.origin + x * body.x + y * body.y for y in rows for x in (-280.0, -270.0, -260.0)])
    toward = camera.eye - points
    toward /= np.linalg.norm(toward, axis=1, keepdims=True)
    away = camera.view(toward * [-1, -1, 1]).astype(np.float32)
    met, _, _ = found.seen(camera.view(points).astype(np.float32), away, 3)
    assert not len(met)


def test_a_foot_of_which_half_is_in_front_is_mirrored_at_a_grazing_angle() -> None:
    of = catalogue()["dell-ultrasharp-27"]
    camera = Camera(rotation(35, -74, 0), 1.5, 1500.0, (480.0, 360.0), 960, 720)
    body, foot = of.slab("body"), plane(of.slab("foot"), True)
    glass = plane(body, True)
    assert float((foot.origin - glass.origin) @ glass.normal) < 0
    found = planar_reflection(framed(of, camera, Light(load("studio"), 1.0), SILVER), body)
    assert found is not None
    assert found.slab.name == "foot"
    # Points on the lowest 40 mm of the glass.
    across, up = (
        np.linspace(-body.size[0] / 2, body.size[0] / 2, 61),
        np.linspace(0, 40, 9) - body.size[1] / 2,
    )
    points = np.array([glass.origin + x * glass.x + y * glass.y for y in up for x in across])
    toward = camera.eye - points
    toward /= np.linalg.norm(toward, axis=1, keepdims=True)
    away = camera.view(toward * [-1, -1, 1]).astype(np.float32)
    met, share, radiance = found.seen(camera.view(points).astype(np.float32), away, len(across))
    assert len(met) > 60
    assert share.max() == pytest.approx(1)
    assert radiance.min() > 0.05
