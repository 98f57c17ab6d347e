"""Unusual poses, sizes and screenshots: never an exception, a NumPy warning or a stray pixel."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from service.arrays import F64
from service.devices.device import catalogue
from service.render.geometry.camera import aim
from service.render.geometry.mesh import mesh
from tests.render.posing import EACH, each_in, flat, picture, scene

CANVAS = {"canvas.width": 200, "canvas.height": 150}
SHOT = (30, 20)
GROUND = (0xF2, 0xF3, 0xF5)  # the default
CLEAR = {"appearance.backgroundColor": "transparent", "shadow.enabled": False}

POSES: dict[str, dict[str, float]] = {
    "behind": {"rotationY": 180},
    "behind, the other way": {"rotationX": -180},
    "edge": {"rotationY": 90},
    "other edge": {"rotationY": -90},
    "almost edge": {"rotationY": 89.99},
    "top edge": {"rotationX": 90},
    "bottom edge": {"rotationX": -90, "fieldOfView": 0},
    "both edges": {"rotationX": 90, "rotationY": 90, "rotationZ": 90},
    "wide": {"fieldOfView": 90, "rotationX": 70},
    "large and near": {"fieldOfView": 90, "scale": 5, "rotationX": 85},
    "large": {"scale": 5, "rotationY": 20},
    "small": {"scale": 0.1},
    "outside": {"positionX": 2, "positionY": -2},
    "half outside": {"positionX": -1, "rotationY": 60},
    "large and outside": {"positionY": 2, "scale": 5, "rotationZ": 45},
}


def counted(device: str, given: dict[str, Any]) -> F64:
    """The device's approximate coverage (150, 200): that of the hulls of its slabs, with four samples along
    each axis of a pixel."""
    of = scene(given | {"device": device}, SHOT)
    camera, fine = aim(of.spec), 4
    mask = np.zeros((150 * fine, 200 * fine), np.uint8)
    for slab in of.device.slabs:
        points = camera.project(mesh(slab).hull) * fine - 0.5
        hull = cv2.convexHull(points.astype(np.float32))[:, 0]
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return np.asarray(mask.reshape(150, fine, 200, fine).mean(axis=(1, 3)), np.float64)


@pytest.mark.parametrize(("device", "pose"), each_in(POSES, few=("behind", "edge")))
@pytest.mark.long
def test_extreme_poses(device: str, pose: str) -> None:
    """In each pose, the device covers the area that the camera's formula predicts."""
    given = CANVAS | {"device": device} | {f"deviceTransform.{k}": v for k, v in POSES[pose].items()}
    with np.errstate(all="raise", under="ignore"):
        opaque = picture(flat((200, 90, 40), SHOT), given | {"shadow.enabled": False})
        clear = picture(flat((200, 90, 40), SHOT), given | CLEAR | {"reflection.environment": "window"})
    cover = counted(device, given | CLEAR)
    alpha = clear[..., 3] / 255
    assert np.abs(alpha - cover).max() < 0.4
    assert alpha.mean() == pytest.approx(cover.mean(), abs=0.003)
    beside = cv2.dilate(cover, np.ones((3, 3))) == 0
    assert (opaque[beside] == GROUND).all()
    if pose == "outside":
        assert not alpha.any()
    elif pose in ("behind", "edge", "top edge", "large", "wide"):
        assert alpha.any()


@pytest.mark.parametrize("device", EACH)
@pytest.mark.parametrize("canvas", [(64, 64), (64, 300), (501, 67)])
def test_odd_canvases(device: str, canvas: tuple[int, int]) -> None:
    given = {"canvas.width": canvas[0], "canvas.height": canvas[1], "device": device}
    given |= {f"postProcessing.{name}": True for name in ("bloom", "vignette", "grain")}
    with np.errstate(all="raise", under="ignore"):
        for more in ({}, {"deviceTransform.rotationY": -60, "appearance.backgroundColor": "transparent"}):
            shown = picture(flat((200, 90, 40)), given | more)
            assert shown.shape[1::-1] == canvas
            # The screen is the only warm area, and vignette darkens the background in the corners.
            warm = shown[..., 0].astype(int) - shown[..., 2]
            assert (warm > 60).mean() > 0.01
            corner = shown[0, 0].astype(int)
            assert corner[3] == 0 if more else np.ptp(corner) < 12 and 100 < corner.mean() < 230


@pytest.mark.parametrize("size", [(1, 1), (1, 4000), (4000, 1), (2, 3)])
@pytest.mark.parametrize("fit", ["cover", "contain", "stretch"])
@pytest.mark.parametrize("alpha", [None, 0, 77])
def test_tiny_and_transparent_screenshots(size: tuple[int, int], fit: str, alpha: int | None) -> None:
    """The middle of the screen has the screenshot's colour over the screen's black."""
    color = (200, 90, 40) if alpha is None else (200, 90, 40, alpha)
    given = CANVAS | {"screen.fit": fit, "deviceTransform.rotationY": 20, "reflection.enabled": False}
    with np.errstate(all="raise", under="ignore"):
        shown = picture(flat(color, size), given)
    assert shown.shape == (150, 200, 3)
    expected = np.array((200, 90, 40)) * (1 if alpha is None else alpha / 255)
    if fit != "contain" or max(size) < 9:
        assert np.abs(shown[75, 100] - expected).max() < 3
    else:
        # The screenshot is a line of less than a pixel between black bars.
        assert (shown[75, 100] < expected + 3).all()


def test_inputs_are_not_modified() -> None:
    random = np.random.default_rng(1)
    pixels = random.integers(0, 256, (200, 100, 4), np.uint8)
    kept = pixels.copy()
    pixels.flags.writeable = False
    picture(pixels, CANVAS | {"postProcessing.bloom": True})
    assert (pixels == kept).all()


# The angles are around those at which faces turn away and parts of a laptop change their order.
TURNS = [range(-180, -176), range(-94, -86), range(-28, -22), range(-2, 3), range(87, 94), range(152, 158)]
SWEEPS = [
    pytest.param("iphone-16-pro", "rotationY", {}, 0.006, marks=pytest.mark.thorough),
    pytest.param("pixel-9-pro", "rotationX", {"rotationY": 30}, 0.006, marks=pytest.mark.thorough),
    pytest.param("macbook-pro-14", "rotationX", {}, 0.013, marks=pytest.mark.thorough),
    pytest.param(
        "macbook-pro-14", "rotationY", {"rotationX": 20, "fieldOfView": 50}, 0.016, marks=pytest.mark.long
    ),
]


@pytest.mark.parametrize(("device", "axis", "rest", "limit"), SWEEPS)
@pytest.mark.thorough
def test_turning_is_smooth(device: str, axis: str, rest: dict[str, float], limit: float) -> None:
    """Turning by one degree moves no point of the silhouette by more than about 2 px, so no part jumps."""
    given = CLEAR | {"canvas.width": 120, "canvas.height": 90, "device": device}
    given |= {f"deviceTransform.{name}": value for name, value in rest.items()}
    given["deviceTransform.framing"] = "upright"  # other framings resize the device as it turns
    upright = catalogue()[device].screen.px
    shot = flat((200, 90, 40), (upright[0] // 20, upright[1] // 20))
    for angles in TURNS:
        before: F64 | None = None
        for angle in angles:
            rgba = picture(shot, given | {f"deviceTransform.{axis}": angle}).astype(float) / 255
            after = np.dstack([rgba[..., :3] * rgba[..., 3:], rgba[..., 3]])
            if before is not None:
                change = np.abs(after - before).mean(axis=(0, 1))
                assert change[3] < limit, f"the silhouette jumps before {angle}"
                assert change[:3].max() < 1.5 * limit, f"the colour jumps before {angle}"
            before = after
