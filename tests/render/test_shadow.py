"""The shadow's place, softness, strength and colour, in the documented units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from service.arrays import F64
from service.devices.device import catalogue
from service.render.geometry.camera import stage
from service.render.geometry.raster import Box
from service.render.plates import shade
from service.render.plates.shadow import DEVICE, LIGHT, WINDOW, Lobe, cast
from service.settings.scene import ShadowSpec
from service.validation.color import BLACK, Color
from tests.render.posing import flat, picture, scene

WIDTH, HEIGHT = 640, 480
CANVAS_BOX = Box(0, 0, WIDTH, HEIGHT)
ROW = 330  # row of the canvas in which the phone has no button
CANVAS = {
    "canvas.width": WIDTH,
    "canvas.height": HEIGHT,
    "appearance.backgroundColor": "#FFFFFF",
    "deviceTransform.fieldOfView": 0,
    "deviceTransform.framing": "upright",
    "shadow.opacity": 1,
    "shadow.offsetY": 0,
}
BODY = catalogue()["iphone-16-pro"].body
EDGE = WIDTH / 2 + 0.78 * HEIGHT / BODY[1] * BODY[0] / 2  # the silhouette's right side


def shown(**shadow: Any) -> F64:
    given = CANVAS | {f"shadow.{name}": value for name, value in shadow.items()}
    return np.asarray(picture(flat((9, 9, 9)), given), np.float64)


def dark(pixels: F64, at: float) -> float:
    """How much the shadow darkens white, 0-1, at `at` px from the left."""
    x = at - 0.5
    left = math.floor(x)
    here, there = pixels[ROW - 8 : ROW + 8, left, 0].mean(), pixels[ROW - 8 : ROW + 8, left + 1, 0].mean()
    return float(1 - (here + (x - left) * (there - here)) / 255)


def tail(distance: float) -> float:
    return 0.5 * math.erfc(distance / math.sqrt(2))


@pytest.mark.parametrize("blur", [4, 10, 16])
def test_the_blur_is_a_gaussian_of_the_documented_sigma(blur: float) -> None:
    sigma = blur * 0.006 * HEIGHT
    pixels = shown(blur=blur)
    # Beyond one sigma, the tight lobe has ended, and only the wide one remains.
    strength = dark(pixels, EDGE + 1.2 * sigma) / tail(1.2)
    assert 0.6 < strength <= 1.0
    for distance in (1.2, 1.6, 2.0):
        found = dark(pixels, EDGE + distance * sigma)
        assert found == pytest.approx(strength * tail(distance), abs=0.008)


@pytest.mark.parametrize("blur", [5, 10, 20])
@pytest.mark.parametrize(
    ("of", "lobes"),
    [(DEVICE, [(0.7, 1.0, 1.0), (0.3, 0.35, 0.5)]), (WINDOW, [(0.6, 1.5, 1.0), (0.14, 0.25, 0.25)])],
)
def test_the_shadow_has_two_lobes(
    blur: float, of: Sequence[Lobe], lobes: list[tuple[float, float, float]]
) -> None:
    """Each lobe has a share of the strength, and a multiple of the sigma and of the offset."""
    sigma = blur * 0.006 * HEIGHT
    edge = np.array([[300, -2000], [2500, -2000], [2500, 2500], [300, 2500]], np.float32)
    fallen = cast([edge], CANVAS_BOX, ShadowSpec(0.8, sigma, BLACK, 60.0, 0.0), False, of)
    part = fallen.part(Box(0, ROW, WIDTH, 1))
    found = np.zeros(WIDTH)
    found[part.left : part.left + part.alpha.shape[1]] = part.alpha[0]
    x = np.arange(WIDTH) + 0.5
    for share, spread, reach in lobes:
        found = found - [0.8 * share * tail((300 + 60 * reach - at) / (sigma * spread)) for at in x]
    assert np.abs(found).max() < 0.007


@pytest.mark.parametrize(("device", "lobes"), [("card", WINDOW), ("iphone-16-pro", DEVICE)])
def test_windows_have_a_fainter_and_wider_shadow(device: str, lobes: Sequence[Lobe]) -> None:
    size = {"canvas.width": WIDTH, "canvas.height": HEIGHT}
    spec = scene({"ground.kind": "none"} | size | {"device": device}, (640, 400)).spec
    assert spec.shadow is not None
    seen = stage(spec)
    outlines = list(shade.silhouettes(spec, seen))
    found = shade.cast(spec, seen, outlines).part(CANVAS_BOX).alpha
    assert (found == cast(outlines, CANVAS_BOX, spec.shadow, False, lobes).part(CANVAS_BOX).alpha).all()


@pytest.mark.long(seconds=2)
def test_the_alpha_of_its_colour_weakens_the_shadow() -> None:
    square = [np.array([[100, 100], [400, 100], [400, 300], [100, 300]], np.float32)]
    whole, half = (
        cast(square, CANVAS_BOX, ShadowSpec(1.0, 10.0, Color(0, 0, 0, alpha), 0.0, 0.0), False, DEVICE).small
        for alpha in (255, 51)
    )
    assert half == pytest.approx(whole / 5, abs=1e-6)


@pytest.mark.parametrize("blur", [0.0, 2.0, 12.0, 40.0])
@pytest.mark.parametrize("fast", [False, True])
def test_bands_are_parts_of_one_shadow(blur: float, fast: bool) -> None:
    """The shadow can be painted in bands, each of which equals that part of the whole; beyond them there is
    no shadow."""
    square = [np.array([[250, 200], [300, 200], [300, 240], [250, 240]], np.float32)]
    fallen = cast(square, CANVAS_BOX, ShadowSpec(0.9, blur, BLACK, 20.0, -30.0), fast, DEVICE)
    found = np.zeros((HEIGHT, WIDTH))
    for y in range(0, HEIGHT, 50):
        band = Box(0, y, WIDTH, 50).clipped(CANVAS_BOX)
        alpha, left, top, color = fallen.part(band)
        assert color.tolist() == [0, 0, 0]
        found[y + top : y + top + len(alpha), left : left + alpha.shape[1]] = alpha
    assert found.sum() == pytest.approx(0.9 * 50 * 40, rel=0.01)
    y, x = np.indices(found.shape) + 0.5
    # One lobe is moved down and to the right by the offset, and the other by half the offset.
    assert (found * x).sum() / found.sum() == pytest.approx(275 + 20 * 0.85, abs=0.3)
    assert (found * y).sum() / found.sum() == pytest.approx(220 + 30 * 0.85, abs=0.3)


def test_empty_silhouettes_cast_no_shadow() -> None:
    away = np.array([[5000, 100], [5100, 100], [5100, 200]], np.float32)
    for outlines, opacity in (([], 1.0), ([away], 1.0), ([away - np.array([4900, 0], np.float32)], 0.0)):
        fallen = cast(outlines, CANVAS_BOX, ShadowSpec(opacity, 5.0, BLACK, 0.0, 0.0), False, DEVICE)
        assert fallen.part(CANVAS_BOX) is LIGHT


@pytest.mark.parametrize("offset", [-0.1, 0.05])
def test_offsets_are_short_sides_of_the_canvas(offset: float) -> None:
    still, moved = shown(blur=10), shown(blur=10, offsetX=offset)
    for distance in (60, 75):
        wanted = dark(still, EDGE + distance)
        assert dark(moved, EDGE + distance + offset * HEIGHT) == pytest.approx(wanted, abs=0.012)


def test_a_positive_offset_is_up() -> None:
    middle = slice(WIDTH // 2 - 20, WIDTH // 2 + 20)
    for offset, darker in ((0.1, 0), (-0.1, -1)):
        pixels = shown(blur=6, offsetY=offset)
        above, below = pixels[20:45, middle].mean(), pixels[-45:-20, middle].mean()
        assert (above, below)[darker] < (above, below)[~darker] - 10


def test_the_opacity_scales_the_shadow() -> None:
    full, part = shown(blur=10), shown(blur=10, opacity=0.3)
    assert dark(part, EDGE + 12) == pytest.approx(0.3 * dark(full, EDGE + 12), abs=0.008)


def test_a_disabled_shadow_is_absent() -> None:
    nothing = shown(enabled=False)
    assert (shown(opacity=0) == nothing).all()
    assert (nothing[:, :40] == 255).all()
    assert (nothing[:, int(EDGE) + 4 :] == 255).all()


def test_the_shadow_has_its_colour() -> None:
    red, green, blue = shown(blur=10, color="#FF0000")[ROW, int(EDGE) + 12]
    assert red == 255
    assert green == blue < 200


def test_without_blur_the_shadow_is_sharp_and_full() -> None:
    pixels = shown(blur=0, offsetX=0.1)
    assert dark(pixels, EDGE + 0.1 * HEIGHT - 4) > 0.6
    assert dark(pixels, EDGE + 0.1 * HEIGHT + 4) < 0.01


def test_on_a_transparent_background_the_shadow_is_alpha() -> None:
    given = CANVAS | {"appearance.backgroundColor": "transparent", "shadow.blur": 10, "shadow.opacity": 0.6}
    pixels = picture(flat((9, 9, 9)), given)
    at = pixels[ROW, int(EDGE) + 12]
    assert at[3] / 255 == pytest.approx(0.6 * dark(shown(blur=10), EDGE + 12.5), abs=0.02)
    assert (at[:3] == 0).all()


def test_the_shadow_reaches_the_canvas_border_without_a_step() -> None:
    pixels = shown(blur=20, offsetX=0.5)[..., 0]
    assert pixels[:, -1].min() < 230
    assert np.abs(np.diff(pixels[:, -30:], axis=1)).max() < 8
