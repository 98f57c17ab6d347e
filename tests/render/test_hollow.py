"""A bend and the two plates that it joins look like a single sheet."""

from __future__ import annotations

import numpy as np
import pytest

from service.devices.device import Device, Slab, catalogue
from service.render.geometry.camera import Camera, aim
from service.render.geometry.depth_sort import painters
from service.render.geometry.face import plane
from service.render.geometry.mesh import COLUMNS, mesh, placed
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.interreflection import fields
from service.render.light.occluder import face_occluders
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.final_gather import sent
from service.render.paint.hollow import curved
from tests.render import posing
from tests.render.posing import framed

COLORS = Colors(np.array([0.6, 0.6, 0.6], np.float32))
BENT = ["generic-monitor-27", "imac-24", "studio-display"]
#: The ends of the bend at which a plate continues: the side, the plate, and whether the fronts of both are
#: continuous.
JOINTS = [(-1, "foot", True), (1, "upright", False)]


def seen(rx: float, ry: float) -> Camera:
    return Camera(rotation(rx, ry, 0), 2.0, 1500.0, (400.0, 300.0), 800, 600)


def end(slab: Slab, side: int) -> tuple[np.ndarray, np.ndarray]:
    """The middle (3,) of an end of a bend in mm, and the direction (3,) in which a plate continues from
    it."""
    assert slab.bend is not None
    axes, center = placed(slab, side)
    return center + side * slab.bend.reach * axes[:, 1], side * axes[:, 1]


@pytest.mark.parametrize("name", BENT)
def test_plates_continue_at_the_ends_of_their_bend(name: str) -> None:
    item = catalogue()[name]
    bend = item.slab("bend")
    for side, other, _ in JOINTS:
        (place, way), plate = end(bend, side), item.slab(other)
        axes, center = placed(plate, 0)
        out = -1 if "bottom" in plate.joined else 1
        np.testing.assert_allclose(center + out * plate.size[1] / 2 * axes[:, 1], place, atol=1e-3)
        np.testing.assert_allclose(way, -out * axes[:, 1], atol=1e-5)
        assert plate.size[0] == bend.size[0]
        assert plate.size[2] == bend.size[2]
        # The plate has square corners there, so its width is constant up to its end.
        local = (mesh(plate).points - center) @ axes
        last = local[local[:, 1] * out > plate.size[1] / 2 - 1e-6]
        assert np.ptp(last, axis=0)[[0, 2]] == pytest.approx([plate.size[0], plate.size[2]])


def moved(item: Device, right: float) -> Device:
    """A device whose slabs are all `right` mm farther right, so that no bend is in its middle."""
    slabs = [
        one.model_copy(update={"center": (one.center[0] + right, *one.center[1:])}) for one in item.slabs
    ]
    return item.model_copy(update={"slabs": tuple(slabs)})


@pytest.mark.parametrize(
    ("environment", "right"), [("studio", 0.0), ("window", 0.0), ("night", 0.0), ("studio", 90.0)]
)
@pytest.mark.parametrize(("rx", "ry"), [(10, -35), (15, 20)])
def test_the_light_of_plates_continues_in_their_bend(
    environment: str, right: float, rx: float, ry: float
) -> None:
    item = moved(catalogue()["imac-24"], right)
    camera, light = seen(rx, ry), Light(load(environment), 1.0)
    frame, bend = framed(item, camera, light, COLORS), item.slab("bend")
    over = face_occluders(frame, bend, plane(bend, True), fields(frame))
    found = curved(frame, bend, mesh(bend), True, over)[1].reshape(-1, COLUMNS + 1, 3)
    columns = np.linspace(-0.3, 0.3, 5) * bend.size[0]
    for side, other, front in JOINTS:
        plate = item.slab(other)
        at = plane(plate, front)
        row = np.array([-side * plate.size[1] / 2])
        flat = face_occluders(frame, plate, at, fields(frame))
        own = sent(frame, frame.face(plate, True), at, flat, (columns, row))[0][0, :, :3]
        last = found[0 if side < 0 else -1]
        across = np.linspace(-0.5, 0.5, COLUMNS + 1) * (bend.size[0] - 2 * bend.edge)
        goes_on = np.stack([np.interp(columns, across, one) for one in last.T], axis=1)
        np.testing.assert_allclose(goes_on, own, atol=0.025, rtol=0.06)


def test_faces_turned_away_are_not_lit() -> None:
    item, camera, light = catalogue()["imac-24"], seen(-40, 180), Light(load("studio"), 1.0)
    frame, bend = framed(item, camera, light, COLORS), item.slab("bend")
    over = face_occluders(frame, bend, plane(bend, True), fields(frame))
    assert over
    assert not len(curved(frame, bend, mesh(bend), True, over)[0])


def hides(item: Device, side: int, eye: np.ndarray) -> bool:
    """Whether an eye lies beyond the plane in which a bend ends, on the side away from the bend."""
    place, way = end(item.slab("bend"), side)
    return bool((eye - place) @ way > 0)


@pytest.mark.parametrize("name", BENT)
def test_plates_and_bends_are_ordered_at_their_common_end(name: str) -> None:
    item = catalogue()[name]
    for rx in (-75, -40, -15, -3, 5, 20, 45, 75):
        for ry in range(0, 360, 30):
            eye = seen(rx, ry).eye
            order = [slab.name for slab in painters(item, eye)]
            for side, other, _ in JOINTS:
                assert (order.index(other) > order.index("bend")) == hides(item, side, eye), (rx, ry, other)


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize("ry", [-35.0, 155.0])
def test_no_line_shows_between_a_plate_and_its_bend(ry: float) -> None:
    white = np.full((300, 500, 3), 255, np.uint8)
    given = {
        "device": "imac-24", "canvas.width": 900, "canvas.height": 600, "shadow.enabled": False,
        "deviceTransform.rotationX": 8.0, "deviceTransform.rotationY": ry,
        "deviceTransform.scale": 2.0, "deviceTransform.positionY": 1.3,
    }  # fmt: skip
    of = posing.scene(given, (500, 300))
    camera, item = aim(of.spec), of.spec.device
    got = posing.picture(white, given)[..., :3].astype(float).mean(axis=2)
    for side, other, front in JOINTS:
        at, plate = plane(item.slab(other), front if abs(ry) < 90 else not front), item.slab(other)
        if not at.seen(camera):
            continue
        steps = np.linspace(-4.0, 4.0, 33)[:, None]
        # Points from 4 mm inside the plate's end to 4 mm beyond it, in the bend, which is nearly straight
        # there.
        line = at.origin - side * (plate.size[1] / 2 + steps) * at.y
        x, y = camera.project(line).T
        shades = got[np.rint(y).astype(int), np.rint(x).astype(int)]
        turns = np.abs(np.diff(shades, n=2))
        assert turns.max() < 6, (other, shades)
