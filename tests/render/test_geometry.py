"""Marks in a screenshot appear where the documented formula predicts.

The formula is implemented here independently, with its own rotation matrices, k, D and framing.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.solid import frame, solid
from service.arrays import F64, U8
from service.devices.device import Device, Slab, catalogue
from service.render.geometry.mesh import mesh
from tests.render.posing import EACH, PLAIN, picture, to_code, to_linear
from tests.support.devices import few

pytestmark = pytest.mark.long


WIDTH, HEIGHT = 1920, 1080
LIMIT = 0.2  # px; the documentation promises 0.75, and the renderer achieves about 0.05

# Distinct hues: over black, the pixels of a mark keep its hue, whatever share of a pixel it covers.
HUES = (
    (255, 0, 0),
    (0, 255, 0),
    (0, 0, 255),
    (255, 255, 0),
    (255, 0, 255),
    (0, 255, 255),
    (255, 148, 0),
    (0, 255, 148),
    (148, 0, 255),
)
PLACES = [(x, y) for y in (0.12, 0.5, 0.88) for x in (0.13, 0.5, 0.87)]

POSES: dict[str, dict[str, Any]] = {
    "front": {},
    "right": {"rotationY": 32},
    "left, no perspective": {"rotationY": -55, "fieldOfView": 0},
    "top near": {"rotationX": 28, "fieldOfView": 60},
    "top far": {"rotationX": -24},
    "compound": {"rotationX": 18, "rotationY": -31, "rotationZ": 12, "fieldOfView": 60},
    "rolled": {"rotationZ": -107, "rotationX": 35, "rotationY": 20, "scale": 0.8},
    "moved": {"positionX": 0.35, "positionY": -0.22, "scale": 0.7, "rotationY": 25, "rotationX": 10},
    "large": {"scale": 1.6, "rotationY": -20, "rotationZ": 5, "fieldOfView": 15},
    "wide lens": {"fieldOfView": 90, "rotationY": 40, "scale": 0.6},
    "framed as turned": {"rotationY": 40, "rotationX": 25, "rotationZ": -20, "framing": "posed"},
    "framed as turned, and moved": {
        "rotationY": -50,
        "rotationX": 10,
        "framing": "posed",
        "scale": 0.7,
        "positionX": -0.2,
        "positionY": 0.1,
    },
    "framed upright": {"rotationY": -50, "rotationX": 20, "framing": "upright"},
    "as near as can be": {"fieldOfView": 90, "rotationY": 65},
    "as near as can be, from above": {"fieldOfView": 80, "rotationX": 40, "rotationZ": 20, "scale": 0.9},
}


#: `make test` takes each pose with one of the two devices, in turn, and `make thorough` with both.
PAIRS = [
    pytest.param(device, pose, marks=[] if number % 2 == turn else [pytest.mark.thorough])
    for turn, device in enumerate(("iphone-16-pro", "macbook-pro-14"))
    for number, pose in enumerate(POSES)
]


@pytest.mark.parametrize(("device", "pose"), PAIRS)
def test_marks_are_at_the_places_of_the_formula(device: str, pose: str) -> None:
    check(device, "auto", POSES[pose])


@pytest.mark.parametrize("pose", ["front", "left, no perspective", "compound", "moved", "framed as turned"])
@pytest.mark.parametrize("device", EACH[2:])
def test_marks_on_every_device(device: str, pose: str) -> None:
    check(device, "auto", POSES[pose])


@pytest.mark.parametrize("pose", ["rolled", "compound", *(name for name in POSES if "as " in name)])
@pytest.mark.parametrize(
    "device", ["ipad-pro-11-m4", pytest.param("iphone-15-pro-max", marks=pytest.mark.thorough)]
)
def test_marks_of_a_device_turned_a_quarter(device: str, pose: str) -> None:
    check(device, "landscape", POSES[pose])


@pytest.mark.parametrize("given", [{"rotationY": 180}, {"rotationX": 120, "rotationZ": 30}])
def test_no_mark_is_visible_from_behind(given: dict[str, float]) -> None:
    assert not len(light("pixel-9-pro", "portrait", given)[0])


@pytest.mark.parametrize("device", few(catalogue()))
def test_devices_stay_within_the_sphere_that_the_camera_avoids(device: str) -> None:
    slabs, body = catalogue()[device].slabs, catalogue()[device].body
    radius = np.sqrt(sum(side**2 for side in body)) / 2
    for slab in slabs:
        assert np.linalg.norm(mesh(slab).hull, axis=1).max() <= radius


def check(name: str, orientation: str, pose: dict[str, Any]) -> None:
    device = catalogue()[name]
    seen = light(name, orientation, pose)
    found = 0
    for place, hue in zip(PLACES, HUES, strict=True):
        want, area = expected(device, orientation, pose, place)
        inside = np.minimum(want, [WIDTH - want[0], HEIGHT - want[1]]).min()
        if area < 20 or inside < 2 * np.sqrt(area):
            continue
        at, weight = centroid(seen, hue)
        if weight < 0.7 * area and name == "macbook-pro-14":
            continue  # the deck hides the mark
        assert weight == pytest.approx(area, rel=0.02), f"mark {place}: {weight:.1f} px of {area:.1f}"
        assert np.hypot(*(at - want)) < LIMIT, f"mark {place}: at {at}, expected {want}"
        found += 1
    assert found >= 3


def light(name: str, orientation: str, pose: dict[str, Any]) -> tuple[F64, F64]:
    """The centres (n, 2) of pixels lit by marks, and the light that they add to a black screen (n, 3)."""
    given: dict[str, Any] = {"device": name, "orientation": orientation, "appearance.deviceColor": "#808080"}
    given |= PLAIN | {f"deviceTransform.{key}": value for key, value in pose.items()}
    upright = catalogue()[name].screen.px
    size = upright[::-1] if orientation == "landscape" and upright[1] > upright[0] else upright
    marks = screenshot(size)
    lit, dark = picture(marks, given), picture(np.zeros_like(marks), given)
    rows, columns = np.nonzero(np.bitwise_or.reduce(cv2.split(cv2.absdiff(lit, dark))))
    added = to_linear(lit[rows, columns]) - to_linear(dark[rows, columns])
    return np.asarray(np.column_stack([columns, rows]) + 0.5, np.float64), added


@cache
def screenshot(size: tuple[int, int]) -> U8:
    """Discs on black, supersampled, their centres at PLACES."""
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    for (u, v), hue in zip(PLACES, HUES, strict=True):
        x, y, r = u * size[0], v * size[1], radius(size)
        left, top, side = int(x - r) - 1, int(y - r) - 1, int(2 * r) + 4
        cover = np.zeros((side, side))
        for dx in (-0.25, 0.25):
            for dy in (-0.25, 0.25):
                columns, rows = left + np.arange(side) + 0.5 + dx, top + np.arange(side) + 0.5 + dy
                cover += (columns[None] - x) ** 2 + (rows[:, None] - y) ** 2 < r * r
        pixels[top : top + side, left : left + side] = np.round(cover[..., None] / 4 * hue)
    return pixels


def radius(size: tuple[int, int]) -> float:
    return 0.025 * min(size)


def centroid(seen: tuple[F64, F64], hue: tuple[int, int, int]) -> tuple[F64, float]:
    """The centroid of a mark, canvas px, and its area, px²."""
    middle, light = seen
    full = to_linear(np.array(hue))
    unit = full / np.linalg.norm(full)
    strength = light @ unit
    aside = np.linalg.norm(light - strength[:, None] * unit, axis=1)
    # The screenshot is averaged in code values: a pixel that a mark half covers has less than half its light.
    share = to_code(strength / np.linalg.norm(full)) / 255
    weight = np.where((strength > 0.004) & (aside < 0.17 * strength), share, 0)
    if not weight.any():
        return np.zeros(2), 0.0
    return np.asarray(weight @ middle / weight.sum()), float(weight.sum())


def expected(
    device: Device, orientation: str, pose: dict[str, Any], place: tuple[float, float]
) -> tuple[F64, float]:
    """A mark's predicted centroid, canvas px, and its area, px², which is negative if the mark faces away."""
    size = device.screen.px
    turned = orientation == "landscape" and size[1] > size[0]
    if turned:
        size = size[::-1]
    angles = np.radians(np.arange(0, 360, 6))
    dx, dy = radius(size) * np.array([np.cos(angles), np.sin(angles)])
    rim = project(device, turned, pose, (place[0] + dx / size[0], place[1] + dy / size[1]))
    # In perspective, a disc's centroid is not the image of its centre, so compute it from the polygon.
    a, b = rim, np.roll(rim, -1, axis=0)
    parts = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = float(parts.sum() / 2)
    return ((a + b) * parts[:, None]).sum(axis=0) / (6 * area), area


def project(device: Device, turned: bool, pose: dict[str, Any], places: tuple[F64, F64]) -> F64:
    """Canvas px (n, 2) of places on the screen by the formula; places are fractions (n,) from the top left of
    the device as it is held."""
    screen = device.screen
    u, v = places
    if turned:
        # After a quarter turn to the left, the viewer's right is the device's bottom, and the top is its
        # right side.
        u, v = 1 - v, u
    slab = next(s for s in device.slabs if s.name == screen.slab)
    x = screen.center[0] + (u - 0.5) * screen.size[0]
    y = screen.center[1] + (0.5 - v) * screen.size[1]
    point = local(slab, x, y)
    if turned:
        point = np.array([-point[1], point[0], point[2]])
    point = spin_all(point, pose)
    scale, (share, middle) = pose.get("scale", 1.0), framed(device.id, turned, tuple(pose.items()))
    seen = scale * (share * upright(device, turned, pose.get("fieldOfView", 30.0), point.T) - middle)
    moved = np.array([pose.get("positionX", 0.0), -pose.get("positionY", 0.0)])
    return np.asarray(seen + (1 + moved) * [WIDTH / 2, HEIGHT / 2], np.float64)


def upright(device: Device, turned: bool, angle: float, points: F64) -> F64:
    """The projections of points (..., 3) of the turned device, in px from its pivot, at the scale of the
    upright framing."""
    wide, high, _ = device.body
    if turned:
        wide, high = high, wide
    unit = min(0.78 * HEIGHT / high, 0.78 * WIDTH / wide)
    near = np.ones_like(points[..., 2])
    if angle:
        radius = np.sqrt(sum(side**2 for side in device.body)) / 2
        distance = max((HEIGHT / unit) / (2 * np.tan(np.radians(angle) / 2)), 1.25 * radius)
        near = distance / (distance - points[..., 2])
    return np.stack([points[..., 0] * unit * near, -points[..., 1] * unit * near], axis=-1)


@cache
def framed(name: str, turned: bool, pose: tuple[tuple[str, Any], ...]) -> tuple[float, F64]:
    """The device's scale relative to the upright framing at scale 1, and its middle in px from the pivot."""
    given = dict(pose)
    framing = given.get("framing", "auto")
    if framing == "upright":
        return 1.0, np.zeros(2)
    box = extent(name, turned, pose)
    canvas = np.array([WIDTH, HEIGHT])
    if framing == "auto":
        share = min(1.0, (0.92 * canvas / (box[1] - box[0])).min())
        # `auto` moves the device no farther than necessary.
        return share, np.clip(0, share * box[1] - 0.46 * canvas, share * box[0] + 0.46 * canvas)
    share = (0.78 * canvas / (box[1] - box[0])).min()
    return share, share * box.mean(axis=0)


def extent(name: str, turned: bool, pose: tuple[tuple[str, Any], ...]) -> F64:
    """The extremes (2, 2) of the posed device in px from its pivot, at the scale of the upright framing."""
    device, given, points = catalogue()[name], dict(pose), surface(name)
    if turned:
        points = points[:, [1, 0, 2]] * [-1, 1, 1]
    spun = np.moveaxis(spin_all(np.moveaxis(points, -1, 0), given), 0, -1)
    seen = upright(device, turned, given.get("fieldOfView", 30.0), spun)
    return np.array([seen.min(axis=0), seen.max(axis=0)])


@cache
def surface(name: str) -> F64:
    """Points (n, 3) all over a device, mm."""
    parts = []
    for slab in catalogue()[name].slabs:
        place = frame(slab)
        parts.append(solid(slab).points @ place[:3, :3].T + place[:3, 3])
    return np.concatenate(parts)


def local(slab: Slab, x: F64, y: F64) -> F64:
    """The points (n,) of a slab's front, given in its own mm, in device mm (3, n)."""
    right, up, center = (np.array(axis)[:, None] for axis in (slab.x, slab.y, slab.center))
    out = np.cross(right, up, axis=0)
    return np.asarray(center + x * right + y * up + slab.size[2] / 2 * out)


def spin_all(point: F64, pose: dict[str, Any]) -> F64:
    """Turn points (3, ...) of the device as a pose says."""
    a, b, c = (np.radians(pose.get(f"rotation{axis}", 0.0)) for axis in "XYZ")
    point = spin(point, 0, 1, c)  # about z
    point = spin(point, 2, 0, b)  # about y
    return spin(point, 1, 2, a)  # about x


def spin(point: F64, first: int, second: int, angle: float) -> F64:
    """Rotate from one axis towards another."""
    c, s = np.cos(angle), np.sin(angle)
    result = point.copy()
    result[first] = c * point[first] - s * point[second]
    result[second] = s * point[first] + c * point[second]
    return result
