"""Visibility between the devices of a scene, pixel by pixel where they intersect."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32, F64
from service.clock import Clock
from service.render.geometry.coverage import fill
from service.render.geometry.face import plane
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import outlines
from service.render.paint.screens import view
from service.render.plates import plate
from service.render.plates.plate import Plate
from service.settings.scene import PlateSpec
from tests.render.test_arrangement import LAPTOP, PHONE, TABLET, spec

CANVAS: dict[str, Any] = {"canvas__width": 360, "canvas__height": 270, "shadow__enabled": False}
CANVAS |= {"reflection__enabled": False}


def gains(of: PlateSpec, made: Plate) -> list[F32]:
    """Each screen's gain (h, w) on the canvas, 0-1."""
    found = []
    for layer in made.screens:
        whole = np.zeros((of.height, of.width), np.float32)
        if layer is not None:
            whole[layer.box.slices] = layer.gain / np.float32(65535)
        found.append(whole)
    return found


def inside(of: PlateSpec, number: int) -> F32:
    """The coverage (h, w) of a device."""
    one, camera = of.instances[number], view(of).stage.cameras[number]
    return fill(outlines(one.device, camera), Box(0, 0, of.width, of.height))


def distance(of: PlateSpec, number: int) -> F64:
    """The distance of a device's front, a plane, in each pixel (h, w)."""
    one, camera = of.instances[number], view(of).stage.cameras[number]
    at = plane(one.device.slab(one.device.screen.slab), True)
    y, x = np.mgrid[: of.height, : of.width] + 0.5
    ways = camera.toward(x.ravel(), y.ravel()).astype(np.float64)
    origin, normal = camera.view(np.stack([at.origin, at.normal]))
    ahead = (camera.seat - origin) @ normal / (ways @ normal)
    return np.asarray((ahead * ways[:, 2]).reshape(y.shape), np.float64)


@pytest.mark.parametrize("turned", [(-50, 20), (-35, 70)])
def test_where_two_screens_cross_the_nearer_one_is_seen(turned: tuple[int, int]) -> None:
    """The test finds the nearer screen by intersecting the ray of each pixel with the planes of both."""
    ry, rz = turned
    devices = [
        {"device": TABLET, "deviceTransform": {"rotationY": 25}},
        {"device": PHONE, "deviceTransform": {"rotationY": ry, "rotationZ": rz}},
    ]
    of = spec(devices, **CANVAS)
    made = plate.build(of, Clock())
    tablet, phone = gains(of, made)
    near = distance(of, 1) - distance(of, 0)
    both = (inside(of, 0) >= 1) & (inside(of, 1) >= 1)
    # A rounded edge lies behind the plane of the phone's front, by no more than the phone's thickness.
    assert (both & (near < -9)).sum() > 300
    assert tablet[both & (near < -9)].max() == 0
    # The tablet hides the phone's screen wherever it is in front.
    assert (both & (near > 9)).sum() > 300
    assert phone[both & (near > 9)].max() == 0
    # The picture is opaque wherever it shows a device.
    alone = np.maximum(inside(of, 0), inside(of, 1)) >= 1
    assert made.base.shape[2] == 3 or (made.base[..., 3][alone] == 255).all()
    # Along the line in which the devices intersect, both have shares between 0 and 1.
    seen = both & (np.abs(near) < 0.4)
    assert ((tablet + phone)[seen] <= 1.01).all()


@pytest.mark.parametrize("above", [0, 20, -15])
def test_the_order_of_the_request_makes_no_difference(above: int) -> None:
    first = {"device": PHONE, "deviceTransform": {"rotationY": 30}, "depth": 20}
    second = {"device": TABLET, "deviceTransform": {"rotationX": 50, "positionX": 0.05}, "depth": -10}
    whole = CANVAS | {"deviceTransform__rotationX": above}
    one, other = (
        plate.build(spec(list(pair), **whole), Clock()) for pair in ((first, second), (second, first))
    )
    assert np.abs(one.base.astype(int) - other.base).max() <= 1


def test_a_phone_before_a_lid_stands_on_the_deck() -> None:
    """Between lid and deck, a phone is in front of the lid and above the deck."""
    laptop = {"device": LAPTOP, "deviceTransform": {"rotationX": 10}}
    for depth, seen in ((0, True), (-260, False)):
        of = spec(
            [laptop, {"device": PHONE, "depth": depth, "deviceTransform": {"positionY": -0.1}}], **CANVAS
        )
        lid, phone = gains(of, plate.build(of, Clock()))
        middle = phone > 0.5
        assert middle.any() == seen or (middle.sum() < 0.6 * (inside(of, 1) >= 1).sum())
        assert lid[middle].max(initial=0) < 0.05


def test_separate_devices_look_like_single_ones() -> None:
    """Next to each other, the devices differ from single ones only by the light that they hide from each
    other."""
    row = {"layout": "row", **CANVAS}
    of = spec([{"device": PHONE}, {"device": PHONE}], **row)
    made = plate.build(of, Clock())
    left, right = gains(of, made)
    assert left.sum() == pytest.approx(right.sum(), rel=0.01)
    assert not (left[:, of.width // 2 :]).any()


def test_a_phone_casts_a_shadow_on_the_deck_and_none_on_screens() -> None:
    """The phone takes light from the deck, most at its foot and less farther away, but none from screens."""
    laptop = {"device": LAPTOP, "appearance": {"deviceColor": "Silver"}}
    phone = {"device": PHONE, "depth": 30, "deviceTransform": {"positionY": -0.35}}
    devices: list[dict[str, Any]] = [laptop, phone]
    whole = {**CANVAS, "deviceTransform__rotationX": 10, "deviceTransform__framing": "upright"}
    whole["ground__kind"] = "none"
    of = spec(devices, **whole)
    lit, shaded = (
        plate.build(one, Clock()) for one in (of, spec(devices, **{**whole, "shadow__enabled": True}))
    )
    for before, after in zip(gains(of, lit), gains(of, shaded), strict=True):
        assert (before == after).all()
    deck = (inside(of, 0) >= 1) & (inside(of, 1) == 0) & (gains(of, lit)[0] == 0)
    gone = np.where(deck, lit.base[..., 1].astype(int) - shaded.base[..., 1], 0)
    assert gone.min() >= -1
    columns = np.nonzero(inside(of, 1) >= 1)[1]
    assert gone[:, columns.min() - 4 : columns.max() + 5].max() > 20
    assert gone[:, : columns.min() - 40].max() < 5
