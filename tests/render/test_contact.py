"""The shade of raised parts on the face they stand on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from service.arrays import F64
from service.models.devices import Slab, catalogue
from service.render.geometry.camera import Camera, rotation
from service.render.geometry.face import plane
from service.render.geometry.mesh import frame
from service.render.geometry.outline import outline
from service.render.geometry.raster import Box
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint import contact
from service.render.paint.contact import LARGEST, TALLEST, Taken, taken

PHONE = {slab.name: slab for slab in catalogue()["pixel-9-pro"].slabs}
BACK, BAR = plane(PHONE["body"], False), PHONE["camera"]
SILVER = Colors(np.array([0.7, 0.7, 0.7], np.float32))
#: Beside the bar, mm from its middle in the face's axes; one far away.
PLACES = [(0.0, -13.0), (10.0, -14.5), (0.0, 12.8), (-31.0, 0.0), (32.5, 0.0), (0.0, -60.0)]


def posed(rx: float = 8, ry: float = 160) -> Camera:
    return Camera(rotation(rx, ry, 0), 4.0, 1500.0, (400.0, 300.0), 800, 600)


def found(camera: Camera, name: str = "studio", parts: list[Slab] | None = None) -> Taken:
    made = taken([BAR] if parts is None else parts, BACK, camera, Light(load(name), 1.0), SILVER)
    assert made is not None
    return made


def middle(part: Slab) -> F64:
    offset = frame(part)[1] - BACK.origin
    return np.array([offset @ BACK.x, offset @ BACK.y])


def at(made: Taken, places: F64) -> F64:
    """The picture's values (n,) at places (n, 2) of the face."""
    height, width = made.picture.shape
    x = (places[:, 0] - made.center[0]) / made.size[0] * width + width / 2 - 0.5
    y = height / 2 - 0.5 - (places[:, 1] - made.center[1]) / made.size[1] * height
    pixels = cv2.remap(made.picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(pixels.ravel(), np.float64)


def hidden(camera: Camera, places: F64, name: str) -> F64:
    """The share of light (n,) that a black prism in the bar's place keeps from places (n, 2), by samples."""
    random = np.random.default_rng(4)
    height, turn = random.random(6000), 2 * np.pi * random.random(6000)
    rays = np.stack([np.sqrt(height) * np.cos(turn), np.sqrt(height) * np.sin(turn), np.sqrt(1 - height)], 1)
    toward = rays @ camera.view(np.stack([BACK.x, BACK.y, BACK.normal]))
    light = Light(load(name), 1.0).reflected(toward.astype(np.float32), 0.45).mean(axis=1)
    _, center = frame(BAR)
    rise = float((center - BACK.origin) @ BACK.normal) + BAR.size[2] / 2
    shape = (outline(BAR.size[0], BAR.size[1], BAR.corner).points + middle(BAR)).astype(np.float32)
    shares = []
    for place in places:
        steps = np.linspace(0, 1, 24)[1:, None, None] * rise * rays[None, :, :2] / rays[None, :, 2:]
        inside = [
            cv2.pointPolygonTest(shape, (float(x), float(y)), False) >= 0
            for x, y in (place + steps).reshape(-1, 2)
        ]
        met = np.array(inside).reshape(len(steps), -1).any(axis=0)
        shares.append(light[met].sum() / light.sum())
    return np.array(shares)


@pytest.mark.parametrize("name", ["studio", pytest.param("sunset", marks=pytest.mark.long)])
def test_a_black_part_takes_the_light_it_hides(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact, "THROWN", 0.0)
    camera, places = posed(), np.array(PLACES) + middle(BAR)
    truth = hidden(camera, places, name)
    assert at(found(camera, name), places) == pytest.approx(truth, abs=0.07)
    assert np.ptp(truth) > 0.25


def test_a_wall_throws_light_back() -> None:
    camera, places = posed(), np.array(PLACES[:5]) + middle(BAR)
    light = Light(load("studio"), 1.0)
    black = taken([BAR], BACK, camera, light, Colors(np.zeros(3, np.float32)))
    assert black is not None
    assert (at(found(camera), places) < at(black, places) - 0.005).all()
    assert (found(camera).picture >= 0).all()


def test_shade_turns_with_the_light() -> None:
    sides = np.array([(0.0, -13.0), (0.0, 13.0)]) + middle(BAR)
    (below, above), (below_turned, above_turned) = (
        at(found(posed(*angles)), sides) for angles in ((0, 180), (180, 0))
    )
    assert below > above + 0.05
    assert above_turned > below_turned + 0.05


def test_shade_lies_where_it_is_seen() -> None:
    camera = posed()
    made, box = found(camera), Box(0, 0, 800, 600)
    seen = made.seen(BACK, camera, box)
    place = np.array([PLACES[0]]) + middle(BAR)
    x, y = camera.project(BACK.origin + place[0, 0] * BACK.x + place[0, 1] * BACK.y[None])[0]
    assert seen[int(y), int(x)] == pytest.approx(at(made, place)[0], abs=0.03)
    part = Box(300, 100, 200, 150)
    assert made.seen(BACK, camera, part) == pytest.approx(seen[part.slices], abs=0.01)


def test_nothing_stands_nothing_is_taken() -> None:
    assert taken([], BACK, posed(), Light(load("studio"), 1.0), SILVER) is None


def test_a_large_part_has_no_larger_picture() -> None:
    corner = BAR.corner.model_copy(update={"extent": 40.0})
    large = BAR.model_copy(update={"size": (900.0, 400.0, 300.0), "corner": corner})
    made = found(posed(), parts=[large])
    assert made.picture.size < 1.05 * LARGEST
    # Of a tall part, what lies close to it is shaded as by a low one.
    assert made.size == pytest.approx((900 + 7.2 * TALLEST, 400 + 7.2 * TALLEST), abs=4)
    near, away = at(made, middle(large) + np.array([[0, -203.0], [0, -236.0]]))
    assert near > 0.15 > 0.05 > away
