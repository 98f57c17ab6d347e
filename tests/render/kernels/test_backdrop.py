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
NOBODY = np.zeros((0, 0), np.float32)
RED = np.array([200, 40, 0], np.float32)
Y = 5


def pattern(channels: int) -> F32:
    """Noise whose tile is smaller than the canvas, so that it repeats."""
    return (0.002 + 0.996 * np.random.default_rng(4).random((4, 6, channels))).astype(np.float32)


def repeated(channels: int, top: int = 0, left: int = 0) -> F32:
    return np.tile(pattern(channels), (9, 9, 1))[Y + top : Y + top + HEIGHT, left : left + WIDTH]


def shaded(seed: int, height: int = 6, width: int = 8) -> F32:
    return np.random.default_rng(seed).uniform(0.01, 1, (height, width)).astype(np.float32)


def places(low: float = 0.1, high: float = 0.9) -> F32:
    """The position (HEIGHT, WIDTH) of each pixel along a ramp."""
    return np.linspace(low, high, WIDTH * HEIGHT).astype(np.float32).reshape(HEIGHT, WIDTH)


NOT = np.broadcast_to(np.float32(0), (HEIGHT, WIDTH))


def ramp(change: float = 0) -> tuple[F32, F32, F32]:
    """A ramp's marks, colours and noise widths. It has three parts, and jumps before the last."""
    starts = np.array([[20, 250, 90, 255], [120, 10, 90, 255 + change * 0.5], [0, 0, 250, 255 + change / 2]])
    slopes = np.array([[200, -480, 0, change], [-120, 0, 300, 0], [50, 40, -30, 0]])
    colors = np.stack([starts, slopes], axis=1).astype(np.float32)
    marks, widths = np.array([0, 0.5, 0.75, 1], np.float32), np.array([1.4, 1, 1.2], np.float32)
    return marks, colors, widths


def ground(seed: int) -> U8:
    canvas = np.random.default_rng(seed).integers(0, 256, (HEIGHT, WIDTH, 4), np.uint8)
    canvas[::2, :, 3] = 255
    return canvas


@pytest.mark.parametrize("change", [0, -120])
@pytest.mark.parametrize("at", [None, (0, 0), (2, 3), (WIDTH - 8, HEIGHT - 6)])
def test_gradients_are_those_of_whole_arrays(change: float, at: tuple[int, int] | None) -> None:
    place = places(-0.1, 1.1)
    shade, whole = (NOBODY if at is None else shaded(1)), np.zeros((HEIGHT, WIDTH), np.float32)
    left, top = at or (0, 0)
    if change:
        shade = NOBODY
    whole[top : top + shade.shape[0], left : left + shade.shape[1]] = shade
    canvas = ground(1)
    backdrop.gradient(canvas, place, NOT, ramp(change), (pattern(4), Y), (shade, left, top, RED))
    want = plain.gradient(place, ramp(change), repeated(4), whole, RED)
    if not change:
        want[..., 3] = 255
    assert np.abs(np.clip(want, 0, 255) - canvas).max() <= 0.5001


def test_long_rows_are_written_in_runs_without_seams() -> None:
    size = (3, 200)
    place = np.linspace(-0.1, 1.1, 600).astype(np.float32).reshape(size)[:, ::-1].copy()
    noise = (0.002 + 0.996 * np.random.default_rng(6).random((3, 150, 4))).astype(np.float32)
    shade, whole = shaded(2, 2, 30), np.zeros(size, np.float32)
    shade[0, 4:9] = 0
    whole[1:, 90:120] = shade
    canvas = np.zeros((*size, 4), np.uint8)
    spans = np.broadcast_to(np.float32(0), size)
    backdrop.gradient(canvas, place, spans, ramp(), (noise, 0), (shade, 90, 1, RED))
    want = plain.gradient(place, ramp(), np.tile(noise, (1, 2, 1))[:, :200], whole, RED)
    want[..., 3] = 255
    assert np.abs(np.clip(want, 0, 255) - canvas).max() <= 0.5001


def test_a_pixel_of_a_repeating_ramp_has_the_mean_of_its_span() -> None:
    """Spans may cross the jump, or the end of the ramp, where it begins again."""
    marks, colors, _ = ramp()
    narrow = (marks, colors, np.full(3, 0.001, np.float32))
    place = places(0, 0.999)
    for span in (0.02, 0.3, 0.9, 1.0):
        spans = np.full((HEIGHT, WIDTH), span, np.float32)
        canvas = ground(2)
        backdrop.gradient(canvas, place, spans, narrow, (pattern(4), 0), (NOBODY, 0, 0, RED))
        around = place[..., None] + span * (np.linspace(-0.5, 0.5, 1001)[:-1] + 1 / 2000)
        want = np.zeros((HEIGHT, WIDTH, 4))
        for number in range(around.shape[2]):
            at = (around[..., number] % 1).astype(np.float32)
            want += plain.gradient(at, narrow, repeated(4), np.zeros((HEIGHT, WIDTH), np.float32), RED)
        assert np.abs(want / around.shape[2] - canvas).max() < 0.7


def test_a_mesh_is_the_weighted_mean_of_its_colours() -> None:
    rng = np.random.default_rng(3)
    across, down = (rng.uniform(0.01, 1, (side, 3)).astype(np.float32) for side in (WIDTH, HEIGHT))
    for last in (255, 90, 0):
        colors = np.array([[20, 250, 90, 255], [200, 10, 80, 255], [255, 0, 7, last]], np.float32)
        shade, whole = shaded(1), np.zeros((HEIGHT, WIDTH), np.float32)
        whole[3:9, 2:10] = shade
        canvas = ground(3)
        backdrop.mesh(canvas, across, down, colors, (pattern(4), Y, 1.4), (shade, 2, 3, RED))
        want = plain.mesh(across, down, colors, repeated(4), whole, RED)
        if last == 255:
            want[..., 3] = 255
        assert np.abs(np.clip(want, 0, 255) - canvas).max() <= 0.501


def test_whole_numbers_stay_under_any_noise() -> None:
    parts = np.array([[[0, 7, 255, 99], [0, 0, 0, 0]]], np.float32)
    flat = np.array([0, 1], np.float32), parts, np.ones(1, np.float32)
    canvas = ground(2)
    backdrop.gradient(canvas, places(), NOT, flat, (pattern(4), 0), (NOBODY, 0, 0, RED))
    assert (canvas == (0, 7, 255, 99)).all()


def test_steps_are_the_nearest_colour_and_end_at_the_last() -> None:
    colors = np.arange(20, dtype=np.uint8).reshape(5, 4)
    at = np.array([[-9, 0, 0.12, 0.13, 0.5, 0.87, 0.88, 1, 9, np.nan]], np.float32)
    canvas = np.zeros((1, 10, 4), np.uint8)
    backdrop.steps(canvas, at, colors)
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
    # Values are rounded down, so the error of a 32-bit float may move one to the next whole number.
    assert off.min() > -1e-4
    assert off[want < 255].max() < 1 + 1e-4


def test_pixels_outside_the_shadow_do_not_change() -> None:
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


def test_on_transparent_pixels_a_shadow_has_its_own_colour() -> None:
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
def test_nan_causes_no_harm(bad: float) -> None:
    shade, place, spans = shaded(8), places(), NOT.copy()
    shade[2:4, 3:] = place[2, 3:] = spans[4] = spans[2, 4] = bad
    backdrop.gradient(ground(1), place, spans, ramp(), (pattern(4), Y), (shade, 0, 0, RED))
    backdrop.steps(ground(1), place, np.zeros((3, 4), np.uint8))
    across, down = place[0, :, None].copy(), place[:, :1].copy()
    across[3] = down[2] = bad
    backdrop.mesh(ground(1), across, down, ramp()[1][0, :1], (pattern(4), Y, 1.4), (shade, 0, 0, RED))
    backdrop.mix(ground(1), (shade, 0, 0, RED), pattern(3), Y, 0)
    backdrop.darken(ground(1), (shade, 0, 0, RED))


def test_the_front_is_mixed_with_the_picture_behind() -> None:
    front, behind = ground(1), ground(2)[..., :3].copy()
    front[3] = 0
    made = np.empty_like(behind)
    backdrop.before(made, front, behind)
    share = front[..., 3:] / 255
    assert np.abs(front[..., :3] * share + behind * (1 - share) - made).max() <= 0.5001
    assert np.array_equal(made[3], behind[3])
    refused(
        backdrop.before,
        [made, front, behind],
        {0: [made[1:], front.copy()], 1: [front[1:], front[:, 1:].copy(), behind], 2: [behind[1:], front]},
    )


def test_codes_are_rounded_with_dither() -> None:
    codes = np.random.default_rng(5).uniform(0, 300, (HEIGHT, WIDTH, 3)).astype(np.float32)
    made = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    for width in (1.0, 1.5):
        backdrop.rounded(made, codes, 0.5, pattern(3), (Y, 7, width))
        want = codes.astype(np.float64) * 0.5 + (repeated(3, 0, 1) - 0.5) * width + 0.5
        assert (want - made).min() > -1e-4
        assert (want - made)[want < 255].max() < 1 + 1e-4
    codes[2, 3], codes[4, 5] = np.nan, np.inf
    backdrop.rounded(made, codes, 0.5, pattern(3), (Y, 7, 1.0))
    refused(
        backdrop.rounded,
        [made, codes, 1.0, pattern(3), (0, 0, 1.0)],
        {
            0: [made[1:], ground(1)],
            1: [codes[1:], codes[:, 1:].copy(), codes[..., :2].copy()],
            3: [pattern(4), pattern(3)[:0], pattern(3)[:, :0]],
            4: [(-1, 0, 1.0), (0, -1, 1.0)],
        },
    )


def refused(kernel: Callable[..., None], good: list[Any], faults: dict[int, list[Any]]) -> None:
    kernel(*good)
    for place, values in faults.items():
        for value in values:
            with pytest.raises(ValueError, match=r"\w"):
                kernel(*(value if at == place else one for at, one in enumerate(good)))


def test_arrays_that_do_not_fit_are_refused() -> None:
    canvas, shade, shadow = ground(9), shaded(9), (NOBODY, 0, 0, RED)
    narrow, noise = canvas[..., :3].copy(), pattern(4)
    (marks, colors, widths), place = ramp(), places()
    outside: list[Any] = [(shade, -1, 3, RED), (shade, 7, 3, RED), (shade, 2, 6, RED), (shade, 2, 3, RED[1:])]
    refused(
        backdrop.gradient,
        [canvas, place, NOT, (marks, colors, widths), (noise, Y), shadow],
        {
            0: [narrow, canvas[1:, 1:].copy()],
            1: [place[1:], place[:, 1:].copy()],
            2: [NOT[1:], NOT[:, 1:]],
            3: [
                (marks[1:], colors, widths),
                (marks, colors[1:], widths),
                (marks, colors[:, :1].copy(), widths),
                (marks, colors[..., :3].copy(), widths),
                (marks, colors, widths[1:]),
                (marks[:1], colors[:0], widths[:0]),
            ],
            4: [(pattern(3), Y), (noise[:0], Y), (noise[:, :0], Y), (noise, -1)],
            5: outside,
        },
    )
    across, down, spots = (np.ones((side, 2), np.float32) for side in (WIDTH, HEIGHT, 2))
    spots = np.ones((2, 4), np.float32)
    wide, high = (np.ones((side, 9), np.float32) for side in (WIDTH, HEIGHT))
    refused(
        backdrop.mesh,
        [canvas, across, down, spots, (noise, Y, 1.0), shadow],
        {
            0: [narrow, canvas[1:, 1:].copy()],
            1: [across[1:], across[:, 1:].copy()],
            2: [down[1:], down[:, 1:].copy()],
            3: [spots[1:], spots[:, 1:].copy()],
            4: [(pattern(3), Y, 1.0), (noise[:0], Y, 1.0), (noise[:, :0], Y, 1.0), (noise, -1, 1.0)],
            5: outside,
        },
    )
    with pytest.raises(ValueError, match="up to 8"):
        backdrop.mesh(canvas, wide, high, np.ones((9, 4), np.float32), (noise, Y, 1.0), shadow)
    codes = np.zeros((3, 4), np.uint8)
    refused(
        backdrop.steps,
        [canvas, place, codes],
        {0: [narrow, canvas[1:, 1:].copy()], 1: [place[1:]], 2: [codes[:0], codes[:, :3].copy()]},
    )
    laid: dict[int, list[Any]] = {0: [narrow, canvas[:8]], 2: [-1, 7], 3: [-1, 6], 4: [RED[1:]]}
    refused(lambda canvas, *shadow: backdrop.darken(canvas, shadow), [canvas, shade, 2, 3, RED], laid)
    offsets: dict[int, list[Any]] = {5: [pattern(4), pattern(3)[:0], pattern(3)[:, :0]], 6: [-1]}
    refused(mixed, [canvas, shade, 2, 3, RED, pattern(3), Y, 0.0], laid | offsets)


def mixed(canvas: U8, *given: Any) -> None:
    """Call `mix` with separate arguments."""
    backdrop.mix(canvas, given[:4], *given[4:])
