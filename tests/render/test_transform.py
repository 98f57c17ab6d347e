"""The device's scale, position and rotation, measured on its silhouette."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F64
from service.devices.device import catalogue
from tests.render.posing import DEVICES, PLAIN, flat, picture

CANVAS = {
    "canvas.width": 640,
    "canvas.height": 480,
    "appearance.backgroundColor": "transparent",
    "shadow.enabled": False,
}


def cover(**transform: float) -> F64:
    """The default device's alpha (480, 640) in 0-1."""
    return silhouette({f"deviceTransform.{name}": value for name, value in transform.items()})


def silhouette(given: dict[str, Any], size: tuple[int, int] = (90, 195)) -> F64:
    return np.asarray(picture(flat((9, 9, 9), size), CANVAS | given)[..., 3] / 255, np.float64)


def extent(alpha: F64) -> tuple[float, float, float, float]:
    """The left, right, top and bottom of a silhouette in px, at the middle of each side, where it is
    straight."""
    across, down = alpha[230:250].mean(axis=0), alpha[:, 310:330].mean(axis=1)
    left, top = float(np.argmax(across > 0.5)), float(np.argmax(down > 0.5))
    return left, left + across.sum(), top, top + down.sum()


@pytest.mark.parametrize("device", sorted({*DEVICES} - {"macbook-pro-14"}))
@pytest.mark.parametrize("canvas", [(640, 480), (300, 480)])
def test_at_scale_one_the_device_spans_78_percent(device: str, canvas: tuple[int, int]) -> None:
    given = {"device": device, "deviceTransform.fieldOfView": 0}
    given |= {"canvas.width": canvas[0], "canvas.height": canvas[1]}
    width, height, _ = catalogue()[device].body
    shot = (90, 195) if height > width else (195, 90)
    alpha = silhouette(given, shot)
    # The sides are measured above or below their middle, where there is neither a button nor a stand.
    spans = [(alpha[:, int(canvas[0] * 0.46)].sum()) / canvas[1], alpha.sum(axis=1).max() / canvas[0]]
    unit = min(0.78 * canvas[1] / height, 0.78 * canvas[0] / width)
    # Buttons protrude by up to half a millimetre each.
    assert spans[0] * canvas[1] == pytest.approx(unit * height, abs=1.2 + 0.6 * unit)
    assert spans[1] * canvas[0] == pytest.approx(unit * width, abs=1.2 + 1.2 * unit)
    assert max(spans) == pytest.approx(0.78, abs=0.012)


def test_scale_multiplies() -> None:
    whole, half = cover(fieldOfView=0).sum(), cover(fieldOfView=0, scale=0.5).sum()
    assert half == pytest.approx(whole / 4, rel=0.01)


def test_scale_does_not_change_the_perspective() -> None:
    near, far = cover(rotationY=50), cover(rotationY=50, scale=0.5)
    heights = [
        [float(alpha[:, column].sum()) for column in columns]
        for alpha, columns in ((near, (270, 370)), (far, (295, 345)))
    ]
    assert heights[0][0] / heights[0][1] == pytest.approx(heights[1][0] / heights[1][1], rel=0.01)


def test_positions_are_half_canvases_right_and_up() -> None:
    moved = np.roll(cover(scale=0.6, positionX=0.25, positionY=0.1), (24, -80), (0, 1))
    assert extent(moved) == pytest.approx(extent(cover(scale=0.6)), abs=0.1)
    # Positions shift the picture; they do not change its perspective.
    turned = cover(scale=0.6, rotationY=40)
    back = np.roll(cover(scale=0.6, rotationY=40, positionX=-0.25), 80, 1)
    assert np.abs(back - turned).max() < 0.1


def test_the_turn_about_z_is_counter_clockwise() -> None:
    alpha = cover(rotationZ=30)
    rows, columns = np.nonzero(alpha > 0.5)
    tilt = np.linalg.eigh(np.cov(np.array([columns, -rows])))[1][:, 1]
    assert np.degrees(np.arctan2(tilt[1], tilt[0])) % 180 == pytest.approx(120, abs=0.3)


def test_positive_turns_bring_the_top_and_the_left_nearer() -> None:
    widths = cover(rotationX=40).sum(axis=1)
    rows = np.flatnonzero(widths > 20)
    assert widths[rows[0] + 30] > 1.05 * widths[rows[-1] - 30]
    heights = cover(rotationY=40).sum(axis=0)
    columns = np.flatnonzero(heights > 20)
    assert heights[columns[0] + 20] > 1.02 * heights[columns[-1] - 20]


def test_a_field_of_view_of_0_has_no_perspective() -> None:
    alpha = cover(rotationX=40, fieldOfView=0)
    inner = alpha[:, 240:400]  # without the buttons
    assert np.abs(inner - inner[::-1]).max() < 0.35


def test_the_top_is_at_the_left_or_at_the_right() -> None:
    given = {"device": "iphone-16-pro", "canvas.width": 640, "canvas.height": 480} | PLAIN
    white = flat((255, 255, 255), (195, 90))
    left, right = (
        picture(white, given | {"orientation": one}).astype(int) for one in ("landscape", "landscape-right")
    )
    # The device with its cut-out is turned by 180 degrees; the screenshot is not.
    assert np.abs(left[::-1, ::-1] - right).mean() < 0.5
    half = np.zeros_like(white)
    half[:, :97] = (200, 30, 30)
    for one in ("landscape", "landscape-right"):
        shown = picture(half, given | {"orientation": one})
        assert (shown[240, 200:300, :3] == (200, 30, 30)).all(axis=-1).mean() > 0.9, one
        assert shown[240, 340:440, :3].max() < 20, one


def test_landscape_turns_the_device() -> None:
    tall, wide = silhouette({}), silhouette({}, (195, 90))
    assert extent(tall)[3] - extent(tall)[2] > 1.8 * (extent(tall)[1] - extent(tall)[0])
    assert extent(wide)[1] - extent(wide)[0] > 1.8 * (extent(wide)[3] - extent(wide)[2])
    forced = silhouette({"orientation": "landscape"})
    assert (forced == wide).all()
