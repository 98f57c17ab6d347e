"""Devices on a floor: their lower edges reflect the device's own contact shadow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from service.arrays import F32, F64
from service.clock import Clock
from service.render.geometry.camera import stage
from service.render.geometry.rotation import rotation
from service.render.light.floor import FARTHEST, REACH, WALL, Floor
from service.render.plates.plane import floor
from service.render.plates.plate import build
from service.settings.scene import PlateSpec
from tests.render.posing import PLAIN, scene

LEVEL = Floor(np.zeros(3), np.array([0.0, 1.0, 0.0]))
OUT = np.array([[0.0, 0.0, 1.0]], np.float32)


def left(at: Floor, height: float, tilt: float, width: float = 0.0, turn: F64 | None = None) -> float:
    """The share of light left on an upright wall, in a ray that leaves it at an elevation in degrees."""
    whole = np.eye(3) if turn is None else turn
    point = np.array([[3.0, height, 5.0]]) @ whole.T
    angle = np.radians(tilt)
    way = np.array([[0.0, np.sin(angle), np.cos(angle)]]) @ whole.T
    normal = (OUT @ whole.T).astype(np.float32)
    return float(at.left(point, normal, way.astype(np.float32), width, 1.0)[0])


def test_a_ray_to_the_sky_keeps_its_light() -> None:
    assert left(LEVEL, 0.5, 10) == 1
    assert left(LEVEL, 0.5, 90) == 1


def test_the_contact_shadow_is_black_at_the_contact_and_ends_beside_it() -> None:
    assert left(LEVEL, 0.0, -45) == pytest.approx(0, abs=1e-6)
    # A ray at 45 degrees meets the floor as far from the wall as it begins above the floor.
    found = [left(LEVEL, height, -45) for height in (0.5, 2.0, 8.0, 30.0, FARTHEST)]
    assert (np.diff(found) > 0).all()
    assert found[-1] > 0.99
    beside = 1 - 0.5**0.5
    assert left(LEVEL, WALL, -45) == pytest.approx(1 - beside * np.exp(-WALL / REACH))


def test_there_is_no_light_below_the_device() -> None:
    point, down = np.array([[0.0, 0.4, 0.0]]), np.array([[0.0, -1.0, 0.0]], np.float32)
    assert LEVEL.left(point, down, down, 0.0, 1.0)[0] < 0.05


def test_a_wide_lobe_sees_more_of_the_sky() -> None:
    assert left(LEVEL, 0.5, -20, width=1.0) > left(LEVEL, 0.5, -20) + 0.1


def test_a_fainter_shadow_leaves_more() -> None:
    half = replace(LEVEL, strength=0.5)
    assert 1 - left(half, 1.0, -60) == pytest.approx((1 - left(LEVEL, 1.0, -60)) / 2, rel=1e-5)


def test_it_turns_with_the_device() -> None:
    turn = rotation(25, -40, 10)
    at = Floor(np.array([0.0, -2.0, 0.0]), LEVEL.up)
    assert left(at.turned(turn), 0.5, -50, 0.2, turn) == pytest.approx(left(at, 0.5, -50, 0.2), rel=1e-4)


def spec(**members: object) -> PlateSpec:
    """A silver laptop seen from its front corner, on a background that is lighter than all of it."""
    of = {
        "shadow.enabled": True,
        "device": "macbook-air-15",
        "deviceTransform.pose": "hero-left",
        "appearance.deviceColor": "Silver",
        "appearance.backgroundColor": "#F2F3F5",
    }
    return scene(PLAIN | {"canvas.width": 480, "canvas.height": 270} | of | members, (1600, 1000)).spec


def picture(of: PlateSpec) -> F32:
    """The plate (h, w, 3) of a plate spec, without grain, so that plates can be compared."""
    return build(of, Clock(), grain=False).base[..., :3].astype(np.float32)


def darker(of: PlateSpec) -> F32:
    """The levels (columns, 40, 3) by which a floor darkens the lowest 40 px of each column of a device.

    It is compared with a floor far below. Columns without a foot, and the first and last with one, are left
    out.
    """
    assert of.ground is not None
    standing = picture(of)
    hanging = picture(replace(of, ground=replace(of.ground, distance=200.0)))
    alone = picture(replace(of, ground=None, shadow=None))
    device = np.abs(alone - alone[0, 0]).max(axis=2) > 40
    columns = np.flatnonzero(device[-60:].any(axis=0))[20:-20]
    ends = [int(np.flatnonzero(device[:, x])[-1]) for x in columns]
    pairs = zip(columns, ends, strict=True)
    return np.stack([(hanging - standing)[end - 40 : end, x] for x, end in pairs])


@pytest.mark.parametrize("fast", [False, True])
def test_only_the_lowest_edge_of_a_laptop_darkens(fast: bool) -> None:
    of = replace(spec(**{"ground.kind": "floor", "shadow.opacity": 0.5}), fast=fast)
    assert of.ground is not None
    change = darker(of)
    assert np.median(change[:, -2:]) > 20
    assert np.median(np.abs(change[:, 0])) <= 1


def test_the_bend_of_a_stand_darkens_towards_the_floor() -> None:
    of = spec(
        **{
            "ground.kind": "floor",
            "shadow.opacity": 0.5,
            "device": "studio-display",
            "deviceTransform.pose": "back",
        }
    )
    assert np.median(darker(of)[:, -2:]) > 20


def test_no_shading_without_a_shadow_or_above_the_camera() -> None:
    of = spec(**{"ground.kind": "floor"})
    assert of.ground is not None
    seen = stage(of)
    assert floor(of, seen) is not None
    assert floor(replace(of, ground=replace(of.ground, opacity=0.0)), seen) is None
    assert floor(replace(of, ground=replace(of.ground, kind="wall")), seen) is None
    below = spec(**{"ground.kind": "floor", "deviceTransform.rotationX": -60})
    assert floor(below, stage(below)) is None
