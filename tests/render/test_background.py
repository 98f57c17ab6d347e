"""Flat colours and gradients behind the device."""

from __future__ import annotations

import numpy as np
import pytest

from tests.render.posing import flat, picture

# The device is out of the picture's way.
AWAY = {
    "canvas.width": 300,
    "canvas.height": 200,
    "deviceTransform.scale": 0.1,
    "deviceTransform.positionX": 2,
    "shadow.enabled": False,
}


def test_a_flat_colour_fills_the_canvas_exactly() -> None:
    shown = picture(flat((9, 9, 9)), AWAY | {"appearance.backgroundColor": "#3366FF"})
    assert shown.shape == (200, 300, 3)
    assert (shown == (0x33, 0x66, 0xFF)).all()


def test_transparent_leaves_alpha_zero() -> None:
    shown = picture(flat((9, 9, 9)), AWAY | {"appearance.backgroundColor": "transparent"})
    assert shown.shape == (200, 300, 4)
    assert not shown[..., 3].any()


def test_half_transparent_is_kept() -> None:
    shown = picture(flat((9, 9, 9)), AWAY | {"appearance.backgroundColor": "#3366FF80"})
    assert (shown == (0x33, 0x66, 0xFF, 0x80)).all()


@pytest.mark.parametrize("angle", [0, 45, 90, 135, 180, 225, 310, 360])
def test_a_linear_gradient_runs_as_in_css(angle: float) -> None:
    given = AWAY | {
        "appearance.gradientEnabled": True,
        "appearance.backgroundColor": "#102030",
        "appearance.gradientColor": "#F0A050",
        "appearance.gradientAngle": angle,
    }
    shown = picture(flat((9, 9, 9)), given).astype(float)
    start, end = np.array([0x10, 0x20, 0x30]), np.array([0xF0, 0xA0, 0x50])
    # CSS Images 3: 0 points up, the angle grows clockwise, perpendiculars through the corners are the ends.
    turn = np.radians(angle)
    toward = np.array([np.sin(turn), -np.cos(turn)])
    length = abs(300 * toward[0]) + abs(200 * toward[1])
    for x, y in ((0, 0), (299, 0), (0, 199), (299, 199), (150, 100), (40, 170)):
        t = (np.array([x + 0.5 - 150, y + 0.5 - 100]) @ toward) / length + 0.5
        assert shown[y, x] == pytest.approx(start + t * (end - start), abs=1.3)


def test_a_radial_gradient_ends_in_the_corners() -> None:
    given = AWAY | {
        "appearance.gradientEnabled": True,
        "appearance.gradientType": "radial",
        "appearance.backgroundColor": "#000000",
        "appearance.gradientColor": "#FFFFFF",
    }
    shown = picture(flat((9, 9, 9)), given)[..., 0].astype(float)
    assert shown[100, 150] < 3
    assert min(shown[0, 0], shown[0, -1], shown[-1, 0], shown[-1, -1]) > 251
    assert shown[100, 299] == pytest.approx(255 * 150 / np.hypot(150, 100), abs=2)


def test_a_gradient_has_no_bands() -> None:
    given = AWAY | {
        "canvas.width": 1920,
        "canvas.height": 64,
        "appearance.gradientEnabled": True,
        "appearance.gradientAngle": 90,
        "appearance.backgroundColor": "#101216",
        "appearance.gradientColor": "#2A2E3A",
    }
    shown = picture(flat((9, 9, 9)), given)
    for row in shown[::9]:
        steps = np.flatnonzero((np.diff(row.astype(int), axis=0) != 0).any(axis=1))
        assert np.diff(np.r_[0, steps, len(row)]).max() <= 24, "a run of equal pixels is a band"
