"""Odd poses, sizes and screenshots: never an exception, a warning or a pixel out of nowhere."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from service.devices import catalogue
from tests.render.posing import DEVICES, flat, picture

CANVAS = {"canvas.width": 200, "canvas.height": 150}
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
    "through the camera": {"fieldOfView": 90, "scale": 5, "rotationX": 85},
    "large": {"scale": 5, "rotationY": 20},
    "small": {"scale": 0.1},
    "outside": {"positionX": 2, "positionY": -2},
    "half outside": {"positionX": -1, "rotationY": 60},
    "large and outside": {"positionY": 2, "scale": 5, "rotationZ": 45},
}


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("device", DEVICES)
def test_extreme_poses(device: str, pose: str) -> None:
    given = CANVAS | {"device": device} | {f"deviceTransform.{k}": v for k, v in POSES[pose].items()}
    for more in ({}, CLEAR | {"orientation": "auto", "reflection.environment": "window"}):
        with np.errstate(all="raise", under="ignore"):
            shown = picture(flat((200, 90, 40), (30, 20)), given | more)
        assert shown.shape[:2] == (150, 200)
    if pose == "outside":
        assert not shown[..., 3].any()
    elif pose in ("behind", "edge", "top edge", "large", "wide"):
        assert shown[..., 3].any()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("canvas", [(64, 64), (64, 300), (501, 67)])
def test_odd_canvases(device: str, canvas: tuple[int, int]) -> None:
    given = {"canvas.width": canvas[0], "canvas.height": canvas[1], "device": device}
    given |= {f"postProcessing.{name}": True for name in ("bloom", "vignette", "grain")}
    with np.errstate(all="raise", under="ignore"):
        for more in ({}, {"deviceTransform.rotationY": -60, "appearance.backgroundColor": "transparent"}):
            assert picture(flat((200, 90, 40)), given | more).shape[1::-1] == canvas


@pytest.mark.parametrize("size", [(1, 1), (1, 4000), (4000, 1), (2, 3)])
@pytest.mark.parametrize("fit", ["cover", "contain", "stretch"])
@pytest.mark.parametrize("alpha", [None, 0, 77])
def test_tiny_and_transparent_screenshots(size: tuple[int, int], fit: str, alpha: int | None) -> None:
    color = (200, 90, 40) if alpha is None else (200, 90, 40, alpha)
    with np.errstate(all="raise", under="ignore"):
        shown = picture(flat(color, size), CANVAS | {"screen.fit": fit, "deviceTransform.rotationY": 20})
    assert shown.shape == (150, 200, 3)


def test_inputs_are_not_modified() -> None:
    random = np.random.default_rng(1)
    pixels = random.integers(0, 256, (200, 100, 4), np.uint8)
    kept = pixels.copy()
    pixels.flags.writeable = False
    picture(pixels, CANVAS | {"postProcessing.bloom": True})
    assert (pixels == kept).all()


SWEEPS = [
    ("rotationY", range(-95, -84)),
    ("rotationY", range(85, 96)),
    ("rotationX", range(84, 95)),
    ("rotationX", range(-5, 6)),
    ("rotationZ", range(175, 181)),
]


@pytest.mark.parametrize(("axis", "angles"), SWEEPS)
@pytest.mark.parametrize("device", ["iphone-16-pro", "macbook-pro-14", "pixel-9-pro"])
def test_neighbouring_poses_look_alike(device: str, axis: str, angles: range) -> None:
    given = CANVAS | CLEAR | {"device": device}
    upright = catalogue()[device].screen.px
    shot = flat((200, 90, 40), (upright[0] // 20, upright[1] // 20))
    shown = [picture(shot, given | {f"deviceTransform.{axis}": angle}).astype(float) for angle in angles]
    for angle, (before, after) in zip(angles, pairwise(shown), strict=False):
        # Nothing appears or goes at once: a degree moves no point by more than about 2 px here.
        assert np.abs(after[..., 3] - before[..., 3]).mean() < 255 * 0.012, f"between {angle} and the next"
