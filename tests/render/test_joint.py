"""The contact shadow of a watch's case on its straps."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F64
from service.devices.device import catalogue
from service.render.geometry.mesh import Mesh, mesh
from service.render.light import joint
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from tests.render.posing import framed, posed

WATCH = catalogue()["apple-watch-series-10-46"]
CASE = WATCH.slab("body")
RAYS, THIN = 1000, 5  # rays of a place; one in this many planes of the case is tested


def met(points: F64, ways: F64, case: Mesh) -> F64:
    """Whether rays from points (n, 3) in directions (n, k, 3) meet a case, (n, k)."""
    normals, offsets = case.planes[::THIN, :3], case.planes[::THIN, 3]
    toward = ways @ normals.T
    left = offsets - points @ normals.T
    with np.errstate(divide="ignore"):
        at = left[:, None] / toward
    enters = np.where(toward < 0, at, -np.inf).max(axis=2)
    leaves = np.where(toward > 0, at, np.inf).min(axis=2)
    return np.asarray((enters < leaves) & (leaves > 0), np.float64)


@pytest.mark.parametrize("side", ["top", "bottom"])
def test_a_case_hides_as_much_sky_from_a_strap_as_rays_find(side: str) -> None:
    strap = WATCH.slab(f"strap-{side}")
    shape = mesh(strap)
    hidden, middles = joint.wedge(CASE, strap, shape)
    assert strap.base is not None
    # The middle of the outer surface, from the case onwards.
    across, along, deep = shape.flat.T
    near = (np.abs(across) < 1.5) & (deep > strap.size[2] / 2 - 0.01) & (along > strap.base + 0.2)
    some = np.flatnonzero(near & (along < strap.base + 6))[::3]
    random = np.random.default_rng(1)
    height, turn = np.sqrt(random.random(RAYS)), 2 * np.pi * random.random(RAYS)
    flat = np.sqrt(1 - height**2)
    rays = np.column_stack([flat * np.cos(turn), flat * np.sin(turn), height])
    up, x = shape.normals[some], np.array([1.0, 0.0, 0.0])
    axes = np.stack([np.broadcast_to(x, up.shape), np.cross(up, x), up], axis=1)
    case = mesh(CASE)
    found = [
        met(shape.points[at][None], (rays @ axis)[None], case).mean()
        for at, axis in zip(some, axes, strict=True)
    ]
    assert max(found) > 0.15
    assert hidden[some] == pytest.approx(np.array(found), abs=0.04)
    # The hidden directions lead towards the case, and to the front of the strap.
    ways = middles[some][hidden[some] > 0.05]
    assert (np.sign(strap.center[1]) * ways[:, 1] < 0).all()
    assert (ways[:, 2] > 0).all()


def test_a_strap_loses_light_beside_its_case_and_less_to_a_bright_one() -> None:
    strap = WATCH.slab("strap-bottom")
    shape = mesh(strap)
    frames = [
        framed(WATCH, posed(0, 0), Light(load("studio"), 1.0), Colors(np.full(3, gray, np.float32)))
        for gray in (0.05, 0.9)
    ]
    dark, bright = (joint.left(frame, strap, shape) for frame in frames)
    assert strap.base is not None
    away = shape.flat[:, 1] - strap.base
    outside = shape.flat[:, 2] > strap.size[2] / 2 - 0.01
    assert dark[outside & (away < 0.5)].mean() < 0.7
    assert dark[outside & (away > 8)].min() > 0.98
    assert bright[outside & (away < 0.5)].mean() > dark[outside & (away < 0.5)].mean() + 0.1


@pytest.mark.parametrize("light", ["city", "spotlight"])
def test_a_lamp_behind_the_case_takes_no_more_light_than_there_is(light: str) -> None:
    strap = WATCH.slab("strap-bottom")
    shape, grey = mesh(strap), Colors(np.full(3, 0.3, np.float32))
    hidden, _ = joint.wedge(CASE, strap, shape)
    left = joint.left(framed(WATCH, posed(20, 150), Light(load(light), 1.0), grey), strap, shape)
    assert left[hidden < 0.8].min() > 0.2
