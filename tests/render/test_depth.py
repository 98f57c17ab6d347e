"""Depth of field: the plane of focus is sharp, and blur grows with the distance from it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from service.arrays import F32, U8
from service.clock import Clock
from service.render.compose.exposure import bands
from service.render.effects.depth import blurred, sigmas, spread
from service.render.geometry.raster import Box
from service.render.plates.depth import DepthMap
from service.settings.effects import Depth
from tests.render.posing import built, picture, scene, warped

CANVAS = {"canvas.width": 480, "canvas.height": 360, "deviceTransform.rotationY": -50}
LENS = "postProcessing.depth"


def checks(width: int = 90, height: int = 195) -> U8:
    y, x = np.mgrid[:height, :width]
    return np.repeat(np.where((x // 3 + y // 3) % 2, 250, 20)[..., None], 3, axis=2).astype(np.uint8)


def shown(extra: dict[str, Any], **asked: Any) -> U8:
    return picture(checks(), CANVAS | extra, **asked)


def contrast(pixels: U8, columns: slice) -> float:
    grey = pixels[120:240, columns, :3].mean(axis=2)
    return float(np.abs(np.diff(grey, axis=0)).mean())


def columns() -> tuple[slice, slice, slice]:
    """The nearest, middle and farthest columns of the screen. The device is turned to the left, so its right
    side is nearer."""
    hole = built(scene(CANVAS, (90, 195)).spec).screens[0]
    assert hole is not None
    left, right, middle = hole.box.x + 8, hole.box.x + hole.box.width - 8, hole.box.x + hole.box.width // 2
    ends = slice(left, left + 12), slice(right - 12, right)
    seen = built(scene(CANVAS | {LENS: True}, (90, 195)).spec).depth
    assert seen is not None
    row = seen.away[180 - seen.box.y]
    near = row[left - seen.box.x] < row[right - seen.box.x]
    return (ends[0] if near else ends[1]), slice(middle - 6, middle + 6), (ends[1] if near else ends[0])


@pytest.mark.parametrize(("focus", "sharp"), [(-1, 0), (0, 1), (1, 2)])
def test_the_focus_determines_the_sharp_plane(focus: float, sharp: int) -> None:
    plain, soft = shown({}), shown({LENS: {"amount": 1, "focus": focus}})
    kept = [contrast(soft, at) / contrast(plain, at) for at in columns()]
    assert kept[sharp] > 0.5
    assert max(of for at, of in enumerate(kept) if at != sharp) < 0.35


def test_a_larger_amount_is_softer_and_0_changes_nothing() -> None:
    near = columns()[0]
    found = [contrast(shown({LENS: {"amount": amount}}), near) for amount in (0.0, 0.3, 1.0)]
    assert found[0] > found[1] > found[2]
    assert (shown({LENS: {"amount": 0}}) == shown({})).all()
    assert (shown({LENS: False}) == shown({})).all()


def test_bands_leave_no_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {LENS: {"amount": 1, "focus": -1}}
    whole = shown(given).astype(int)
    monkeypatch.setattr("service.render.compose.exposure.EFFECTS_BAND_BYTES", 40 * 480 * 3)
    # Dither changes each value by up to a code value.
    assert np.abs(shown(given).astype(int) - whole).max() <= 1


@pytest.mark.parametrize("background", ["#f0f0f0", "transparent"])
def test_the_silhouette_is_as_soft_on_both_sides(background: str) -> None:
    extra = {
        "appearance.backgroundColor": background,
        "shadow.enabled": False,
        LENS: {"amount": 1, "focus": -1},
    }
    far = columns()[2]
    pixels = shown(extra)[180].astype(float)
    line = pixels[:, 3] if background == "transparent" else pixels[:, 0]
    edge = line[: far.start] if far.start < 240 else line[far.stop :][::-1]
    steps = np.abs(np.diff(edge))
    assert steps.max() < 0.45 * np.ptp(edge)


def test_layers_in_front_of_the_devices_stay_sharp() -> None:
    class Ink:
        """Ink, as captions composite it over a picture."""

        def lay(self, band: U8, rows: slice) -> U8:
            marked = band.copy()
            marked[:, ::2] = (1, 2, 3)
            return marked

    of = scene(CANVAS | {LENS: {"amount": 1, "focus": -1}}, (90, 195))
    plate = built(of.spec)
    shots = warped(plate, checks(), of)
    made = np.concatenate(list(bands(plate, shots, of.effects, Clock(), before=Ink())))
    assert (made[:, ::2] == (1, 2, 3)).all()


def test_previews_have_depth_of_field() -> None:
    soft = shown({LENS: {"amount": 1, "focus": -1}}, fast=True)
    assert np.abs(soft.astype(int) - shown({}, fast=True)).max() > 30


def test_sharp_things_do_not_bleed_into_soft_ones() -> None:
    light, sigma = np.zeros((80, 80, 3), np.float32), np.zeros((80, 80), np.float32)
    light[:, :40], sigma[:, 40:] = 1, 4
    made = blurred(light, sigma, 4)
    assert made[:, :40] == pytest.approx(1)
    assert made[:, 40:].max() < 0.02


def test_an_even_blur_is_a_gaussian() -> None:
    light: F32 = np.random.default_rng(4).random((128, 128, 3), np.float32)
    made = blurred(light, np.full((128, 128), 2.4, np.float32), 2.4)
    want = cv2.GaussianBlur(light, (0, 0), 2.4)
    assert np.abs(made - want)[16:-16, 16:-16].max() < 0.02


def test_sigmas_grow_with_the_distance_up_to_a_limit() -> None:
    away = np.array([[-50, 0, 25, np.inf]], np.float16)
    found = sigmas(Depth(amount=1), DepthMap(Box(0, 0, 4, 1), away, 0.0, 2.0), 1000)
    assert found[0, :3] == pytest.approx([3.5, 0, 1.75])
    assert np.isnan(found[0, 3])
    assert np.nanmax(sigmas(Depth(amount=1), DepthMap(Box(0, 0, 4, 1), away, 0.0, 99.0), 1000)) == 20


def test_the_canvas_is_soft_where_a_blurred_edge_reaches() -> None:
    sigma = np.full((40, 40), np.nan, np.float32)
    sigma[10:30, 10:30] = 8
    wide, box = spread(sigma, Box(100, 100, 40, 40), (400, 300))
    assert box == Box(76, 76, 88, 88)
    row = wide[44]
    assert row[44] == 8
    assert row[30] == pytest.approx(8, abs=0.2)
    assert row[1] < 3


def test_a_picture_without_visible_devices_stays_sharp() -> None:
    seen = DepthMap(Box(0, 0, 4, 1), np.full((1, 4), np.inf, np.float16), 0.0, 1.0)
    assert np.isnan(sigmas(Depth(), seen, 100)).all()
