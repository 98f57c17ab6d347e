"""Windows and cards around screenshots of any shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import U8
from service.devices.device import catalogue
from service.devices.families.look import LOOKS
from tests.render.posing import PLAIN, built, flat, picture, scene
from tests.support.devices import few

FITTED = [device.id for device in catalogue().values() if device.fitted]
GIVEN = PLAIN | {"canvas.width": 640, "canvas.height": 480, "deviceTransform.fieldOfView": 0}
RED, GREEN, BLUE, GREY = (210, 30, 30), (30, 180, 60), (30, 60, 220), (120, 120, 120)


def marked(width: int, height: int) -> U8:
    """A grey page with a coloured edge on each side: red, green, blue and black from the top clockwise."""
    page = np.full((height, width, 3), GREY, np.uint8)
    wide = max(min(width, height) // 12, 1)
    page[:, :wide], page[:, -wide:] = (0, 0, 0), GREEN
    page[-wide:, wide:-wide], page[:wide, wide:-wide] = BLUE, RED
    return page


def shown(pixels: U8, given: dict[str, Any]) -> tuple[U8, U8]:
    """The whole picture, and its part with the screen."""
    whole = picture(pixels, GIVEN | given)
    hole = built(scene(GIVEN | given, (pixels.shape[1], pixels.shape[0])).spec).screens[0]
    assert hole is not None
    return whole, whole[hole.box.slices]


def near(pixel: U8, color: tuple[int, int, int]) -> bool:
    return bool(np.abs(pixel.astype(int) - color).max() < 25)


@pytest.mark.parametrize("identifier", few(FITTED))
@pytest.mark.parametrize("size", [(390, 844), (1440, 900), (900, 900), (2560, 600)])
def test_all_four_edges_are_seen(identifier: str, size: tuple[int, int]) -> None:
    _, part = shown(marked(*size), {"device": identifier})
    height, width, _ = part.shape
    assert width / height == pytest.approx(size[0] / size[1], rel=0.03)
    assert near(part[2, width // 2], RED)
    assert near(part[height // 2, -3], GREEN)
    assert near(part[-3, width // 2], BLUE)
    assert near(part[height // 2, 2], (0, 0, 0))
    assert near(part[height // 2, width // 2], GREY)


@pytest.mark.parametrize("identifier", ["card", "browser-chrome", "window-windows"])
@pytest.mark.parametrize("size", [(1, 1), (10000, 3), (3, 10000), (4000, 1), (1, 4000), (2560, 300)])
@pytest.mark.parametrize("turned", [0, 50])
def test_odd_shapes_are_drawn(identifier: str, size: tuple[int, int], turned: float) -> None:
    given = {
        "device": identifier,
        "deviceTransform.rotationY": turned,
        "deviceTransform.rotationX": turned / 2,
    }
    page = np.full((size[1], size[0], 3), RED, np.uint8)
    whole = picture(page, GIVEN | given)
    assert (whole != np.array([242, 243, 245])).any()
    if size == (1, 1):
        assert near(whole[240, 320], RED)


@pytest.mark.parametrize("angles", [(20, 60, -10), (25, -30, 12)])
def test_light_bars_end_without_a_dark_line(angles: tuple[float, ...]) -> None:
    """Pixels that bars cover in part are no darker than a mix of border and background."""
    turned = {f"deviceTransform.rotation{axis}": angle for axis, angle in zip("XYZ", angles, strict=True)}
    whole = picture(flat((240, 240, 240), (960, 600)), GIVEN | turned | {"device": "window-macos"})
    darkest = 255
    for x in range(200, 440):
        column = whole[:, x]
        top = int((column != column[0]).any(axis=-1).argmax())
        assert top
        darkest = min(darkest, int(column[top : top + 3].min()))
    # The border has code value 205.
    assert darkest >= 203


@pytest.mark.parametrize("identifier", [one for one in FITTED if one != "card"])
def test_bars_are_above_the_screen_and_in_their_theme(identifier: str) -> None:
    fitted = catalogue()[identifier].fitted
    assert fitted is not None
    page = flat(BLUE, (960, 600))
    screens = []
    for theme in fitted.themes:
        given = {"device": identifier, "appearance.theme": theme, "appearance.backgroundColor": "#FF00FF"}
        whole, part = shown(page, given)
        bar = LOOKS[fitted.design].colors[theme]["bar"]
        color = tuple(int(bar[at : at + 2], 16) for at in (1, 3, 5))
        barred, blue = ((np.abs(whole.astype(int) - of).max(axis=2) < 3).nonzero()[0] for of in (color, BLUE))
        # A few pixels of the hairline at the lower corners may have the colour of the bar.
        assert (barred < blue.min()).sum() > 1000
        assert (barred >= blue.min()).sum() < 10
        screens.append(part)
    if len(screens) > 1:
        # The whole screen except its edges, which share pixels with the bars and the hairline.
        assert np.array_equal(screens[0][4:-16, 4:-4], screens[1][4:-16, 4:-4])


def test_a_card_has_round_corners_and_a_hairline() -> None:
    page = flat((255, 255, 255), (900, 600))
    large = {"canvas.width": 1280, "canvas.height": 960, "appearance.backgroundColor": "#FFFFFF"}
    whole, part = shown(page, {"device": "card"} | large)
    assert (part[0, 0] == 255).all()
    line = whole[480, :, 0].astype(int)
    edges = np.flatnonzero(line < 250)
    assert len(edges) <= 6
    assert line[edges].min() < 235
    assert (whole[480, 640] == 255).all()


@pytest.mark.parametrize("angle", [70, 110, 180, -120])
def test_a_window_has_a_thin_side_and_a_plain_back(angle: float) -> None:
    page = flat(BLUE, (960, 600))
    whole = picture(page, GIVEN | {"device": "window-macos", "deviceTransform.rotationY": angle})
    seen = (np.abs(whole.astype(int) - BLUE).max(axis=2) < 40).sum()
    assert (seen > 500) == (abs(angle) < 90)
    if angle == 180:
        middle = whole[200:280, 200:440].reshape(-1, 3)
        assert len(np.unique(middle, axis=0)) == 1


@pytest.mark.parametrize("identifier", ["browser-safari", "card", "terminal"])
def test_previews_of_windows_look_alike(identifier: str) -> None:
    given = GIVEN | {"device": identifier, "deviceTransform.rotationY": 20}
    slow, quick = (picture(marked(960, 600), given, fast=fast).astype(int) for fast in (False, True))
    assert np.abs(slow - quick).mean() < 1.5


def test_lettering_is_sharp_however_large_the_picture() -> None:
    given = {"device": "window-macos", "screen.title": "H" * 12, "appearance.theme": "light"}
    page = flat((255, 255, 255), (960, 600))
    contrast = []
    for scale in (1, 3):
        whole, _ = shown(page, given | {"canvas.width": 800, "export.scale": scale})
        bar = whole[: len(whole) // 5].astype(int)
        contrast.append(int(bar[..., 1].min()))
    assert contrast[1] <= 80
