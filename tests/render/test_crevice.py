"""Ambient occlusion under a laptop's lid, around its hinge, and where a monitor's stand meets its foot."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.clock import Clock
from service.devices.device import catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import plane
from service.render.geometry.mesh import mesh, pose
from service.render.geometry.raster import Box
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.crevice import FAR, Crevice, crevice, hidden
from service.render.passes import faces, gaps
from service.render.passes.target import Target
from tests.render.posing import framed
from tests.support.monitors import on_plates

LAPTOP = catalogue()["macbook-pro-14"]


def column(found: Crevice, x: float, places: list[float]) -> F32:
    """The light lost at places (n,) up the deck, x mm right of its middle."""
    high, wide = found.picture.shape
    across = (x - found.center[0]) / found.size[0] + 0.5
    down = 0.5 - (np.array(places) - found.center[1]) / found.size[1]
    return np.asarray(found.picture[(down * high).astype(int), int(across * wide)], np.float32)


def test_shade_is_deep_in_the_gap_and_falls_off_before_it() -> None:
    found = crevice(LAPTOP, LAPTOP.slab("deck"))
    assert found is not None
    before_the_hinge = column(found, 0, [102.0, 99.5, 98.0, 96.0])
    beside_it = column(found, 150, [105.0, 102.0, 99.5, 96.0])
    assert (np.diff(before_the_hinge) < 0).all()
    assert (np.diff(beside_it) < 0).all()
    assert before_the_hinge[0] > 0.6
    assert beside_it[0] > 0.6
    # The lid leaves a higher gap than the hinge.
    assert before_the_hinge[2] < 0.1 < beside_it[2]


def test_light_falls_to_nothing_where_a_stand_meets_its_foot() -> None:
    monitor = on_plates()
    foot, upright = monitor.slab("foot"), monitor.slab("upright")
    found = crevice(monitor, foot)
    assert found is not None
    axes, center = pose(upright)
    at = plane(foot, True)
    edge = center + axes @ (np.array([0, -upright.size[1], upright.size[2]]) / 2 + (0, 1.2, -1.2)) - at.origin
    before = column(found, 0, [float(edge @ at.y) + s for s in (0.1, 0.5, 1, 2, 3, 4.6)])
    assert (np.diff(before) < 0).all()
    assert before[0] > 0.75
    assert before[2] == pytest.approx(0.5, abs=0.1)
    assert before[-1] < 0.03
    # The stand's front edge is sunk into the foot, and forms no deep gap.
    front = float((edge + (upright.size[2] - 2.4) * -axes[:, 2]) @ at.y)
    shallow = column(found, 0, [min(front, float(edge @ at.y)) - s for s in (1.0, 1.2, 2.0)])
    assert 0.2 < shallow[0] < 0.7 * before[0]
    assert (np.diff(shallow) < 0).all()
    # Beside the upright, too, there is almost no light.
    x, y = upright.size[0] / 2 - upright.edge, float(edge @ at.y) - 1
    beside = [column(found, x + away, [y])[0] for away in (0.1, 1, 3)]
    assert beside == sorted(beside, reverse=True)
    assert beside[0] > 0.8


def test_the_shade_round_a_post_follows_its_rounded_corners() -> None:
    monitor = catalogue()["monitor"]
    foot, post = monitor.slab("foot"), monitor.slab("upright")
    found = crevice(monitor, foot)
    assert found is not None
    at, center = plane(foot, True), pose(post)[1]
    x, y = (float((center - at.origin) @ axis) for axis in (at.x, at.y))
    half, deep = post.size[0] / 2, post.size[1] / 2
    assert column(found, x + half - 0.6, [y])[0] > 0.6
    assert column(found, x + half - 0.6, [y + deep - 0.6])[0] < 0.3


def test_a_gap_is_painted_to_its_end() -> None:
    device = catalogue()["monitor"]
    slab, camera = device.slab("foot"), Camera(rotation(40, 10, 0), 0.4, 1500.0, (80.0, 60.0), 160, 120)
    frame = framed(device, camera, Light(load("studio"), 1.0), Colors(np.full(3, 0.5, np.float32)))
    target = Target(mesh(slab), 0, Box(0, 0, 160, 120), np.full((120, 160), 255, np.uint8), Clock())
    faces.paint(frame, slab, target)
    surface = next(one for one in target.surfaces if one.front)
    surface.rgb = np.ones((*surface.mirrored.shape[:2], 3), np.float32)
    gaps.paint(frame, slab, target)
    gap = crevice(device, slab)
    assert gap is not None
    lost = gap.seen(surface.at, camera, surface.box)
    assert lost.max() > 0.3
    np.testing.assert_allclose(surface.rgb, np.repeat(1 - lost[..., None], 3, axis=2), atol=1e-5)


@pytest.mark.parametrize("rise", [0.6, 1.0, 1.3])
def test_an_edge_hides_the_sky_below_the_touching_ray(rise: float) -> None:
    apart = np.array([0.9, 1.5, 2.5])
    t = (np.arange(20000) + 0.5) / 20000 * np.pi
    # A ray hits the circle if it passes the circle's middle at less than a radius, and the middle lies ahead.
    x, y = np.cos(t), np.sin(t)
    off = np.abs(apart[:, None] * y - rise * x) < 1
    hit = off & (apart[:, None] * x + rise * y > 0)
    # Below the highest ray that hits the circle, a point sees the wall or the gap.
    below = t < np.where(hit, t, 0).max(axis=1, keepdims=True)
    share = (np.sin(t) * below).sum(axis=1) / np.sin(t).sum()
    least = (1 - np.cos(2 * np.arctan(1 / FAR))) / 2
    found = hidden(apart, np.full(3, rise), 1.0)
    assert found == pytest.approx((share - least) / (1 - least), abs=2e-3)


def test_a_sunk_edge_hides_the_whole_sky() -> None:
    assert hidden(np.array([0.0, 0.5]), np.array([0.6, 0.6]), 1.0) == pytest.approx(1)
    assert hidden(np.array([FAR]), np.array([1.0]), 1.0) == pytest.approx(0, abs=1e-9)


def test_hinges_and_phones_have_no_gaps() -> None:
    assert crevice(LAPTOP, LAPTOP.slab("hinge")) is None
    phone = catalogue()["iphone-16-pro"]
    assert all(crevice(phone, slab) is None for slab in phone.slabs)
