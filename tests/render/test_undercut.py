"""The dark line at the foot of a hinge."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from service.devices.device import catalogue
from service.render.geometry.camera import Camera, rotation
from service.render.geometry.face import plane
from service.render.geometry.mesh import pose
from service.render.geometry.silhouette import silhouette
from service.render.paint.undercut import LIT, lost, undercut

LAPTOP = catalogue()["macbook-pro-14"]
HINGE = LAPTOP.slab("hinge")


def posed(rx: float, ry: float = 0.0) -> Camera:
    return Camera(rotation(rx, ry, 0), 2.0, 1500.0, (400.0, 300.0), 800, 600)


def line(camera: Camera) -> float:
    """How wide the dark line below the middle of the hinge is, mm on the deck."""
    found = undercut(LAPTOP, HINGE, camera)
    assert found is not None
    own = silhouette(HINGE, camera)[0]
    deck = plane(LAPTOP.slab("deck"), True)
    to_deck = np.linalg.inv(deck.homography(camera))

    def nearest(outline: np.ndarray) -> float:
        places = np.column_stack([outline, np.ones(len(outline))]) @ to_deck.T
        flat = places[:, :2] / places[:, 2:]
        edge = flat[:, 1] < flat[:, 1].min() + 0.5
        assert np.ptp(flat[edge, 0]) > 0.9 * HINGE.size[0]
        return float(flat[:, 1].min())

    return nearest(own) - nearest(found)


@pytest.mark.parametrize("rx", [0, 20])
def test_the_line_is_as_wide_as_the_light_it_takes(rx: float) -> None:
    """Of what lies before the foot of a cylinder, its light is summed in steps."""
    camera = posed(rx)
    deck, center = plane(LAPTOP.slab("deck"), True), pose(HINGE)[1]
    foot = center - HINGE.size[2] / 2 * deck.normal - (HINGE.size[1] / 2 - HINGE.edge) * deck.y
    away = camera.eye - foot
    hidden = np.tan(np.arctan2(away @ deck.normal, -away @ deck.y) / 2)
    s = np.linspace(hidden, LIT, 4000)
    light = s**2 / (s**2 + 1)
    wanted = HINGE.edge * np.mean(1 - light / light[-1]) * (LIT - hidden)
    assert line(camera) == pytest.approx(wanted, abs=0.02)


def test_the_line_goes_where_one_looks_from_above() -> None:
    wide = [line(posed(rx)) for rx in (0, 15, 30)]
    assert wide == sorted(wide, reverse=True)
    assert line(posed(65)) == pytest.approx(0, abs=0.01)
    assert lost(LIT) == lost(2.0) == 0


def test_it_goes_around_the_end_that_is_seen() -> None:
    camera = posed(40, -40)
    found, own = undercut(LAPTOP, HINGE, camera), silhouette(HINGE, camera)[0]
    assert found is not None
    at, (axes, center) = plane(LAPTOP.slab("deck"), True), pose(HINGE)
    beside = []
    for way in (-1, 1):
        foot = center - HINGE.size[2] / 2 * at.normal + way * (HINGE.size[0] / 2 - HINGE.edge) * axes[:, 0]
        away = camera.eye - foot
        hidden = float(np.tan(np.arctan2(away @ at.normal, way * away @ axes[:, 0]) / 2))
        place = foot + way * HINGE.edge * (hidden + lost(hidden) / 2) * axes[:, 0]
        point = camera.project(place[None])[0].astype(float)
        beside.append(tuple(cv2.pointPolygonTest(one, point, True) for one in (own, found)))
    seen = [one for one in beside if one[0] < 0]
    assert len(seen) == 1
    assert seen[0][1] > 0


def test_only_a_hinge_has_a_foot() -> None:
    for name in ("deck", "lid"):
        assert undercut(LAPTOP, LAPTOP.slab(name), posed(20)) is None
    for other in ("studio-display", "iphone-16-pro", "apple-watch-ultra-3"):
        device = catalogue()[other]
        assert all(undercut(device, slab, posed(20)) is None for slab in device.slabs)
