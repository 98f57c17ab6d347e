"""Compression and encoding of light, and compositing of paint over paint and backdrops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32, U8, U16
from service.render.kernels.compositing import Curve, coat, cover, gain, join, over, scale, stain
from tests.render.kernels import plain

TONE = (0.65, 0.5, 0.6)
CODES = (255 * np.sqrt(np.arange(65536) / 65535)).astype(np.float32)
LIGHT = np.round((np.arange(4081) / 4080) ** 2 * 65535).astype(np.uint16)
CURVE = Curve(*TONE, CODES, LIGHT)
HEIGHT, WIDTH = 13, 17
X, Y = 3, 5


def offsets() -> F32:
    """A pattern whose tile is smaller than the canvas, so that it repeats."""
    return (0.002 + 0.996 * np.random.default_rng(7).random((4, 7, 3))).astype(np.float32)


def painted(seed: int) -> tuple[F32, F32, F32, U8]:
    """Paint whose pixels are bare, partly covered or fully covered, its gain, and a backdrop that is
    larger."""
    random = np.random.default_rng(seed)
    alpha = np.clip(2 * random.random((HEIGHT, WIDTH)) - 0.5, 0, 1).astype(np.float32)
    alpha[0, :4] = 1e-6, 1e-4, 0.99999, 1
    rgb = (1.6 * random.random((HEIGHT, WIDTH, 3)) * alpha[..., None]).astype(np.float32)
    gain = (random.random((HEIGHT, WIDTH)) * alpha).astype(np.float32)
    backdrop = random.integers(0, 256, (HEIGHT + 9, WIDTH + 8, 4), np.uint8)
    backdrop[:, ::3, 3], backdrop[:, 1::3, 3] = 255, 0
    return rgb, alpha, gain, backdrop


def repeated(pattern: F32) -> F32:
    return np.tile(pattern, (8, 8, 1))[Y : Y + HEIGHT, X : X + WIDTH]


def opened(backdrop: U8, gain: F32, rgb: F32, alpha: F32, left: int, top: int, **of: Any) -> tuple[U16, U16]:
    base, through = np.full((6, 8, 3), 7, np.uint16), np.full((6, 8), 7, np.uint16)
    paint = rgb, alpha, of.get("lit", True), X, Y, backdrop, offsets()
    CURVE.lay(paint, ((gain, left, top, base, through),))
    return base, through


def test_the_shoulder_and_highlights_are_those_of_whole_arrays() -> None:
    light = (3 * np.random.default_rng(1).random((400, 3)) ** 2).astype(np.float32)
    found = light.copy()
    CURVE.highlights(found)
    np.testing.assert_array_equal(found, plain.highlights(light, *TONE))
    flat = light.ravel().copy()
    CURVE.shoulder(flat)
    np.testing.assert_array_equal(flat, plain.shoulder(light.ravel(), TONE[0]))


def test_light_up_to_the_knee_stays_and_strong_light_stays_below_white() -> None:
    light = np.array([0, 0.3, 0.65, 1e9], np.float32)
    CURVE.shoulder(light)
    assert light[:3].tolist() == np.array([0, 0.3, 0.65], np.float32).tolist()
    assert 0.999 < light[3] <= 1


@pytest.mark.parametrize("lit", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_laying_a_canvas_equals_the_array_formula(seed: int, lit: bool) -> None:
    rgb, alpha, _, backdrop = painted(seed)
    at = slice(Y, Y + HEIGHT), slice(X, X + WIDTH)
    code, added, level, _ = plain.laid(
        rgb, alpha, backdrop[at], repeated(offsets()), TONE if lit else None, CODES
    )
    want = backdrop.copy()
    want[at] = np.dstack([(code + added).astype(np.uint8), level])
    CURVE.lay((rgb, alpha, lit, X, Y, backdrop, offsets()))
    np.testing.assert_array_equal(backdrop, want)


@pytest.mark.parametrize(("left", "top"), [(5, 6), (0, 0), (X, Y), (15, 14), (X - 8, Y)])
@pytest.mark.parametrize("lit", [True, False])
def test_openings_get_light_and_gain_where_they_overlap_a_canvas(left: int, top: int, lit: bool) -> None:
    rgb, alpha, gain, backdrop = painted(9)
    at = slice(Y, Y + HEIGHT), slice(X, X + WIDTH)
    code, added, _, scale = plain.laid(
        rgb, alpha, backdrop[at], repeated(offsets()), TONE if lit else None, CODES
    )
    code = np.clip(code + (added - np.float32(0.5)) * np.float32(0.93), 0, 255)
    light = LIGHT[(code * np.float32(16) + np.float32(0.5)).astype(np.uint16)]
    passed = np.clip(gain * scale * np.float32(65535) + np.float32(0.5), 0, 65535).astype(np.uint16)
    base, through = opened(backdrop, gain, rgb, alpha, left, top, lit=lit)
    for row, column in np.ndindex(through.shape):
        y, x = top + row - Y, left + column - X
        if 0 <= y < HEIGHT and 0 <= x < WIDTH:
            assert through[row, column] == passed[y, x]
            assert base[row, column].tolist() == light[y, x].tolist()
        else:
            assert (base[row, column] == 7).all()
            assert through[row, column] == 7


def test_bare_pixels_stay_and_covered_ones_are_hidden() -> None:
    rgb, alpha, _, backdrop = painted(2)
    before = backdrop.copy()
    CURVE.lay((rgb, np.zeros_like(alpha), True, X, Y, backdrop, offsets()))
    np.testing.assert_array_equal(backdrop, before)
    grey = np.full_like(rgb, 0.25)
    flat = np.full((1, 1, 3), 0.4, np.float32)
    CURVE.lay((grey, np.ones_like(alpha), True, X, Y, backdrop, flat))
    assert (backdrop[Y : Y + HEIGHT, X : X + WIDTH] == (127, 127, 127, 255)).all()
    assert (backdrop[:Y] == before[:Y]).all()


def test_half_covered_pixels_are_mixed_by_their_opacities() -> None:
    backdrop = np.array([[[200, 100, 0, 255], [200, 100, 0, 0]]], np.uint8)
    half = np.full((1, 2), 0.5, np.float32)
    CURVE.lay((np.zeros((1, 2, 3), np.float32), half, True, 0, 0, backdrop, offsets()))
    assert backdrop.tolist() == [[[100, 50, 0, 255], [0, 0, 0, 128]]]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38, -3e38])
def test_nan_causes_no_harm(bad: float) -> None:
    for place in range(3):
        given = painted(3)
        given[place][2:9, 3:9] = bad
        rgb, alpha, gain, backdrop = given
        opened(backdrop, gain, rgb, alpha, 5, 6)
    light = np.full((3, 3), bad, np.float32)
    CURVE.highlights(light)
    CURVE.shoulder(light[0])


def test_tables_and_arrays_that_do_not_fit_are_refused() -> None:
    for tables in ((CODES[1:], LIGHT), (CODES, LIGHT[1:])):
        with pytest.raises(ValueError, match="65536"):
            Curve(*TONE, *tables)
    with pytest.raises(ValueError, match="channels"):
        CURVE.highlights(np.zeros((4, 4), np.float32))
    rgb, alpha, gain, backdrop = painted(4)
    base, through = np.zeros((6, 8, 3), np.uint16), np.zeros((6, 8), np.uint16)
    good: list[Any] = [rgb, alpha, True, X, Y, backdrop, offsets(), gain, 5, 6, base, through]
    faults: dict[int, list[Any]] = {
        0: [rgb[..., :2].copy(), rgb[1:]],
        1: [alpha[1:], alpha[:, 1:].copy()],
        3: [-1, 9],
        4: [-1, 10],
        5: [backdrop[..., :3].copy(), backdrop[: HEIGHT + Y - 1]],
        6: [offsets()[:0], offsets()[:, :0], offsets()[..., :2].copy()],
        7: [gain[1:], gain[:, 1:].copy()],
        10: [base[1:], base[..., :2].copy()],
        11: [through[:, 1:].copy()],
    }
    for place, values in faults.items():
        for value in values:
            given = [value if at == place else one for at, one in enumerate(good)]
            with pytest.raises(ValueError, match=r"pixel|backdrop"):
                CURVE.lay(tuple(given[:7]), (tuple(given[7:]),))


@pytest.mark.parametrize(("kernel", "plainly"), [(over, plain.over), (join, plain.joined)])
@pytest.mark.parametrize(("left", "top"), [(0, 0), (3, 2), (WIDTH - 8, HEIGHT - 6)])
def test_light_is_laid_in_its_share_as_in_whole_arrays(
    kernel: Any, plainly: Any, left: int, top: int
) -> None:
    rgb, alpha, *_ = painted(5)
    light, cover, *_ = (of[:6, :8].copy() for of in painted(6)[:2])
    at = slice(top, top + 6), slice(left, left + 8)
    want, whole = rgb.copy(), alpha.copy()
    want[at], whole[at] = plainly(rgb[at], alpha[at], light, cover)
    kernel(rgb, alpha, left, top, light, cover)
    np.testing.assert_array_equal(rgb, want)
    np.testing.assert_array_equal(alpha, whole)


def test_gains_are_composited_like_colours() -> None:
    rgb, *_ = painted(5)
    below, (light, cover, *_) = rgb[..., 0].copy(), (of[:6, :8].copy() for of in painted(6)[:2])
    for own in (light[..., 0].copy(), np.zeros((0, 0), np.float32)):
        want, found = below.copy(), below.copy()
        want[2:8, 3:11] = below[2:8, 3:11] * (1 - cover) + (own if own.size else 0) * cover
        gain(found, 3, 2, own, cover)
        np.testing.assert_array_equal(found, want)
    for wrong in (
        (below, -1, 2, own, cover),
        (below, 3, HEIGHT - 5, own, cover),
        (below, 3, 2, below, cover),
    ):
        with pytest.raises(ValueError, match=r"pixel|within"):
            gain(*wrong)


def test_coats_add_mirrored_light_and_dim_the_layers_below() -> None:
    rgb, lost, *_ = painted(5)
    mirrored, *_ = painted(6)
    want = rgb * (1 - lost)[..., None] + mirrored
    coat(rgb, mirrored, lost)
    np.testing.assert_array_equal(rgb, want)
    with pytest.raises(ValueError, match="pixel"):
        coat(rgb, mirrored[1:], lost)


def test_uncovered_paint_stays_and_covered_paint_goes() -> None:
    rgb, alpha = np.full((1, 3, 3), 0.5, np.float32), np.full((1, 3), 0.75, np.float32)
    light = np.array([[[np.nan] * 3, [1, 2, 3], [1, 1, 1]]], np.float32)
    over(rgb, alpha, 0, 0, light, np.array([[0, 1, 0.5]], np.float32))
    assert rgb[0].tolist() == [[0.5] * 3, [1, 2, 3], [0.75] * 3]
    assert alpha[0].tolist() == [0.75, 1, 0.875]


@pytest.mark.parametrize("kernel", [over, join])
def test_light_that_does_not_fit_is_refused(kernel: Any) -> None:
    rgb, alpha, *_ = painted(7)
    light, cover = rgb[:6, :8].copy(), alpha[:6, :8].copy()
    good: list[Any] = [rgb, alpha, 2, 3, light, cover]
    faults: dict[int, list[Any]] = {
        0: [rgb[..., :2].copy(), rgb[1:]],
        1: [alpha[1:], alpha[:, 1:].copy()],
        2: [-1, WIDTH - 7],
        3: [-1, HEIGHT - 5],
        4: [light[..., :2].copy(), light[1:]],
        5: [cover[1:], cover[:, 1:].copy()],
    }
    for place, values in faults.items():
        for value in values:
            with pytest.raises(ValueError, match=r"pixel|within"):
                kernel(*(value if at == place else one for at, one in enumerate(good)))


def covering(seed: int = 5) -> tuple[F32, U16, F32, tuple[F32, F32, U8]]:
    """Light, a picture smaller than the light, colours and shares."""
    random = np.random.default_rng(seed)
    light, size = random.random((HEIGHT, WIDTH, 3), np.float32), (HEIGHT - Y, WIDTH - X)
    alpha = random.integers(0, 65536, size) * (random.random(size) < 0.7)
    color = random.random((*size, 3)) * alpha[..., None]
    picture = np.concatenate([color, alpha[..., None]], axis=2).astype(np.uint16)
    colors = 0.2 + random.random((4, 3), np.float32)
    thin = (0.2 * random.random(size, np.float32) * (alpha > 0)).astype(np.float32)
    shade = random.integers(0, 256, size).astype(np.uint8)
    return light, picture, colors, (random.random(size, np.float32), thin, shade)


def test_pictures_on_paint_and_metal_are_those_of_the_plain_form() -> None:
    light, picture, colors, (lost, thin, shade) = covering()
    after = light.copy()
    cover(after, X, Y, picture, colors, (lost, thin, shade), 0.8)
    want = light.copy()
    want[Y:, X:] = plain.cover(light[Y:, X:], picture, colors, lost, thin, shade, 0.8)
    np.testing.assert_allclose(after, want, atol=2e-6)
    assert (after[Y:, X:][picture[..., 3] == 0] == light[Y:, X:][picture[..., 3] == 0]).all()


def test_shares_that_are_absent_change_nothing() -> None:
    light, picture, colors, (lost, thin, shade) = covering()
    after, none = light.copy(), np.zeros((0, 0), np.float32)
    cover(after, X, Y, picture, colors, (none, none, np.zeros((0, 0), np.uint8)), 1.0)
    want, full = light.copy(), np.full_like(shade, 255)
    want[Y:, X:] = plain.cover(light[Y:, X:], picture, colors, 0 * lost, 0 * thin, full, 1.0)
    np.testing.assert_allclose(after, want, atol=2e-6)


def test_pictures_that_do_not_fit_are_refused() -> None:
    light, picture, colors, (lost, thin, shade) = covering()
    for wrong in (
        (light[..., :2].copy(), X, Y, picture, colors, (lost, thin, shade), 1.0),
        (light, X, Y, picture[..., :3].copy(), colors, (lost, thin, shade), 1.0),
        (light, X + 1, Y, picture, colors, (lost, thin, shade), 1.0),
        (light, X, -1, picture, colors, (lost, thin, shade), 1.0),
        (light, X, Y, picture, colors[:3], (lost, thin, shade), 1.0),
        (light, X, Y, picture, colors, (lost[1:], thin, shade), 1.0),
        (light, X, Y, picture, colors, (lost, thin[:, 1:].copy(), shade), 1.0),
        (light, X, Y, picture, colors, (lost, thin, shade[1:]), 1.0),
        (light, X, Y, picture, colors, (lost, thin, shade), 0.0),
    ):
        with pytest.raises(ValueError, match=r"picture|opacity"):
            cover(*wrong)


@pytest.mark.parametrize("metal", [True, False])
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("even", [True, False])
def test_pictures_on_walls_are_those_of_the_plain_form(metal: bool, exact: bool, even: bool) -> None:
    rgb, hit, *_ = painted(7)
    random, (h, w) = np.random.default_rng(9), (6, 7)
    paint = random.integers(0, 65536, (h, w, 4)).astype(np.uint16)
    paint[..., :3] = np.minimum(paint[..., :3], paint[..., 3:])
    square = (paint[..., 3] * random.random((h, w))).astype(np.uint16)
    paint[2], square[2] = 0, 0
    white = random.random((1, 1, 3) if even else (h, w, 3), np.float32)
    color = np.array([0.8, 0.5, 0.3], np.float32)
    want, at = rgb.astype(np.float64), (slice(Y, Y + h), slice(X, X + w))
    parts = square if exact else None, white, color if metal else None, 0.4
    want[at] = plain.stained(rgb[at], hit[at], paint, *parts)
    none = np.zeros((0, 0), np.uint16)
    pictures = paint, square if exact else none, white
    stain(rgb, hit, X, Y, pictures, color if metal else color[:0], 0.4)
    np.testing.assert_allclose(rgb, want, rtol=1e-5, atol=1e-6)


def test_pictures_that_do_not_fit_walls_are_refused() -> None:
    rgb, hit, *_ = painted(7)
    paint, white = np.zeros((6, 7, 4), np.uint16), np.ones((1, 1, 3), np.float32)
    none, color = np.zeros((0, 0), np.uint16), np.ones(3, np.float32)
    right = rgb, hit, X, Y, (paint, none, white), color, 0.4
    stain(*right)
    for place, wrong in (
        (1, hit[1:]), (2, WIDTH - 6), (3, -1), (4, (paint[..., :3].copy(), none, white)),
        (4, (paint, np.zeros((5, 7), np.uint16), white)), (4, (paint, none, np.ones((6, 6, 3), np.float32))),
        (5, color[:2]),
    ):  # fmt: skip
        given: list[Any] = [*right[:place], wrong, *right[place + 1 :]]
        with pytest.raises(ValueError, match=r"pixel|picture|colour"):
            stain(*given)


def test_rows_and_columns_of_light_are_scaled() -> None:
    rgb, *_ = painted(9)
    random = np.random.default_rng(10)
    rows, columns = random.random(HEIGHT, np.float32), random.random(WIDTH, np.float32)
    want = rgb * (rows[:, None] * columns)[..., None]
    scale(rgb, rows, columns)
    np.testing.assert_array_equal(rgb, want)
    for wrong in ((rgb, rows[1:], columns), (rgb, rows, columns[1:]), (rgb[..., :2].copy(), rows, columns)):
        with pytest.raises(ValueError, match="factor"):
            scale(*wrong)
