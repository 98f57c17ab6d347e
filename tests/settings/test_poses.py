"""The table of poses."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from service.devices.device import Category, catalogue
from service.render.geometry.camera import aim, field_of_view
from service.render.geometry.rotation import rotation
from service.render.geometry.silhouette import off_canvas
from service.settings.poses import POSES, Turn
from service.settings.resolve import resolve
from service.settings.schema import DeviceTransform, Settings
from tests.support.devices import few
from tests.support.looped import looped

FREE = ("tilt-left", "tilt-right", "floating")  # poses that a laptop on a table cannot have
SHOTS = ((1206, 2622), (2622, 1206))


def test_the_documented_poses_exist() -> None:
    promised = (
        "front hero-left hero-right isometric-left isometric-right flat-lay lean-back floating edge back"
    )
    assert set(promised.split()) <= set(POSES)
    assert len(POSES) >= 16
    assert all(pose.description for pose in POSES.values())


@looped("name", POSES)
def test_every_kind_of_device_has_a_view_within_range(name: str) -> None:
    assert set(POSES[name].views) == set(get_args(Category))
    for category, view in POSES[name].views.items():
        assert (
            DeviceTransform.model_validate(
                {
                    "rotationX": view.rotation_x,
                    "rotationY": view.rotation_y,
                    "rotationZ": view.rotation_z,
                    "fieldOfView": view.field_of_view,
                    "framing": view.framing,
                }
            ).view("phone")
            == view
        )
        # The page of settings states these framings for all poses.
        assert view.framing == ("balanced" if category in ("laptop", "console") else "posed")


@pytest.mark.parametrize("name", [name for name in POSES if name.endswith("-left")])
def test_left_and_right_are_mirror_images(name: str) -> None:
    right = POSES[name.replace("-left", "-right")]
    for category, view in POSES[name].views.items():
        mirror = view._replace(rotation_y=-view.rotation_y, rotation_z=-view.rotation_z)
        assert right.views[category] == mirror


@looped("name", sorted({*POSES} - {*FREE}))
def test_laptops_stand_level(name: str) -> None:
    """In the picture, the normal of the deck is vertical, so the table looks level."""
    deck = next(slab for slab in catalogue()["macbook-pro-14"].slabs if slab.name == "deck")
    view = POSES[name].views["laptop"]
    up = rotation(*view[:3]) @ np.cross(deck.x, deck.y)
    assert up[0] == pytest.approx(0, abs=0.002)
    assert up[1] > 0.2


@pytest.mark.parametrize("name", ["front", "lean-back", "lean-forward", "flat-lay"])
def test_decks_do_not_flare(name: str) -> None:
    """Seen from straight ahead, a deck's front edge is at most a sixth wider than its rear edge."""
    settings = Settings.model_validate({"device": "macbook-pro-14", "deviceTransform": {"pose": name}})
    of = resolve(settings, SHOTS[1], fast=False)
    deck = next(slab for slab in of.device.slabs if slab.name == "deck")
    half = np.array(deck.size)[:2] / 2
    corners = np.array([[(x, y) for x in (-1, 1)] for y in (-1, 1)]) * half
    points = np.array(deck.center) + corners @ np.array([deck.x, deck.y])
    front, rear = np.diff(aim(of.spec).project(points.reshape(-1, 3)).reshape(2, 2, 2)[..., 0])[:, 0]
    assert 1 < front / rear < 7 / 6


@pytest.mark.parametrize(("device", "size"), [case for size in SHOTS for case in few(catalogue(), size)])
def test_poses_fit_the_canvas_and_keep_their_perspective(device: str, size: tuple[int, int]) -> None:
    for name in POSES:
        settings = Settings.model_validate({"device": device, "deviceTransform": {"pose": name}})
        of = resolve(settings, size, fast=False)
        assert off_canvas(of.device, aim(of.spec)) == 0, name
        assert field_of_view(of.spec) == POSES[name].views[of.device.category].field_of_view, name


def test_without_a_pose_the_view_has_the_given_members() -> None:
    given = {"rotationY": 12, "framing": "upright"}
    assert DeviceTransform.model_validate(given).view("phone") == Turn(0, 12, 0, 30, "upright")


@pytest.mark.parametrize("name", ["back-left", "back-right"])
@pytest.mark.parametrize("category", ["phone", "tablet", "foldable"])
def test_a_back_mirrors_neither_the_table_nor_the_key_light(name: str, category: Category) -> None:
    across, up, ahead = POSES[name].views[category].turned((0, 0, -1))
    # The studio's table is below the horizon. Its key light, which bleaches light backs, begins 35 degrees
    # above the horizon, and rough backs mirror light from 25 degrees around.
    assert 2 < 2 * np.degrees(np.arcsin(up)) < 10
    assert ahead > abs(across)
