"""Monitors and televisions: they stand on the ground, are in one piece, and no part crosses another."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from frames.generator.sheet import known, read
from service.arrays import F64
from service.devices.device import Device, Slab, catalogue
from service.devices.families.pose import box_of
from service.devices.families.sheet import Monitor
from service.render.geometry.mesh import mesh, pose

IDS = [identifier for identifier in known() if isinstance(read(identifier), Monitor)]
# Mm; how far parts may overlap where a slanted part meets a level one, or where two round ends meet.
SUNK = 1.0


def given(identifier: str) -> tuple[Monitor, Device]:
    sheet = read(identifier)
    assert isinstance(sheet, Monitor)
    return sheet, catalogue()[identifier]


def test_every_kind_of_stand_exists() -> None:
    kinds = {given(identifier)[0].stand.kind for identifier in IDS}
    assert kinds == {"plate", "post", "frames", "bars"}


@pytest.mark.parametrize("identifier", IDS)
def test_screen_and_stand_are_as_high_as_measured(identifier: str) -> None:
    sheet, item = given(identifier)
    body = item.slab("body")
    assert body.size == (sheet.width, sheet.height, sheet.thickness)
    assert item.body[1] == pytest.approx(sheet.height + sheet.stand.height, abs=2)
    low, high = box_of(item.slabs)
    assert np.add(low, high) == pytest.approx(np.zeros(3), abs=1e-3)
    top = body.size[1] / 2 - item.screen.center[1] - item.screen.size[1] / 2
    side = (body.size[0] - item.screen.size[0]) / 2
    assert top == pytest.approx(sheet.bezel)
    assert side == pytest.approx(sheet.bezel, abs=1.5)


@pytest.mark.parametrize("identifier", IDS)
def test_it_stands_on_the_ground_before_and_behind_its_middle(identifier: str) -> None:
    item = catalogue()[identifier]
    points = np.concatenate([mesh(slab).hull for slab in item.slabs])
    feet = points[points[:, 1] < points[:, 1].min() + 2]
    weight = catalogue()[identifier].slab("body").center
    for axis in (0, 2):
        assert feet[:, axis].min() < weight[axis] - 40
        assert feet[:, axis].max() > weight[axis] + 40


@pytest.mark.parametrize("identifier", IDS)
def test_parts_stand_beside_each_other(identifier: str) -> None:
    """For any two parts, the plane of some face lies between them, because the painter's order relies on
    that."""
    item = catalogue()[identifier]
    for one, other in itertools.combinations(item.slabs, 2):
        if "bulge" in (one.name, other.name):
            continue  # these parts are sunk into the body on purpose
        assert max(_gap(one, other), _gap(other, one)) > -SUNK, (one.name, other.name)


def _gap(one: Slab, other: Slab) -> float:
    """The largest distance in mm of the other slab from any of the slab's planes; negative if it crosses all
    of them."""
    axes, center = pose(one)
    local: F64 = (mesh(other).hull - center) @ axes
    halves = np.array(one.size) / 2
    return float(max((local.min(axis=0) - halves).max(), (-local.max(axis=0) - halves).max()))


@pytest.mark.parametrize("identifier", IDS)
def test_edges_are_no_rounder_than_corners(identifier: str) -> None:
    for slab in catalogue()[identifier].slabs:
        assert slab.edge <= slab.corner.extent + 1e-6, slab.name


def test_an_imac_has_a_chin_and_a_stand_in_the_light_tone() -> None:
    item = catalogue()["imac-24"]
    assert item.slab("body").front.tone == item.slab("foot").tone == item.slab("upright").tone == "light"
    assert item.slab("body").tone == "body"
    assert len(item.finishes) == 7
    assert all(finish.light and finish.light != finish.hex for finish in item.finishes)
