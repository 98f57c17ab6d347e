"""Interreflection between flat faces of a monitor and of a watch."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F64
from service.devices.device import catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane, wall
from service.render.geometry.mesh import mesh
from service.render.light import lobes
from service.render.light.brdf import multiscatter_gain, split_sum
from service.render.light.environment import load, lookup
from service.render.light.interreflection import fields
from service.render.light.occluder import face_occluders, wall_occluders
from service.render.light.shading import Light, Points
from service.render.light.tint import Colors
from service.render.material import SURFACES
from service.render.paint.final_gather import sent
from service.render.paint.standing import ground
from service.render.paint.wall import lit
from service.render.passes.faces import white
from tests.render.posing import framed, posed
from tests.support.monitors import on_plates

MONITOR = on_plates()
SILVER = Colors(np.array([0.7, 0.7, 0.7], np.float32))
ALUMINIUM = SURFACES["aluminium"]
PATHS, BOUNCES = 3000, 5

Faces = list[tuple[Plane, tuple[float, float], bool]]


def faces() -> Faces:
    """The faces of a monitor, their half sizes, and whether they are metal; the display's front, which is
    black, is not."""
    found = []
    for slab in MONITOR.slabs:
        if slab.base is None:
            half = slab.size[0] / 2, slab.size[1] / 2
            glass = bool(MONITOR.screens_on(slab))
            found += [(plane(slab, True), half, not glass), (plane(slab, False), half, True)]
            if glass:
                found.append((wall(slab, "bottom"), (slab.size[0] / 2, slab.size[2] / 2), True))
    return found


def scattered(at: Plane, toward: F64, color: F64, random: np.random.Generator) -> tuple[F64, F64]:
    """The directions (n, 3) from which light scatters towards viewers (n, 3), drawn at random, and their
    weights (n, 3)."""
    axes, alpha = np.stack([at.x, at.y, at.normal]), ALUMINIUM.roughness**2
    view = toward @ axes.T
    share, turn = random.random(len(view)), 2 * np.pi * random.random(len(view))
    height = np.sqrt((1 - share) / (1 + (alpha**2 - 1) * share))
    flat = np.sqrt(1 - height**2)
    half = np.stack([flat * np.cos(turn), flat * np.sin(turn), height], axis=1)
    met = (view * half).sum(axis=1)
    light = 2 * met[:, None] * half - view
    nl, nv = np.maximum(light[:, 2], 0), np.maximum(view[:, 2], 1e-3)
    masked = nl * np.sqrt(alpha**2 + (1 - alpha**2) * nv**2) + nv * np.sqrt(alpha**2 + (1 - alpha**2) * nl**2)
    weight = np.where(met > 0, 2 * nl * met / np.maximum(masked * height, 1e-9), 0)
    fresnel = color + (1 - color) * (np.clip(1 - met, 0, 1) ** 5)[:, None]
    a, b = split_sum(nv.astype(np.float32), ALUMINIUM.roughness)
    mirrored = weight[:, None] * fresnel * multiscatter_gain(a + b, color.astype(np.float32))
    share = random.random(len(view))
    flat = np.sqrt(share)
    even = np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sqrt(1 - share)], axis=1)
    matt = (random.random(len(view)) < ALUMINIUM.diffuse)[:, None]
    return np.where(matt, even, light) @ axes, np.where(matt, color, mirrored)


def traced(start: F64, at: Plane, camera: Camera, name: str, color: F64, bounces: int = BOUNCES) -> F64:
    """The radiance (3,) of a point on a face, by tracing paths between flat faces."""
    random, sky, scene = np.random.default_rng(7), load(name).sharp, faces()
    points = np.repeat((start + 1e-3 * at.normal)[None], PATHS, axis=0)
    away = camera.eye - points
    ways, weight = scattered(at, away / np.linalg.norm(away, axis=1)[:, None], color, random)
    found = np.zeros(3)
    for bounce in range(bounces + 1):
        nearest, which = np.full(len(points), np.inf), np.full(len(points), -1)
        for number, (face, half, _) in enumerate(scene):
            into, high = -(ways @ face.normal), (points - face.origin) @ face.normal
            length = np.where((into > 1e-6) & (high > 1e-4), high / np.maximum(into, 1e-6), 1e9)
            place = points + length[:, None] * ways - face.origin
            inside = (np.abs(place @ face.x) < half[0]) & (np.abs(place @ face.y) < half[1])
            closer = inside & (length < np.minimum(nearest, 1e8))
            nearest[closer], which[closer] = length[closer], number
        open_ = which < 0
        found += (weight[open_] * lookup(sky, camera.view(ways[open_]).astype(np.float32))).sum(axis=0)
        lives = np.array([*(is_metal for *_, is_metal in scene), False])[which] & (bounce < bounces)
        points = points[lives] + nearest[lives, None] * ways[lives]
        which, back, weight = which[lives], -ways[lives], weight[lives]
        ways = np.zeros_like(points)
        for number, (face, *_) in enumerate(scene):
            at_it = which == number
            ways[at_it], more = scattered(face, back[at_it], color, random)
            weight[at_it] *= more
    return found / PATHS


def shown(
    slab: str, front: bool, name: str, colors: Colors, places: list[tuple[float, float]]
) -> tuple[F64, F64]:
    """The radiance (n, 3) of places on a face of a monitor, by the final gather and by path tracing."""
    camera, light, part = posed(15, -35), Light(load(name), 1.0), MONITOR.slab(slab)
    at, frame = plane(part, front), framed(MONITOR, camera, light, colors)
    over = face_occluders(frame, part, at, fields(frame))
    own = [
        sent(frame, frame.face(part, front), at, over, (np.array([x]), np.array([y])))[0][0, 0, :3]
        for x, y in places
    ]
    truth = [
        traced(at.origin + x * at.x + y * at.y, at, camera, name, colors.tint.astype(np.float64))
        for x, y in places
    ]
    return np.array(own, np.float64), np.array(truth)


FOOT = [(0.0, -60.0), (-40.0, 20.0), (0.0, 55.0), (40.0, 70.0)]
UPRIGHT = [(0.0, -125.0), (40.0, -110.0), (-40.0, -80.0), (0.0, -50.0)]


@pytest.mark.parametrize(("slab", "front", "places"), [("foot", True, FOOT), ("upright", False, UPRIGHT)])
def test_gathered_light_is_near_path_traced_light(
    slab: str, front: bool, places: list[tuple[float, float]]
) -> None:
    own, truth = shown(slab, front, "studio", SILVER, places)
    assert np.abs(own - truth).mean() < 0.08 * truth.mean()


def test_bounced_light_takes_on_the_colour() -> None:
    blue = Colors(np.array([0.25, 0.45, 0.8], np.float32))
    own, truth = shown("upright", False, "studio", blue, UPRIGHT)
    plain, _ = shown("upright", False, "studio", SILVER, UPRIGHT)
    assert np.abs(own / own.sum(axis=1)[:, None] - truth / truth.sum(axis=1)[:, None]).max() < 0.03
    # Several bounces give more light than one.
    assert (own[:, 2] / own[:, 0] > 1.1 * (0.8 / 0.25) * 0.7 * plain[:, 2] / plain[:, 0]).all()


def test_lamps_of_several_colours_are_hidden_one_by_one() -> None:
    own, truth = shown("foot", True, "night", SILVER, FOOT)
    hue, true = (part / part.sum(axis=1)[:, None] for part in (own, truth))
    assert np.abs(hue - true).mean() < 0.06


def test_fields_send_more_light_where_less_is_hidden() -> None:
    frame = framed(MONITOR, posed(15, -35), Light(load("studio"), 1.0), SILVER)
    field = fields(frame)["foot", "front", 0]
    ahead = np.repeat(-field.axes[2:], 2, axis=0)
    near, far = field.sent(np.zeros(2, np.float32), np.array([70.0, -70.0], np.float32), ahead).mean(axis=1)
    assert near < 0.8 * far


def test_devices_without_stand_or_straps_have_no_fields() -> None:
    for name in ("iphone-16-pro", "macbook-pro-14", "galaxy-z-fold-7-half-open"):
        assert not fields(framed(catalogue()[name], posed(0, 0), Light(load("studio"), 1.0), SILVER))


def test_straps_take_light_from_the_sensor_between_them() -> None:
    light = Light(load("softbox"), 1.0)
    for name, part, hidden in (("pixel-watch-4", "sensor", True), ("iphone-16-pro", "camera", False)):
        device = catalogue()[name]
        slab = device.slab(part)
        frame, at = framed(device, posed(0, 180), light, SILVER), plane(slab, True)
        open_sky = light.diffuse(frame.camera.view(at.normal[None]).astype(np.float32))[0]
        share = (white(frame, slab, True, at) / open_sky).mean()
        assert 0.3 < share < 0.8 if hidden else share == 1, name


def test_a_stand_shades_the_raised_part_that_holds_it() -> None:
    device = catalogue()["dell-ultrasharp-27"]
    bulge, body = device.slab("bulge"), device.slab("body")
    frame = framed(device, posed(-20, 180), Light(load("softbox"), 1.0), SILVER)
    shape, under = mesh(bulge), ground(frame, bulge, body)
    others = wall_occluders(frame, bulge, fields(frame))
    alone, beside = (lit(frame, bulge, shape, under, None, some).mean(axis=1) for some in ((), others))
    x, y, _ = (shape.points - bulge.center).T
    below = (y < -bulge.size[1] / 2 + 1) & (alone > 0.02)
    near, far = below & (np.abs(x) < 30), below & (np.abs(x) > 150)
    left = beside / alone
    assert left[near].mean() < 0.85
    assert left[far].mean() > 0.93


def test_a_matt_share_of_metal_keeps_its_light_where_its_lobe_is_hidden() -> None:
    camera, light, upright = posed(8, 155), Light(load("softbox"), 1.0), MONITOR.slab("upright")
    frame = framed(MONITOR, camera, light, SILVER)
    others = wall_occluders(frame, upright, fields(frame))
    at = wall(upright, "right")
    point, normal, along = camera.view(np.stack([at.origin, at.normal, at.x]))[:, None].astype(np.float32)
    away = camera.view(camera.eye[None]) - point
    toward = (away / np.linalg.norm(away)).astype(np.float32)
    none, half = (
        lobes.seen(
            (ALUMINIUM, SILVER.tint), Points(normal, along, toward, point), light, others=others,
            white=np.full((1, 3), white, np.float32),
        ).mean()
        for white in (0.0, 0.5)
    )  # fmt: skip
    assert half - none == pytest.approx(0.5 * ALUMINIUM.diffuse * 0.7, rel=0.01)
