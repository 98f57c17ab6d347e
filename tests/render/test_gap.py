"""The light of the deck as a hinge and a lid mirror it, after both have taken light from the deck."""

from __future__ import annotations

import math

import numpy as np
import pytest

from service.arrays import F32, F64
from service.devices.device import Slab, catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import plane
from service.render.geometry.mesh import pose
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.gap import RoundedEdge, hinge_occluders
from service.render.light.occluder import Occluder
from service.render.light.shading import Light
from service.render.light.tint import Colors
from tests.render.posing import framed

LAPTOP = catalogue()["macbook-pro-14"]
DECK, HINGE, LID = (LAPTOP.slab(name) for name in ("deck", "hinge", "lid"))
COLORS = Colors(np.array([0.6, 0.6, 0.6], np.float32))
CAMERA = Camera(rotation(20, 0, 0), 2.0, 1500.0, (400.0, 300.0), 800, 600)
TOP = 0.3  # the drawn occlusion leaves this share of light on the upper half of the deck


def near(slab: Slab, drawn: F32 | None = None) -> tuple[Occluder, ...]:
    shares = np.ones(10, np.float32) if drawn is None else drawn
    return hinge_occluders(
        framed(LAPTOP, CAMERA, Light(load("studio"), 1.0), COLORS), slab, lambda _slab: shares
    )


def left(slab: Slab, across: float, up: list[float], turn: float, drawn: F32 | None = None) -> F64:
    """The shares (n,) of light that places of the deck send along rays towards the lid; the rays rise by
    `turn` radians."""
    ground = near(slab, drawn)[-1]
    assert ground.left is not None
    _, y, normal = ground.axes
    leaving = np.broadcast_to(-np.cos(turn) * y - np.sin(turn) * normal, (len(up), 1, 3)).astype(np.float32)
    places = np.array(up, np.float32)[:, None]
    return np.asarray(ground.left(np.full_like(places, across), places, leaving)[:, 0], np.float64)


def foot(slab: Slab, way: int) -> float:
    """Where a hinge touches the deck, mm above the deck's middle: in front (-1) or behind (1)."""
    at = plane(DECK, True)
    middle = float((pose(slab)[1] - at.origin) @ at.y)
    return middle + way * (slab.size[1] / 2 - slab.edge)


@pytest.mark.parametrize("apart", [0.2, 0.8, 3.0])
def test_a_round_edge_on_a_deck_hides_as_much_as_a_cylinder(apart: float) -> None:
    edge = RoundedEdge(10.0, 0.8, 0.8)
    turn = edge.touched(np.zeros((1, 1), np.float32), np.array([[10 - apart]], np.float32))
    s = apart / 0.8
    assert (1 + math.cos(turn[0, 0])) / 2 == pytest.approx(s**2 / (s**2 + 1), abs=1e-5)


def test_an_edge_hides_less_beside_its_end() -> None:
    edge = RoundedEdge(10.0, 0.8, 0.8, half=50.0)
    at = np.array([[0.0], [51.0], [60.0]], np.float32)
    found = edge.touched(at, np.full((3, 1), 11.0, np.float32))[:, 0]
    assert found[0] == pytest.approx(math.pi)
    assert found[0] > found[1] > found[2]


def test_the_deck_darkens_towards_the_hinge() -> None:
    start = foot(HINGE, -1)
    found = left(HINGE, 0, [start - apart for apart in (60, 8, 2, 0.8, 0.3, 0)], 0.6)
    # Blasted metal has a matt share of 0.35, of which the lid hides a third even far away.
    assert found[0] == pytest.approx(0.65 + 0.35 * (1 + np.cos(np.radians(70))) / 2, abs=0.01)
    assert (np.diff(found) <= 0).all()
    assert found[-1] < 0.05


def test_places_under_the_lid_have_least_light() -> None:
    found = left(LID, 0, [foot(HINGE, 1) + apart for apart in (0.5, 2.5, 5.0)], math.pi - 0.6)
    assert found[0] < 0.3
    assert (np.diff(found) > 0).all()


def test_layers_drawn_on_the_deck_reduce_its_light() -> None:
    drawn = np.array([TOP] * 5 + [1.0] * 5, np.float32)
    places = [40.0, -40.0]
    bare, found = left(LID, 0, places, 0.6), left(LID, 0, places, 0.6, drawn)
    np.testing.assert_allclose(found / bare, [TOP, 1], atol=1e-5)


def test_hinge_and_lid_occlude_each_other_before_the_deck() -> None:
    for slab, count in ((HINGE, 4), (LID, 5)):
        found = near(slab)
        assert len(found) == count
        assert [one.left is not None for one in found] == [False] * (count - 1) + [True]
    assert near(DECK) == ()


def test_the_faces_of_a_hinge_are_as_large_as_its_sides() -> None:
    top, front, left_end, right_end, _ = near(LID)
    width, depth, height = (side / 2 for side in HINGE.size)
    assert top.half == pytest.approx((width, depth))
    assert front.half == pytest.approx((width, height))
    assert left_end.half == right_end.half == pytest.approx((depth, height))
    middle = top.middle - height * top.axes[2]
    for one, away in ((front, depth), (left_end, width), (right_end, width)):
        assert one.middle - away * one.axes[2] == pytest.approx(middle, abs=1e-3)


def test_other_devices_have_no_gap() -> None:
    light = Light(load("studio"), 1.0)
    for name in ("studio-display", "iphone-16-pro", "apple-watch-ultra-3"):
        frame = framed(catalogue()[name], CAMERA, light, COLORS)
        for slab in frame.device.slabs:
            assert hinge_occluders(frame, slab, lambda _slab: np.ones(1, np.float32)) == ()
