"""A laptop's deck under its lid."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from service.arrays import F32, F64
from service.models.devices import catalogue
from service.render.geometry.camera import Camera, rotation
from service.render.geometry.face import plane
from service.render.light.brdf import lobe
from service.render.light.environment import load
from service.render.light.neighbour import Neighbour, neighbour
from service.render.light.shading import Hidden, Light, mirror
from service.render.light.tint import Colors

LEVEL = 0.45
LAPTOP = catalogue()["macbook-pro-14"]
SLABS = {slab.name: slab for slab in LAPTOP.slabs}


def posed(rx: float, ry: float) -> Camera:
    return Camera(rotation(rx, ry, 0), 2.0, 1500.0, (400.0, 300.0), 800, 600)


def over(camera: Camera, name: str = "deck", front: bool = True) -> Neighbour | None:
    slab = SLABS[name]
    colors = Colors(np.array([0.6, 0.6, 0.6], np.float32))
    return neighbour(LAPTOP, slab, plane(slab, front), camera, Light(load("studio"), 1.0), colors)


def deck(camera: Camera, places: list[tuple[float, float]]) -> tuple[F64, F64, F64]:
    """Points (n, 3) of the deck given in its own mm, its normal (3,) and directions to the camera (n, 3)."""
    at = plane(SLABS["deck"], True)
    points = camera.view(np.array([at.origin + x * at.x + y * at.y for x, y in places]))
    toward = np.array([0, 0, camera.distance]) - points
    return points, camera.view(at.normal[None])[0], toward / np.linalg.norm(toward, axis=1)[:, None]


def hidden(camera: Camera, places: list[tuple[float, float]]) -> Hidden:
    found = over(camera)
    assert found is not None
    points, normal, toward = (v.astype(np.float32) for v in deck(camera, places))
    normals = np.broadcast_to(normal, points.shape)
    cosine, mirrored = mirror(normals, toward)
    bent = mirrored + lobe(cosine, LEVEL)[0][:, None] * normals
    return found.hidden(points, normals, bent, cosine, LEVEL**2)


def onto_lid(camera: Camera, point: F64, leaving: F64) -> NDArray[np.bool_]:
    """Which directions (n, 3) from a point meet the lid's front."""
    at = plane(SLABS["lid"], True)
    middle, x, y, normal = camera.view(np.stack([at.origin, at.x, at.y, at.normal]))
    facing = leaving @ normal
    with np.errstate(divide="ignore"):
        way = ((middle - point) @ normal) / facing
    met = point + way[:, None] * leaving - middle
    width, height, _ = SLABS["lid"].size
    inside = (np.abs(met @ x) < width / 2) & (np.abs(met @ y) < height / 2)
    return np.asarray((facing < 0) & (way > 0) & inside)


def lobes(normal: F64, toward: F64, count: int = 60_000) -> tuple[F64, F64]:
    """Directions of a GGX lobe (n, 3) and their weights (n,)."""
    alpha, random = LEVEL**2, np.random.default_rng(2)
    part, turn = (np.arange(count) + 0.5) / count, 2 * np.pi * random.random(count)
    x = np.cross(normal, [0.3, 0.5, 0.8])
    x /= np.linalg.norm(x)
    radius = alpha * np.sqrt(part / (1 - part))
    half = normal + np.outer(radius * np.cos(turn), x) + np.outer(radius * np.sin(turn), np.cross(normal, x))
    half /= np.linalg.norm(half, axis=1)[:, None]
    vh = half @ toward
    leaving = 2 * vh[:, None] * half - toward
    nl, nv = leaving @ normal, normal @ toward

    def masking(cosine: F64) -> F64:
        slant = (1 - cosine * cosine) / np.maximum(cosine * cosine, 1e-9)
        return np.asarray((np.sqrt(1 + alpha**2 * slant) - 1) / 2)

    weight = vh / (half @ normal * nv) / (1 + masking(np.array(nv)) + masking(nl))
    weight = np.where((nl > 0) & (vh > 0), weight, 0)
    return leaving, weight / weight.sum()


PLACES = [(x, y) for x in (-130.0, 0.0, 90.0) for y in (-100.0, -30.0, 40.0, 90.0)]


@pytest.mark.parametrize(("rx", "ry"), [(0, 0), (20, 0), (10, 30), (0, -50)])
def test_the_lid_fills_its_share_of_a_lobe(rx: float, ry: float) -> None:
    camera = posed(rx, ry)
    points, normal, toward = deck(camera, PLACES)
    found = hidden(camera, PLACES)
    truth = []
    for point, away in zip(points, toward, strict=True):
        leaving, weight = lobes(normal, away)
        truth.append(weight[onto_lid(camera, point, leaving)].sum())
    assert np.abs(found.share - truth).mean() < 0.07
    assert np.abs(found.share - truth).max() < 0.2
    assert np.ptp(truth) > 0.2


def test_the_lid_takes_its_part_of_the_sky() -> None:
    camera = posed(20, 0)
    points, normal, _ = deck(camera, PLACES)
    random = np.random.default_rng(3)
    x = np.cross(normal, [0.3, 0.5, 0.8])
    x /= np.linalg.norm(x)
    height, turn = random.random(60_000), 2 * np.pi * random.random(60_000)
    flat = np.sqrt(height)[:, None]
    sky = flat * (np.outer(np.cos(turn), x) + np.outer(np.sin(turn), np.cross(normal, x)))
    sky += np.outer(np.sqrt(1 - height), normal)
    truth = [onto_lid(camera, point, sky).mean() for point in points]
    assert np.abs(hidden(camera, PLACES).matt - truth).max() < 0.06


def test_what_the_lid_leaves_free() -> None:
    camera, places = posed(20, 0), [(0.0, 60.0), (0.0, 0.0), (90.0, 90.0)]
    points, normal, toward = deck(camera, places)
    found = hidden(camera, places).free.astype(np.float64)
    _, mirrored = mirror(np.tile(normal, (3, 1)).astype(np.float32), toward.astype(np.float32))
    for point, away, free, straight in zip(points, toward, found, mirrored, strict=True):
        leaving, weight = lobes(normal, away)
        middle = (weight * ~onto_lid(camera, point, leaving)) @ leaving
        apart, before = (angle(middle, direction) for direction in (free, straight))
        assert apart < 12
        assert apart < 0.6 * before


def angle(a: F64, b: F64 | F32) -> float:
    """Degrees between two directions."""
    return float(np.degrees(np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))))


def test_only_a_deck_has_something_over_it() -> None:
    camera = posed(20, 0)
    assert over(camera) is not None
    assert over(camera, front=False) is None
    assert over(camera, "lid") is None
    phone = catalogue()["iphone-16-pro"]
    colors, light = Colors(np.ones(3, np.float32)), Light(load("studio"), 1.0)
    for slab in phone.slabs:
        for front in (True, False):
            assert neighbour(phone, slab, plane(slab, front), camera, light, colors) is None
