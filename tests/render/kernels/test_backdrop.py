"""Gradients and shadows, rounded to code values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from service.arrays import F32, U8
from service.render.kernels import backdrop
from tests.render.kernels import plain

HEIGHT, WIDTH = 11, 14
COLORS = np.array([[20, 250, 90, 255], [200, -240, 0, 0]], np.float32)
NOBODY = np.zeros((0, 0), np.float32)
RED = np.array([200, 40, 0], np.float32)
Y = 5


def pattern(channels: int) -> F32:
    """Noise that repeats within the canvas."""
    return (0.002 + 0.996 * np.random.default_rng(4).random((4, 6, channels))).astype(np.float32)


def repeated(channels: int, top: int = 0, left: int = 0) -> F32:
    return np.tile(pattern(channels), (9, 9, 1))[Y + top : Y + top + HEIGHT, left : left + WIDTH]


def shaded(seed: int, height: int = 6, width: int = 8) -> F32:
    return np.random.default_rng(seed).uniform(0.01, 1, (height, width)).astype(np.float32)


def places() -> tuple[F32, F32]:
    across, down = np.linspace(-0.3, 0.3, WIDTH), np.linspace(-0.15, 0.15, HEIGHT)
    return across.astype(np.float32), down.astype(np.float32)


def ground(seed: int) -> U8:
    canvas = np.random.default_rng(seed).integers(0, 256, (HEIGHT, WIDTH, 4), np.uint8)
    canvas[::2, :, 3] = 255
    return canvas


@pytest.mark.parametrize("change", [0, -120])
@pytest.mark.parametrize("reach", [0.0, 2.0])
@pytest.mark.parametrize("at", [None, (0, 0), (2, 3), (WIDTH - 8, HEIGHT - 6)])
def test_gradients_are_those_of_whole_arrays(change: float, reach: float, at: tuple[int, int] | None) -> None:
    colors = COLORS.copy()
    colors[1, 3] = change
    across, down = (way**2 if reach else way for way in places())
    shade, whole = (NOBODY if at is None else shaded(1)), np.zeros((HEIGHT, WIDTH), np.float32)
    left, top = at or (0, 0)
    if change:
        shade = NOBODY
    whole[top : top + shade.shape[0], left : left + shade.shape[1]] = shade
    canvas = ground(1)
    backdrop.gradient(canvas, (across, down, reach), colors, (pattern(4), Y, 1.4), (shade, left, top, RED))
    place = across[None] + down[:, None]
    place = np.sqrt(place) / np.float32(reach) if reach else place + np.float32(0.5)
    want = plain.gradient(place, colors, repeated(4), 1.4, whole, RED)
    if not change:
        want[..., 3] = 255
    assert np.abs(np.clip(want, 0, 255) - canvas).max() <= 0.5001


def test_whole_numbers_stay_however_wide_the_noise() -> None:
    flat = np.array([[0, 7, 255, 99], [0, 0, 0, 0]], np.float32)
    canvas = ground(2)
    backdrop.gradient(canvas, (*places(), 0.0), flat, (pattern(4), 0, 1.0), (NOBODY, 0, 0, RED))
    assert (canvas == (0, 7, 255, 99)).all()


def test_steps_are_the_nearest_colour_and_end_at_the_last() -> None:
    colors = np.arange(20, dtype=np.uint8).reshape(5, 4)
    across = np.array([-9, -0.5, -0.38, -0.37, 0.0, 0.37, 0.38, 0.5, 9, np.nan], np.float32)
    canvas = np.zeros((1, 10, 4), np.uint8)
    backdrop.steps(canvas, across, np.zeros(1, np.float32), 0.0, colors)
    assert (canvas[0, :, 0] // 4).tolist() == [0, 0, 0, 1, 2, 3, 4, 4, 4, 0]
    assert (canvas[0] == colors[canvas[0, :, 0] // 4]).all()


@pytest.mark.parametrize(("left", "top"), [(0, 0), (3, 2), (WIDTH - 8, HEIGHT - 6)])
def test_shadows_are_mixed_as_in_whole_arrays(left: int, top: int) -> None:
    canvas, shade = ground(3), shaded(5)
    at = slice(top, top + 6), slice(left, left + 8)
    want = canvas.astype(np.float64)
    want[at] = plain.mixed(canvas[at], shade, RED, repeated(3, top, left)[:6, :8])
    backdrop.mix(canvas, (shade, left, top, RED), pattern(3), Y, 1 / 1024)
    off = want - canvas
    # Rounded down, of values that floats of 32 bits may put on the other side of a whole number.
    assert off.min() > -1e-4
    assert off[want < 255].max() < 1 + 1e-4


def test_beyond_what_is_dark_nothing_changes() -> None:
    canvas, before = ground(4), ground(4)
    shade = np.full((HEIGHT, WIDTH), 1 / 1024, np.float32)
    backdrop.mix(canvas, (shade, 0, 0, RED), pattern(3), Y, 1 / 1024)
    np.testing.assert_array_equal(canvas, before)
    shade[3, 4] = shade[7, 9] = 1
    backdrop.mix(canvas, (shade, 0, 0, RED), pattern(3), Y, 1 / 1024)
    changed = (canvas != before).any(axis=2)
    changed[3:8, 4:10] = False
    assert not changed.any()
    assert canvas[3, 4].tolist() == canvas[7, 9].tolist() == [200, 40, 0, 255]


def test_on_what_is_transparent_a_shadow_has_its_own_colour() -> None:
    canvas = np.zeros((1, 2, 4), np.uint8)
    half = np.array([[0.5, 1]], np.float32)
    backdrop.mix(canvas, (half, 0, 0, RED), np.full((1, 1, 3), 0.499, np.float32), 0, 0)
    assert canvas.tolist() == [[[200, 40, 0, 127], [200, 40, 0, 255]]]


def test_darkening_goes_in_whole_steps() -> None:
    canvas, shade = ground(6), shaded(7, HEIGHT, WIDTH)
    steps = np.round(shade * np.float32(255))[..., None].astype(np.float64)
    want = np.round(canvas[..., :3] * (255 - steps) / 255) + np.round(RED * steps / 255)
    alpha = canvas[..., 3].copy()
    backdrop.darken(canvas, (shade, 0, 0, RED))
    np.testing.assert_array_equal(canvas[..., :3], np.minimum(want, 255))
    np.testing.assert_array_equal(canvas[..., 3], alpha)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38, -3e38])
def test_numbers_that_are_none_harm_nothing(bad: float) -> None:
    shade, (across, down) = shaded(8), places()
    shade[2:4, 3:] = across[3] = down[2] = bad
    for reach in (0.0, 2.0):
        backdrop.gradient(ground(1), (across, down, reach), COLORS, (pattern(4), Y, 1.4), (shade, 0, 0, RED))
        backdrop.steps(ground(1), across, down, reach, np.zeros((3, 4), np.uint8))
    backdrop.mix(ground(1), (shade, 0, 0, RED), pattern(3), Y, 0)
    backdrop.darken(ground(1), (shade, 0, 0, RED))


def refused(kernel: Callable[..., None], good: list[Any], faults: dict[int, list[Any]]) -> None:
    kernel(*good)
    for place, values in faults.items():
        for value in values:
            with pytest.raises(ValueError, match=r"\w"):
                kernel(*(value if at == place else one for at, one in enumerate(good)))


def test_arrays_that_do_not_fit_are_refused() -> None:
    canvas, (across, down), shade = ground(9), places(), shaded(9)
    narrow, none = canvas[..., :3].copy(), pattern(4)[:0]
    spots: dict[int, list[Any]] = {
        0: [narrow, canvas[1:, 1:].copy()],
        1: [across[1:]],
        2: [down[1:]],
        4: [COLORS[:1], COLORS[:, :3].copy()],
    }
    more: dict[int, list[Any]] = {
        5: [pattern(3), none, pattern(4)[:, :0]],
        6: [-1],
        9: [-1, 7],
        10: [-1, 6],
        11: [RED[1:]],
    }
    good = [canvas, across, down, 0.0, COLORS, pattern(4), Y, 1.4, shade, 2, 3, RED]
    refused(grouped, good, spots | more)
    colors = np.zeros((3, 4), np.uint8)
    refused(backdrop.steps, [*good[:4], colors], spots | {4: [colors[:0], colors[:, :3].copy()]})
    laid: dict[int, list[Any]] = {0: [narrow, canvas[:8]], 2: [-1, 7], 3: [-1, 6], 4: [RED[1:]]}
    refused(lambda canvas, *shadow: backdrop.darken(canvas, shadow), [canvas, shade, 2, 3, RED], laid)
    offsets: dict[int, list[Any]] = {5: [pattern(4), pattern(3)[:0], pattern(3)[:, :0]], 6: [-1]}
    refused(mixed, [canvas, shade, 2, 3, RED, pattern(3), Y, 0.0], laid | offsets)


def grouped(canvas: U8, *given: Any) -> None:
    """`gradient`, of what it takes one by one."""
    backdrop.gradient(canvas, given[:3], given[3], given[4:7], given[7:])


def mixed(canvas: U8, *given: Any) -> None:
    """`mix`, of what it takes one by one."""
    backdrop.mix(canvas, given[:4], *given[4:])
