"""Flat colours and gradients behind the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.render.posing import flat, picture

# Settings that move the device out of the way of the tested pixels.
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
    # By CSS Images 3, 0 points up and angles grow clockwise. A gradient ends where a perpendicular to it
    # passes through a corner.
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


def gradient(kind: str, *stops: tuple[str, float], angle: float = 0) -> dict[str, Any]:
    return AWAY | {
        "appearance.gradientType": kind,
        "appearance.gradientAngle": angle,
        "appearance.gradientStops": [{"color": color, "at": at} for color, at in stops],
    }


def test_stops_have_their_colour_at_their_position() -> None:
    """Before the first and after the last stop, the colour is constant; transparent stops add no colour."""
    given = gradient("linear", ("#102030", 0.25), ("#F0A050", 0.5), ("#00000000", 0.75), angle=90)
    for fast in (False, True):
        shown = picture(flat((9, 9, 9)), given, fast=fast).astype(float)[100]
        for x, color in (
            (0, (16, 32, 48, 255)),
            (74, (16, 32, 48, 255)),
            (112, (128, 96, 64, 255)),
            (150, (240, 160, 80, 255)),
            (187, (240, 160, 80, 127)),
        ):
            assert shown[x] == pytest.approx(color, abs=3), (x, fast)
        assert shown[299, 3] == 0


def test_stops_at_one_place_make_a_smooth_edge() -> None:
    black, white = "#000000", "#FFFFFF"
    for kind, angle in (("linear", 80), ("radial", 0), ("conic", 80)):
        given = gradient(kind, (black, 0), (black, 0.5), (white, 0.5), (white, 1), angle=angle)
        shown = picture(flat((9, 9, 9)), given)[..., 0].astype(int)
        between = (shown > 0) & (shown < 255)
        # Each row or column has about one pixel of a mixed colour.
        assert 0.5 * 200 < between.sum() < 3 * 300, kind


def test_a_conic_gradient_turns_clockwise_and_returns_to_its_first_colour() -> None:
    given = gradient("conic", ("#000000", 0), ("#FFFFFF", 1), angle=90)
    shown = picture(flat((9, 9, 9)), given)[..., 0].astype(float)
    for x, y in ((290, 105), (150, 199), (10, 100), (150, 0), (290, 95)):
        place = (np.degrees(np.arctan2(x + 0.5 - 150, 100 - y - 0.5)) - 90) / 360 % 1
        assert shown[y, x] == pytest.approx(255 * place, abs=1.6), (x, y)
    colors = {"appearance.backgroundColor": "#000000", "appearance.gradientColor": "#FFFFFF"}
    given = AWAY | {**colors, "appearance.gradientEnabled": True, "appearance.gradientType": "conic"}
    shown = picture(flat((9, 9, 9)), given | {"appearance.gradientAngle": 0})[..., 0].astype(float)
    assert shown[2, 150] < 5
    assert shown[197, 150] > 250
    assert np.abs(shown[:, :150][:, ::-1] - shown[:, 150:]).max() <= 2


def test_a_mesh_takes_its_colours_in_order_and_is_smooth() -> None:
    given = gradient("mesh", ("#FF0000", 0), ("#00FF00", 0.5), ("#0000FF", 1), angle=180)
    shown = picture(flat((9, 9, 9)), given).astype(int)
    for y, channel in ((0, 0), (100, 1), (199, 2)):
        assert shown[y, :, channel].mean() > shown[y].mean(axis=0).max() - 1
    for axis in (0, 1):
        assert np.abs(np.diff(shown, axis=axis)).max() <= 6
    assert (shown.sum(axis=2) > 250).all()


def test_gradient_enabled_turns_stops_off() -> None:
    given = gradient("linear", ("#102030", 0), ("#F0A050", 1)) | {"appearance.backgroundColor": "#3366FF"}
    off = picture(flat((9, 9, 9)), given | {"appearance.gradientEnabled": False})
    assert (off == (0x33, 0x66, 0xFF)).all()


@pytest.mark.parametrize("kind", ["linear", "radial", "conic", "mesh"])
def test_a_slow_gradient_through_stops_has_no_bands(kind: str) -> None:
    stops = (("#101216", 0.0), ("#2A2E3A", 0.5), ("#232A3C", 1.0))
    given = gradient(kind, *stops, angle=90) | {"canvas.width": 1920, "canvas.height": 1080}
    shown = picture(flat((9, 9, 9)), given)
    for row in (*shown[100:1000:180], *shown[:, 200:1900:400].transpose(1, 0, 2)):
        steps = np.flatnonzero((np.diff(row.astype(int), axis=0) != 0).any(axis=1))
        longest = np.diff(np.r_[0, steps, len(row)]).max()
        assert longest <= 24, "a run of equal pixels is a band"


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
