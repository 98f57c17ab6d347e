"""Layouts of scenes: devices have the right relative places, and keep their sizes."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest

from service.arrays import F64
from service.devices.device import catalogue
from service.render.geometry.camera import Stage, stage
from service.render.geometry.mesh import hull
from service.settings.layouts import LAYOUTS, STANDING_ISOMETRIC, SceneLayout
from service.settings.resolve import Source, resolve_scene
from service.settings.scene import PlateSpec
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from tests.render.posing import settings

PHONE, LAPTOP, TABLET = "iphone-16-pro", "macbook-pro-14", "ipad-pro-11-m4"


def spec(devices: list[dict[str, Any]], **given: Any) -> PlateSpec:
    """The plate spec of a scene, each device with a screenshot of its own shape."""
    members = tuple(Member(SceneDevice.model_validate(one), number) for number, one in enumerate(devices))
    sources = [Source(catalogue()[one["device"]].screen.px) for one in devices]
    whole = settings({name.replace("__", "."): value for name, value in given.items()})
    return resolve_scene(SceneSettings(whole, members, named=True), sources, fast=False).spec


def points(of: PlateSpec, seen: Stage) -> list[F64]:
    """The hull (n, 3) of each device, in mm from the middle of the scene, as the camera sees it."""
    return [
        camera.view(hull(one.device)) + seen.shift(number)
        for number, (one, camera) in enumerate(zip(of.instances, seen.cameras, strict=True))
    ]


def on_canvas(of: PlateSpec) -> list[tuple[F64, F64]]:
    """The least and the greatest px of each device."""
    return [
        camera.bounds(hull(one.device)) for one, camera in zip(of.instances, stage(of).cameras, strict=True)
    ]


def test_there_is_a_layout_for_each_name() -> None:
    assert set(LAYOUTS) == set(get_args(SceneLayout))
    for layout in LAYOUTS:
        of = spec([{"device": PHONE}, {"device": TABLET}, {"device": PHONE}], layout=layout)
        assert len(stage(of).cameras) == 3


def test_views_of_layouts_are_upright_or_isometric() -> None:
    views = {name: one.view for name, one in LAYOUTS.items() if one.view is not None}
    level = {name: view for name, view in views.items() if name not in ("stack", "isometric")}
    assert set(level) == {"row", "fan", "cascade", "desk"}
    assert all(view.rotation_z == 0 for view in level.values())
    assert all(view.rotation_x == 0 for name, view in level.items() if name not in ("cascade", "desk"))
    # In an isometric view, the three axes of space are equally long.
    for view in (views["isometric"], STANDING_ISOMETRIC):
        assert view.field_of_view == 0
        ends = [view.turned((x, y, z))[:2] for x, y, z in np.eye(3).tolist()]
        assert [np.hypot(*end) for end in ends] == pytest.approx([np.sqrt(2 / 3)] * 3, abs=1e-3)


@pytest.mark.parametrize("layout", ["row", "desk", "cascade", "isometric"])
def test_standing_devices_touch_the_floor_and_nothing_else(layout: str) -> None:
    of = spec(
        [{"device": LAPTOP}, {"device": PHONE}, {"device": TABLET}],
        layout=layout, deviceTransform__rotationX=0, deviceTransform__rotationY=0,
        deviceTransform__rotationZ=0,
    )  # fmt: skip
    shapes = points(of, stage(of))
    lows = [float(shape[:, 1].min()) for shape in shapes]
    assert lows == pytest.approx([lows[0]] * 3, abs=1e-6)
    for number, one in enumerate(shapes):
        for other in shapes[number + 1 :]:
            apart = np.maximum(one.min(axis=0) - other.max(axis=0), other.min(axis=0) - one.max(axis=0))
            # Boxes of turned devices overlap in a cascade; boxes of upright devices never do.
            assert apart.max() > 0 or layout == "cascade"


def test_devices_keep_their_sizes_and_their_camera() -> None:
    devices = [{"device": PHONE}, {"device": LAPTOP}]
    of = spec(devices, layout="row", deviceTransform__fieldOfView=0)
    for one, (low, high) in zip(of.instances, on_canvas(of), strict=True):
        width = np.ptp(hull(one.device)[:, 0])
        assert (high - low)[0] / stage(of).camera.k == pytest.approx(width, rel=1e-3)
    near = spec([{"device": PHONE, "depth": 100}, {"device": PHONE}], deviceTransform__framing="upright")
    seen = stage(near)
    assert seen.cameras[0].distance == pytest.approx(seen.camera.distance - 100)
    assert seen.cameras[0].k * seen.cameras[0].distance == pytest.approx(seen.camera.k * seen.camera.distance)


def test_a_device_is_moved_in_half_canvases_and_turned_about_its_middle() -> None:
    given = {"deviceTransform__framing": "upright", "deviceTransform__fieldOfView": 0}
    still, moved = (
        spec([{"device": PHONE}, {"device": PHONE, "deviceTransform": transform}], **given)
        for transform in ({}, {"positionX": 0.5, "positionY": -0.25, "rotationZ": 180})
    )
    before, after = on_canvas(still)[1], on_canvas(moved)[1]
    shift = np.array([0.5 * still.width / 2, 0.25 * still.height / 2])
    assert np.mean(after, axis=0) == pytest.approx(np.mean(before, axis=0) + shift, abs=2)
    assert np.array(on_canvas(moved)[0]) == pytest.approx(np.array(on_canvas(still)[0]))


def test_framing_takes_all_devices_as_one() -> None:
    far = [{"device": PHONE, "deviceTransform": {"positionX": x}} for x in (-1.5, 1.5)]
    of = spec(far, deviceTransform__framing="posed")
    low = np.min([low for low, _ in on_canvas(of)], axis=0)
    high = np.max([high for _, high in on_canvas(of)], axis=0)
    assert (high - low)[0] == pytest.approx(0.78 * of.width, rel=1e-6)
    assert (low + high) / 2 == pytest.approx([of.width / 2, of.height / 2], abs=1e-6)
    for edge in on_canvas(spec(far)):
        assert np.min(edge) > 0
        assert (np.max(edge, axis=0) < [of.width, of.height]).all()


def test_the_camera_stays_in_front_of_near_devices() -> None:
    of = spec([{"device": PHONE}, {"device": LAPTOP, "depth": 2000}])
    for one, camera in zip(of.instances, stage(of).cameras, strict=True):
        assert camera.depth(hull(one.device)).min() > 0
        assert camera.distance >= 1.25 * np.hypot(*one.device.body[:2]) / 2
