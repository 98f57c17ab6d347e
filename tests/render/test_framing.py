"""The framing of the posed device, measured on its silhouette.

The outlines of a device give its silhouette in a hundredth of the time that its picture takes.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from service.arrays import F64
from service.render.geometry.camera import aim
from service.render.geometry.coverage import fill
from service.render.geometry.mesh import hull
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import off_canvas, outlines
from tests.render.posing import DEVICES, PLAIN, flat, picture, scene
from tests.support.looped import looped

WIDTH, HEIGHT = 640, 360
SCREEN = 195, 90
CANVAS = {
    "canvas.width": WIDTH,
    "canvas.height": HEIGHT,
    "appearance.backgroundColor": "transparent",
    **PLAIN,
}
POSES: dict[str, dict[str, float]] = {
    "front": {},
    "left": {"rotationY": -25},
    "far right": {"rotationY": 70},
    "top near": {"rotationX": 45},
    "top far": {"rotationX": -40, "fieldOfView": 50},
    "rolled": {"rotationZ": 30},
    "lying": {"rotationX": -55, "rotationZ": 45, "fieldOfView": 0},
    "behind": {"rotationX": 15, "rotationY": 165},
    "near": {"rotationY": 65, "fieldOfView": 90},
}
POSED = list(product(DEVICES, POSES))


def given(device: str, pose: dict[str, Any], **transform: Any) -> dict[str, Any]:
    moved = {f"deviceTransform.{name}": value for name, value in (pose | transform).items()}
    return CANVAS | {"device": device} | moved


def drawn(settings: dict[str, Any]) -> F64:
    """The alpha of a picture of a device, in landscape if possible, (h, w) in 0-1."""
    return np.asarray(picture(flat((9, 9, 9), SCREEN), settings)[..., 3] / 255, np.float64)


def alpha(settings: dict[str, Any]) -> F64:
    """The silhouette of a device, in landscape if possible, (h, w) in 0-1."""
    of = scene(settings, SCREEN)
    camera = aim(of.spec)
    box = Box(0, 0, camera.width, camera.height)
    return np.asarray(fill(outlines(of.device, camera), box), np.float64)


def edges(cover: F64) -> F64:
    """Left, top, right and bottom margin of a silhouette as shares of the canvas, to a pixel."""
    rows, columns = np.flatnonzero(cover.max(axis=1) > 0.5), np.flatnonzero(cover.max(axis=0) > 0.5)
    height, width = cover.shape
    found = [columns[0] / width, rows[0] / height, 1 - (columns[-1] + 1) / width, 1 - (rows[-1] + 1) / height]
    return np.array(found)


@pytest.mark.parametrize(
    ("device", "pose"),
    [("iphone-16-pro", "far right"), ("macbook-pro-14", "left"), ("browser-chrome-light", "behind")],
)
def test_a_picture_shows_the_device_within_its_silhouette(device: str, pose: str) -> None:
    given_pose = given(device, POSES[pose])
    seen, expected = drawn(given_pose), alpha(given_pose)
    assert np.abs(seen - expected).mean() < 2e-3
    assert edges(seen) == pytest.approx(edges(expected), abs=1.01 / HEIGHT)


@looped("device, pose", POSED)
def test_no_pose_comes_nearer_to_an_edge_than_4_percent(device: str, pose: str) -> None:
    upright = alpha(given(device, POSES[pose], framing="upright"))
    found = alpha(given(device, POSES[pose]))
    pixel = 1.01 / HEIGHT
    if edges(upright).min() >= 0.04 + pixel:
        assert (found == upright).all()
        return
    # The device is as large as possible: on one side, it reaches the margin.
    assert edges(found).min() == pytest.approx(0.04, abs=pixel)


@looped("device, pose", POSED)
def test_posed_framing_spans_78_percent_and_is_centred(device: str, pose: str) -> None:
    left, top, right, bottom = edges(alpha(given(device, POSES[pose], framing="posed")))
    pixel = 2.01 / HEIGHT
    assert left == pytest.approx(right, abs=pixel)
    assert top == pytest.approx(bottom, abs=pixel)
    assert max(1 - left - right, 1 - top - bottom) == pytest.approx(0.78, abs=pixel)


@looped("device, turn", product(("macbook-pro-14", "studio-display", "iphone-16-pro"), (-30, 25, 150)))
def test_balanced_framing_centres_the_visual_weight(device: str, turn: float) -> None:
    pose = {"rotationX": 6, "rotationY": turn, "rotationZ": turn / 3}
    posed, balanced = (alpha(given(device, pose, framing=framing)) for framing in ("posed", "balanced"))
    assert posed.sum() == pytest.approx(balanced.sum(), rel=1e-3)
    assert edges(posed)[1::2] == pytest.approx(edges(balanced)[1::2], abs=2.01 / HEIGHT)
    # The lid counts twice and outweighs the deck, so a laptop stays further off centre.
    most = 0.025 if device == "macbook-pro-14" else 0.01
    assert abs(middle(balanced)) < min(most, max(abs(middle(posed)), 0.01))


def middle(cover: F64) -> float:
    """The horizontal distance of a silhouette's middle from the canvas' middle, as a share of the canvas."""
    place = (np.arange(WIDTH) + 0.5) / WIDTH - 0.5
    return float(cover.sum(axis=0) @ place / cover.sum())


def test_balanced_framing_keeps_half_of_the_room_beside_the_device() -> None:
    pose = {"rotationX": 20, "rotationY": 65, "rotationZ": 30, "fieldOfView": 90, "framing": "balanced"}
    for width in (400, 900):
        of = scene(given("macbook-pro-14", pose) | {"canvas.width": width}, SCREEN)
        low, high = aim(of.spec).bounds(hull(of.device))
        centred = (width - high[0] + low[0]) / 2
        least = (0.04 * width + centred) / 2
        assert low[0] >= least - 0.5
        assert high[0] <= width - least + 0.5


@pytest.mark.parametrize("framing", ["auto", "posed", "balanced"])
def test_scale_and_position_come_after_framing(framing: str) -> None:
    """At half the scale and moved, the device looks like its picture at full scale, shrunk to half and
    moved."""
    pose = {"rotationY": 55, "rotationX": 20, "framing": framing}
    whole = alpha(given("macbook-pro-14", pose) | {"canvas.width": 2 * WIDTH, "canvas.height": 2 * HEIGHT})
    half = alpha(given("macbook-pro-14", pose, scale=0.5, positionX=0.25, positionY=-0.25))
    shrunk = whole.reshape(HEIGHT, 2, WIDTH, 2).mean(axis=(1, 3))
    small = shrunk.reshape(HEIGHT // 2, 2, WIDTH // 2, 2).mean(axis=(1, 3))
    want = np.zeros_like(half)
    y, x = HEIGHT // 4 + HEIGHT // 8, WIDTH // 4 + WIDTH // 8
    want[y : y + HEIGHT // 2, x : x + WIDTH // 2] = small
    assert np.abs(half - want).mean() < 2e-4
    assert np.abs(half - want).max() < 0.3


def test_framing_keeps_the_perspective() -> None:
    specs = [
        scene(given("macbook-pro-14", {"rotationY": 60}, framing=framing), SCREEN).spec
        for framing in ("upright", "auto", "posed", "balanced")
    ]
    cameras = [aim(spec) for spec in specs]
    assert len({camera.distance for camera in cameras}) == 1
    assert cameras[0].k > cameras[1].k


@pytest.mark.parametrize("place", [(0.9, 0.0), (-0.4, 0.7), (0.0, -1.1), (0.83, 0.76)])
@pytest.mark.parametrize("device", ["macbook-pro-14", "pixel-9-pro"])
def test_the_share_that_lies_off_the_canvas(device: str, place: tuple[float, float]) -> None:
    pose = POSES["left"] | {"rotationZ": 12}
    moved = given(device, pose, positionX=place[0], positionY=place[1])
    whole, seen = drawn(given(device, pose)).sum(), drawn(moved).sum()
    of = scene(moved, SCREEN)
    assert off_canvas(of.device, aim(of.spec)) == pytest.approx(1 - seen / whole, abs=0.003)


def test_shares_of_1_and_0_lie_off_the_canvas() -> None:
    for moved, share in (({}, 0.0), ({"positionY": 2}, 1.0), ({"positionX": -2, "positionY": -2}, 1.0)):
        of = scene(given("ipad-pro-11-m4", moved), SCREEN)
        assert off_canvas(of.device, aim(of.spec)) == pytest.approx(share, abs=1e-9)
