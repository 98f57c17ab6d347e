"""The fit of a screenshot to the screen: cover, contain, stretch, anchors, background."""

from __future__ import annotations

from typing import Any, Literal

import cv2
import numpy as np
import pytest

from service.arrays import U8
from service.render.compose import shot
from service.render.paint.screens import ScreenPlane
from service.settings.scene import Fit
from tests.render.posing import PLAIN, built, picture, scene

CANVAS = PLAIN | {"canvas.width": 480, "canvas.height": 360, "deviceTransform.fieldOfView": 0}
RED, GREEN, BLUE = (200, 20, 20), (20, 180, 20), (20, 20, 220)


def bands(width: int, height: int, *, upright: bool = True) -> U8:
    """Red, green and blue thirds, from top to bottom or from left to right."""
    shades = np.array([RED, GREEN, BLUE], np.uint8)
    if upright:
        return np.ascontiguousarray(np.repeat(shades, height // 3, axis=0)[:, None].repeat(width, axis=1))
    return np.ascontiguousarray(np.repeat(shades, width // 3, axis=0)[None].repeat(height, axis=0))


def column(pixels: U8, given: dict[str, Any], *, across: bool = False) -> U8:
    """The screen's middle column (or row) as shown, without its rounded ends."""
    given = CANVAS | {"device": "ipad-pro-11-m4", "orientation": "portrait"} | given
    hole = built(scene(given, (pixels.shape[1], pixels.shape[0])).spec).screens[0]
    assert hole is not None
    screen = picture(pixels, given)[hole.box.slices]
    return screen[len(screen) // 2, 4:-4] if across else screen[4:-4, screen.shape[1] // 2]


def has(line: U8, color: tuple[int, int, int]) -> bool:
    return bool((np.abs(line.astype(int) - color).max(axis=1) < 12).any())


def near(pixel: Any, color: tuple[int, int, int]) -> bool:
    return bool(np.abs(np.asarray(pixel, int) - color).max() < 12)


@pytest.mark.parametrize(
    ("anchor", "first", "last"),
    [(None, RED, GREEN), ("top", RED, GREEN), ("center", RED, BLUE), ("bottom", GREEN, BLUE)],
)
def test_cover_crops_a_taller_screenshot(anchor: str | None, first: Any, last: Any) -> None:
    # The screen shows half of a screenshot twice as tall as itself.
    line = column(bands(834, 2418), {"screen.anchor": anchor})
    assert near(line[2], first)
    assert near(line[-2], last)
    assert has(line, GREEN)


def test_cover_crops_both_sides_of_a_wider_screenshot() -> None:
    line = column(bands(3000, 1000, upright=False), {}, across=True)
    assert near(line[0], GREEN)
    assert near(line[-1], GREEN)


def test_contain_shows_everything_and_bars() -> None:
    line = column(bands(834, 2418), {"screen.fit": "contain", "screen.background": "#405060"}, across=True)
    assert near(line[0], (0x40, 0x50, 0x60))
    assert near(line[-1], (0x40, 0x50, 0x60))
    assert near(line[len(line) // 2], GREEN)
    upright = column(bands(834, 2418), {"screen.fit": "contain"})
    assert near(upright[2], RED)
    assert near(upright[-2], BLUE)
    share = (np.abs(line.astype(int) - GREEN).max(axis=1) < 60).mean()
    assert share == pytest.approx((834 / 2418) / (160.13 / 232.32), abs=0.03)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("turned", [0, 35])
@pytest.mark.parametrize("size", [(6, 4), (60, 40), (3000, 2000)])
def test_contain_keeps_its_edge_crisp(size: tuple[int, int], turned: int, fast: bool) -> None:
    """The edge is one mixed pixel wide, even if a screenshot of few pixels is enlarged."""
    given = CANVAS | {"device": "ipad-pro-11-m4", "screen.fit": "contain", "screen.background": "#FFFFFF"}
    given |= {"orientation": "portrait", "deviceTransform.rotationY": turned, "canvas.height": 720}
    page = np.full((size[1], size[0], 3), RED, np.uint8)
    hole = built(scene(given, size, fast=fast).spec).screens[0]
    assert hole is not None
    screen = picture(page, given, fast=fast)[hole.box.slices].astype(int)
    for x in (screen.shape[1] // 3, screen.shape[1] // 2):
        green = screen[8:-8, x, 1]
        between = ((green > RED[1] + 3) & (green < 252)).sum()
        assert between <= 2, green
        assert ((green <= RED[1] + 3).sum() + between) / len(screen) == pytest.approx(0.46, abs=0.02)
    # At the sides, the picture meets the screen's edge without any bar between them.
    assert screen[len(screen) // 2, :, 1].max(where=hole.gain[len(screen) // 2] > 60000, initial=0) < 60


@pytest.mark.parametrize(("anchor", "place"), [("top", 0), (None, 0.5), ("center", 0.5), ("bottom", 1)])
def test_contain_stands_at_its_anchor(anchor: str | None, place: float) -> None:
    line = column(bands(1200, 600), {"screen.fit": "contain", "screen.anchor": anchor})
    lit = np.flatnonzero(line.max(axis=1) > 100)
    assert lit.mean() / len(line) == pytest.approx(0.5 + (place - 0.5) * (1 - len(lit) / len(line)), abs=0.02)


def test_stretch_shows_everything_without_bars() -> None:
    line = column(bands(834, 2418), {"screen.fit": "stretch"})
    assert near(line[2], RED)
    assert near(line[-2], BLUE)
    sides = column(bands(834, 2418), {"screen.fit": "stretch"}, across=True)
    assert near(sides[0], GREEN)
    assert near(sides[-1], GREEN)


def test_a_transparent_screenshot_shows_the_background() -> None:
    clear = np.zeros((300, 210, 4), np.uint8)
    clear[:150] = (*RED, 255)
    line = column(clear, {"screen.background": "#00FF80"})
    assert near(line[5], RED)
    assert near(line[-5], (0, 255, 128))
    half = np.full((300, 210, 4), (200, 100, 0, 128), np.uint8)
    assert near(column(half, {"screen.background": "#000000"})[60], (100, 50, 0))


@pytest.mark.parametrize("fast", [False, True])
def test_a_translucent_screenshot_is_laid_on_its_colour(fast: bool) -> None:
    random = np.random.default_rng(2)
    noise = random.integers(0, 256, (905, 641, 4), np.uint8)
    pixels = np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), np.uint8)
    pixels[..., 3] = np.clip(4 * (pixels[..., 3].astype(int) - 96), 0, 255)
    alpha = pixels[..., 3:] / 255
    flat = np.round(pixels[..., :3] * alpha + np.array((250, 120, 30)) * (1 - alpha)).astype(np.uint8)
    given = CANVAS | {"deviceTransform.rotationY": 20, "screen.background": "#FA781E"}
    shown, expected = (picture(one, given, fast=fast).astype(int) for one in (pixels, flat))
    assert np.abs(shown - expected).max() <= 3
    assert np.abs(shown - expected).mean() < 0.1


def test_a_tiny_difference_in_shape_causes_no_crop_or_bars() -> None:
    for fit in ("cover", "contain"):
        placed = shot.place((1206, 2622), (66.57, 144.73), Fit(fit=fit))
        assert shot.margins(placed.crop) == (0, 0, 0, 0)
        assert not placed.letterboxed


@pytest.mark.parametrize("anchor", ["top", "center", "bottom"])
@pytest.mark.parametrize("size", [(100, 400), (400, 100)])
def test_crops_stay_inside_the_screenshot(
    anchor: Literal["top", "center", "bottom"], size: tuple[int, int]
) -> None:
    placed = shot.place(size, (1.0, 2.0), Fit("cover", anchor))
    left, top, width, height = placed.crop
    assert placed.onto == (0, 0, 1, 1)
    assert (size[0] * width) / (size[1] * height) == pytest.approx(0.5)
    if size[0] > size[1]:
        assert (left, top, height) == pytest.approx(((1 - width) / 2, 0, 1))
    else:
        share = {"top": 0, "center": 0.5, "bottom": 1}[anchor]
        assert (left, width, top) == pytest.approx((0, 1, (1 - height) * share))


def test_the_size_of_a_screenshot_on_the_canvas() -> None:
    """Seen straight on, a screen of 60 x 130 mm at 4 px/mm takes 240 x 520 px, and a part of it takes its
    share."""
    straight = np.array([[4.0, 0, 300], [0, -4.0, 200], [0, 0, 1]])
    whole, half = (0.0, 0.0, 1.0, 1.0), (0.0, 0.25, 1.0, 0.5)
    plane = ScreenPlane(straight, (60.0, 130.0))
    assert shot.demand([shot.ShotPlacement(whole, whole)], [plane]) == (240, 520)
    assert shot.demand([shot.ShotPlacement(half, whole)], [plane]) == (240, 1040)
    assert shot.demand([shot.ShotPlacement(whole, half)], [plane]) == (240, 260)
    # If several screens show a screenshot, the largest one counts.
    placed, small = shot.ShotPlacement(whole, whole), ScreenPlane(straight, (20.0, 200.0))
    assert shot.demand([placed, placed], [plane, small]) == (240, 800)
    # In perspective, the part that is shown largest counts: the left side is twice as near as the middle.
    slanted = straight.copy()
    slanted[2] = [1 / 60, 0, 1]
    across, down = shot.demand([shot.ShotPlacement(whole, whole)], [ScreenPlane(slanted, plane.size)])
    assert down == pytest.approx(1040, abs=2)
    assert across > 240


@pytest.mark.parametrize("anchor", ["top", "center", "bottom"])
@pytest.mark.parametrize("size", [(100, 400), (400, 100)])
def test_contained_screenshots_stay_inside_the_screen(
    anchor: Literal["top", "center", "bottom"], size: tuple[int, int]
) -> None:
    placed = shot.place(size, (1.0, 2.0), Fit("contain", anchor))
    left, top, width, height = placed.onto
    assert placed.crop == (0, 0, 1, 1)
    assert (1.0 * width) / (2.0 * height) == pytest.approx(size[0] / size[1])
    if size[0] > size[1]:
        share = {"top": 0, "center": 0.5, "bottom": 1}[anchor]
        assert (left, width, top) == pytest.approx((0, 1, (1 - height) * share))
    else:
        assert (top, height, left) == pytest.approx((0, 1, (1 - width) / 2))


def test_the_margins_around_a_part() -> None:
    assert shot.margins((0.1, 0.2, 0.3, 0.6)) == pytest.approx((0.1, 0.2, 0.6, 0.2))
