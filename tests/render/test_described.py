"""Pictures of described devices: without holes, within the outline, and in no more memory than others."""

from __future__ import annotations

import tracemalloc
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from service.clock import Clock
from service.devices.device import Device, catalogue
from service.render.geometry.mesh import mesh
from service.render.memoize import nbytes
from service.render.plates import plate
from service.settings.merge import MergedSettings
from service.settings.resolve import resolve
from service.settings.scene import PlateSpec
from tests.devices.descriptions import IPHONE, descriptions
from tests.support.sound import whole

SIZE = 240
BARE = {"appearance": {"backgroundColor": "transparent"}, "shadow": {"enabled": False}}
SLIM = {"width": 1000, "height": 3900}
EXTREMES: list[dict[str, Any]] = [
    {"kind": "phone", "screen": SLIM, "body": {"width": 290, "height": 300}, "bezel": 40, "camera": "square"},
    {"kind": "phone", "screen": {"width": 64, "height": 64}, "ppi": 55, "bezel": 0.8, "camera": "triple"},
    {"kind": "tablet", "screen": {"width": 8192, "height": 8192}, "body": {"width": 600, "height": 600}},
    {"kind": "laptop", "screen": {"width": 3900, "height": 1000}, "body": {"width": 600, "height": 600}},
    {"kind": "monitor", "screen": {"width": 1000, "height": 3900}, "ppi": 60, "bezel": 2},
    {"kind": "monitor", "screen": {"width": 3900, "height": 1000}, "body": {"width": 2600, "height": 700}},
]


def spec(device: Any, width: int = SIZE, height: int = SIZE, **turned: float) -> PlateSpec:
    transform = {"framing": "upright", **turned}
    members = {"device": device, "canvas": {"width": width, "height": height}, "deviceTransform": transform}
    return resolve(MergedSettings({**BARE, **members}).resolve(), (900, 900), fast=False).spec


def shapes(device: Device) -> int:
    """The bytes of a device's meshes."""
    return sum(nbytes(mesh(slab)) for slab in device.slabs)


@pytest.mark.long
@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(descriptions())
def test_a_described_device_has_no_hole(device: dict[str, Any]) -> None:
    assume(not MergedSettings({"device": device}).faults)
    made = whole(spec(device))
    screen = made.screens[0]
    assert screen is not None
    lit = screen.gain > 60000
    # The margin around a very small screen makes up most of its layer, so leave it out.
    assert lit[lit.any(axis=1)][:, lit.any(axis=0)].mean() > 0.5


@pytest.mark.parametrize("device", EXTREMES)
@pytest.mark.parametrize(
    "turn", [(10, -40), *(pytest.param(one, marks=pytest.mark.long) for one in ((-20, 160), (60, 89)))]
)
def test_a_turned_described_device_has_no_hole(device: dict[str, Any], turn: tuple[float, float]) -> None:
    whole(spec(device, rotationX=turn[0], rotationY=turn[1]))


def peak(of: Any) -> int:
    """The most bytes that a device's plate takes while it is built."""
    # The canvas has the shape of the device, so every device covers about as many pixels.
    across, up = spec(of).device.body[:2]
    wanted = spec(of, round(700 * (across / up) ** 0.5), round(700 * (up / across) ** 0.5), rotationY=-25)
    plate.build(wanted, Clock())  # this build fills the caches, which should not count
    tracemalloc.start()
    plate.build(wanted, Clock())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@cache
def of_the_catalogue() -> tuple[int, int]:
    """The largest meshes, and the largest peak, of the catalogue's devices, in bytes."""
    others = [catalogue()[name] for name in ("iphone-14-pro", "macbook-pro-14", "ipad-pro-11-m4", "tv-55")]
    return max(map(shapes, others)), max(peak(other.id) for other in others)


@pytest.mark.long
@pytest.mark.parametrize("device", EXTREMES)
@pytest.mark.thorough
def test_described_devices_take_no_more_memory_than_the_catalogue(device: dict[str, Any]) -> None:
    meshes, most = of_the_catalogue()
    assert shapes(spec(device).device) <= meshes
    # The peak varies by chance, because parts are painted in parallel.
    assert peak(device) <= 1.5 * most


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize("kind", ["phone", "tablet", "laptop", "monitor"])
def test_the_finish_changes_the_body_and_not_the_screen(kind: str) -> None:
    device = {"kind": kind, "screen": {"width": 1200, "height": 900}}
    dark, pale = (whole(spec({**device, "color": color}, rotationX=-12)) for color in ("#101010", "#f0f0f0"))
    assert dark.screens[0] is not None
    assert pale.screens[0] is not None
    np.testing.assert_array_equal(dark.screens[0].gain, pale.screens[0].gain)
    seen = dark.base[..., 3] == 255
    assert np.abs(dark.base[seen].astype(int) - pale.base[seen]).max() > 100


def test_a_catalogue_phone_looks_the_same_when_described() -> None:
    real = catalogue()["iphone-16-pro"]
    device = IPHONE | {"color": real.finishes[0].hex}
    described, drawn = (
        plate.build(spec(one, 600, 600), Clock()).base.astype(int) for one in (device, real.id)
    )
    assert (np.abs(described - drawn).max(axis=2) > 24).mean() < 0.01
