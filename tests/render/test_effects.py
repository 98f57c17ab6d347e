"""Bloom, vignette and grain: their strength, where they apply, and that bands of rows do not show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from service.arrays import F32, F64, U8, U16
from service.clock import Clock
from service.concurrency import ordered_map
from service.devices.device import catalogue
from service.render.compose import exposure
from service.render.effects import bloom, grain, vignette
from service.render.effects.band import BLOCK, Band, finished
from service.render.geometry.raster import Box
from service.render.plates.depth import DepthMap
from service.render.plates.plate import Plate, ScreenLayer
from service.settings.effects import EFFECTS, Bloom, Effect, Grain, PostProcessing, Vignette
from tests.render import posing
from tests.support.looped import looped

ALL = (
    Bloom(intensity=1.0, threshold=0.8, radius=0.4),
    Vignette(amount=0.35, softness=0.5),
    Grain(amount=0.08, size=1, seed=0),
)
BLOOMING, DARKER, GRAINY = ALL
STRONG = Bloom(intensity=3.0, threshold=0.8, radius=0.2)
WIDTH, HEIGHT = 203, 150


def picture(channels: int = 3) -> U8:
    """A grey picture with a white spot in its middle; if it has alpha, its right half is transparent."""
    pixels = np.full((HEIGHT, WIDTH, channels), 60, np.uint8)
    pixels[68:82, 92:110] = 255
    if channels == 4:
        pixels[..., 3] = 255
        pixels[:, WIDTH // 2 :, 3] = 0
    return pixels


def seen(pixels: U8, wanted: Sequence[Effect]) -> U8:
    height, width = pixels.shape[:2]
    # The depth is that of a plane that recedes from the viewer.
    away = np.repeat(np.linspace(-90, 90, width, dtype=np.float16)[None], height, axis=0)
    depth = DepthMap(Box(0, 0, width, height), away, 0.0, 2.0)
    return np.concatenate(list(exposure.bands(Plate(pixels, (), depth), (), wanted, Clock())))


def test_every_effect_changes_the_picture() -> None:
    assert set(Effect.__subclasses__()) == set(EFFECTS.values())
    plain = picture()
    for name, effect in EFFECTS.items():
        wanted = PostProcessing.model_validate({name: True}).effects(1.0)
        assert [type(one) for one in wanted] == [effect]
        assert not np.array_equal(seen(plain, wanted), plain), name


def test_without_effects_the_plate_itself_comes_out() -> None:
    assert np.array_equal(seen(picture(), ()), picture())


@pytest.mark.parametrize("channels", [3, 4])
def test_bands_do_not_show(channels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = picture(channels)
    monkeypatch.setattr(exposure, "EFFECTS_BAND_BYTES", 1)
    narrow = seen(pixels, ALL)
    monkeypatch.setattr(exposure, "EFFECTS_BAND_BYTES", 1 << 30)
    assert np.array_equal(narrow, seen(pixels, ALL))


@pytest.mark.parametrize(
    ("height", "row_bytes", "band_bytes"), [(100, 30, 1), (1000, 30, 3000), (64, 10, 10**6)]
)
def test_bands_are_blocks_of_bloom_and_cover_all(height: int, row_bytes: int, band_bytes: int) -> None:
    rows = exposure.band_rows(height, row_bytes, band_bytes)
    assert [y for part in rows for y in range(part.start, part.stop)] == list(range(height))
    assert all(part.start % BLOCK == 0 for part in rows)
    lengths = [part.stop - part.start for part in rows]
    assert all(length * row_bytes <= max(band_bytes, BLOCK * row_bytes) for length in lengths)
    # There are no more bands than needed, given that their rows are rounded to blocks.
    assert len(rows) <= 1 + height // max(BLOCK, band_bytes // row_bytes - BLOCK)


def test_the_number_of_threads_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exposure, "EFFECTS_BAND_BYTES", 1)
    many = seen(picture(), ALL)
    monkeypatch.setattr(ordered_map, "CPUS", 1)
    assert np.array_equal(many, seen(picture(), ALL))


def test_bloom_glows_only_around_bright_parts() -> None:
    before, after = picture().astype(int), seen(picture(), (STRONG,)).astype(int)
    assert after[75, 86].min() > before[75, 86].max() + 10
    assert after[75, 86].min() > after[75, 78].max() > 60
    assert np.array_equal(after[2:5, 2:5], before[2:5, 2:5])


def test_bloom_without_anything_bright_changes_nothing() -> None:
    dark = np.minimum(picture(), 60)
    assert np.array_equal(seen(dark, (BLOOMING,)), dark)


def test_bloom_raises_alpha_beside_bright_parts() -> None:
    pixels = picture(4)
    after = seen(pixels, (STRONG,))
    assert after[75, WIDTH // 2 + 2, 3] > 10
    assert after[75, WIDTH // 2 + 2, :3].min() > 150
    assert after[5, -5, 3] == 0
    assert (after[:, : WIDTH // 2, 3] == 255).all()


def test_code_values_come_back_exactly_from_linear_light() -> None:
    codes = np.arange(256, dtype=np.uint8).reshape(1, 256)
    assert np.array_equal(bloom.add(codes, np.zeros(codes.shape, np.uint16)), codes)


def glow(pixels: U8, of: Bloom) -> U16 | None:
    """The glow of a picture without a screen."""
    size = (pixels.shape[1], pixels.shape[0])
    return bloom.glow(bloom.sources(pixels, bloom.shares(of)), of, size, None)


def test_glow_is_where_the_light_was() -> None:
    spot = np.zeros((160, 160, 3), np.uint8)
    spot[72:80, 40:48] = 255
    light = glow(spot, Bloom(intensity=1.0, threshold=0.8, radius=0.0))
    assert light is not None
    full = bloom.enlarged(light, slice(0, 160), slice(0, 160))[0].astype(float)
    y, x = np.average(np.indices(full.shape).reshape(2, -1), axis=1, weights=full.ravel())
    assert (x, y) == pytest.approx((43.5, 75.5), abs=0.2)
    assert np.array_equal(bloom.enlarged(light, slice(30, 50), slice(24, 160))[0], full[30:50, 24:])


@looped("seed", range(20))
def test_glow_reaches_the_blocks_around_those_that_are_lit(seed: int) -> None:
    random = np.random.default_rng(seed)
    high, wide = random.integers(1, 7, 2).tolist()
    lit, width = random.random((high, wide)) < 0.15, wide * BLOCK - 3
    first, last = np.sort(random.integers(0, high * BLOCK, 2)).tolist()
    found = bloom.reached(lit, slice(first, last + 1), width)
    near = [
        column for row, column in np.argwhere(lit).tolist() if first // BLOCK - 1 <= row <= last // BLOCK + 1
    ]
    if near:
        assert found == slice(max(min(near) - 1, 0) * BLOCK, min((max(near) + 2) * BLOCK, width))
    else:
        assert found == slice(0, 0)


def test_white_pages_do_not_glow() -> None:
    page = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    assert glow(page, Bloom(intensity=3.0, threshold=0.8, radius=1.0)) is None
    # A paragraph on the page does not glow, nor does a picture in it, or a page that fills half of the
    # screen.
    page[40:110:6, 40:160] = 30
    page[20:50, 20:90] = (30, 60, 90)
    assert glow(page, Bloom(intensity=3.0, threshold=0.8, radius=1.0)) is None
    half = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    half[:, : WIDTH // 2 + 8] = 255
    assert glow(half, Bloom(intensity=3.0, threshold=0.8, radius=1.0)) is None


def test_a_thin_bright_line_glows() -> None:
    dark = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    dark[71:74] = (255, 160, 0)
    after = seen(dark, (Bloom(intensity=0.6, threshold=0.8, radius=0.4),)).astype(int)
    red, green, blue = after[68, WIDTH // 2]
    assert red > 20
    assert red > green > blue


def test_glow_does_not_bleach_light_colours() -> None:
    """The same glow hardly changes a light background, but is visible on black."""
    for ground, least, most in ((242, 0, 3), (0, 60, 255)):
        plane = np.full((HEIGHT, WIDTH), ground, np.uint8)
        added = bloom.add(plane, np.full(plane.shape, 0.1 * 65535, np.uint16)) - ground
        assert least <= added.min()
        assert added.max() <= most


BLOOM = {"postProcessing.bloom": True}
ROOMS = {
    "light": {"appearance.backgroundColor": "#F2F3F5"},
    "dark": {"appearance.backgroundColor": "#101218"},
}


def change(page: U8, given: dict[str, Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
    """How bloom changes a picture, in levels, and masks of the picture's background and black parts."""
    given = {"canvas.width": 640, "canvas.height": 480, "deviceTransform.rotationY": -18} | given
    before = posing.picture(page, given).astype(np.int64)
    after = posing.picture(page, given | BLOOM).astype(np.int64)
    ground = np.abs(before - before[2, 2]).max(axis=2) <= 6
    return np.abs(after - before).max(axis=2), ground, before.max(axis=2) < 30


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("device", ["iphone-16-pro", "macbook-pro-14", "browser-chrome-light"])
def test_a_white_page_fogs_neither_bezel_nor_background(room: str, device: str) -> None:
    page = posing.flat((255, 255, 255), catalogue()[device].screen.px)
    page[page.shape[0] // 3 : page.shape[0] // 2, page.shape[1] // 5 : -page.shape[1] // 5] = (40, 90, 160)
    changed, ground, black = change(page, ROOMS[room] | {"device": device})
    assert changed[ground].max() <= 1
    if room == "light":
        assert changed[black].max(initial=0) <= 2


@pytest.mark.parametrize("room", ROOMS)
def test_accents_on_a_dark_page_glow(room: str) -> None:
    page = posing.flat((12, 12, 18), (603, 1311))
    page[300:420, 40:560] = (255, 40, 170)
    page[700:712] = (0, 235, 255)
    changed, ground, _ = change(page, ROOMS[room])
    assert (changed > 20).sum() > 300
    if room == "light":
        assert changed[ground].max() <= 2


def test_vignette_darkens_corners_and_leaves_the_middle() -> None:
    flat = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
    after = seen(flat, (DARKER,)).astype(int)
    assert (after[70:80, 95:105] == 200).all()
    corners = [after[y, x].mean() for y in (0, -1) for x in (0, -1)]
    assert max(corners) - min(corners) <= 2
    assert 200 * 0.65 - 2 < min(corners) < 150
    # Slow ramps are dithered, so equal neighbours do not form wide steps.
    assert len(np.unique(after[75])) > 20


@pytest.mark.parametrize(("amount", "softness"), [(0.35, 0.5), (1.0, 0.0), (0.6, 1.0)])
@pytest.mark.parametrize("size", [(203, 150), (64, 300)])
def test_vignette_follows_its_formula(amount: float, softness: float, size: tuple[int, int]) -> None:
    """1 - amount·s(r), with r the distance from the centre in half diagonals, and s a smoothstep."""
    width, height = size
    y, x = np.indices((height, width)) + 0.5
    r = np.hypot(2 * x / width - 1, 2 * y / height - 1) / np.sqrt(2)
    start = 0.9 * (1 - softness)
    t = np.clip((r - start) / (1.05 - start), 0, 1)
    expected = 1 - amount * t * t * (3 - 2 * t)
    curve = vignette.curve(Vignette(amount=amount, softness=softness))
    across, down = vignette.squares(width), vignette.squares(height)
    found = vignette.factor(curve, across, down)
    assert found == pytest.approx(expected, abs=1e-4)
    part = vignette.factor(curve, across, down[20:51])
    assert np.array_equal(part, found[20:51])
    # The picture itself follows the formula: the factor multiplies code values, and dither rounds them up or
    # down.
    after = seen(np.full((height, width, 3), 200, np.uint8), (Vignette(amount=amount, softness=softness),))
    assert np.abs(after - 200 * expected[..., None]).max() < 1.01


def spectrum(noise: F32) -> F64:
    """The power in 32 rings of frequencies, from 0 to half a cycle per px."""
    power = np.abs(np.fft.fft2(noise.astype(np.float64))) ** 2
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(len(noise)), np.fft.fftfreq(len(noise))))
    ring = np.minimum((frequency * 64).astype(int), 32)
    return np.asarray(np.bincount(ring.ravel(), power.ravel()) / np.bincount(ring.ravel()))[:32]


@pytest.mark.parametrize("size", [1, 2.5])
def test_grain_is_white_noise_through_two_gaussians(size: float) -> None:
    """The sigmas are .42 px and 2.2 times that, and the wider Gaussian has 0.6 of the strength. The noise has
    mean 0 and deviation 1."""
    noise = grain.tile(3, size)
    assert noise.mean() == pytest.approx(0, abs=0.02)
    assert noise.std() == pytest.approx(1, abs=1e-4)
    frequency = (np.arange(32) + 0.5) / 64
    gain = [np.exp(-2 * (np.pi * frequency * 0.42 * size * wide) ** 2) for wide in (1, 2.2)]
    expected = (gain[0] + 0.6 * gain[1]) ** 2
    found = spectrum(noise)
    strong = expected > 0.02 * expected[0]
    ratio = found[strong] / expected[strong]
    assert np.abs(ratio / ratio.mean() - 1)[1:].max() < 0.12


@pytest.mark.parametrize("code", [0, 30, 64, 128, 200, 255])
def test_grain_has_the_documented_strength(code: int) -> None:
    """At amount 1, grain deviates by 80 levels in mid grey, and elsewhere by 0.3 + 0.7·sin(π·code)^0.8 of
    that."""
    flat = [np.full((1024, 64), code, np.float32)] * 3
    added = grain.noise(flat, 0, Grain(amount=0.1, size=1, seed=0))
    wanted = 80 * 0.1 * (0.3 + 0.7 * np.sin(np.pi * code / 255) ** 0.8)
    whole = grain.tile(0, 1)[:, :64].std()
    assert added.std() == pytest.approx(wanted * whole, rel=1e-3)


def test_grain_goes_on_from_row_to_row_and_repeats() -> None:
    flat = [np.full((1100, 1050), 128, np.float32)] * 3
    whole = grain.noise(flat, 0, Grain(amount=0.1, size=1, seed=0))
    part = [plane[:30] for plane in flat]
    assert np.array_equal(grain.noise(part, 77, Grain(amount=0.1, size=1, seed=0)), whole[77:107])
    assert np.array_equal(whole[1024:], whole[:76])
    assert np.array_equal(whole[:, 1024:], whole[:, :26])


def test_grain_is_the_same_for_its_seed_and_keeps_the_mean() -> None:
    flat = np.full((256, 256, 3), 128, np.uint8)
    first = seen(flat, (Grain(amount=0.08, size=1, seed=7),))
    assert np.array_equal(first, seen(flat, (Grain(amount=0.08, size=1, seed=7),)))
    assert not np.array_equal(first, seen(flat, (Grain(amount=0.08, size=1, seed=8),)))
    assert abs(first.mean() - 128) < 1
    assert first.std() == pytest.approx(80 * 0.08, rel=0.15)
    # The grain is equal in all channels, except for the single step of the dither.
    assert np.abs(np.diff(first.astype(int), axis=2)).max() <= 1


@pytest.mark.parametrize("amount", [0.01, 0.021, 0.022])
@pytest.mark.parametrize("fraction", [0.1, 0.25, 0.5, 0.8])
def test_faint_grain_is_dithered_and_other_grain_is_dither(amount: float, fraction: float) -> None:
    """Means keep fractions of a code value, so slow ramps show no steps."""
    band = Band(np.zeros((256, 256, 3), np.uint8), slice(0, 256), (256, 256))
    band.code = [np.full((256, 256), 252 + fraction, np.float32)] * 3
    grain.FilmGrain(Grain(amount=amount, size=1, seed=0)).apply(band)
    assert band.film is not None
    assert band.dither == (amount < 0.02)
    assert band.rounded().mean() == pytest.approx(252 + fraction + band.film.mean(), abs=0.01)


def test_grain_is_stronger_in_mid_tones() -> None:
    strength = [float(seen(np.full((256, 256, 3), level, np.uint8), (GRAINY,)).std()) for level in (128, 245)]
    assert strength[0] > 1.5 * strength[1]


@pytest.mark.parametrize("rows", [slice(0, 256), slice(96, 160)])
def test_a_screen_has_a_fifth_of_the_grain(rows: slice) -> None:
    """The rest is lost by the screen's gain, so half as much where half of the light is the screen's."""
    box = Box(40, 64, 128, 128)
    gain = np.full((128, 128), 65535, np.uint16)
    gain[:, 64:] = 32768
    layer = ScreenLayer(box, np.zeros((128, 128, 3), np.uint16), gain, np.eye(3), (1.0, 1.0))
    flat = np.full((256, 256, 3), 128, np.uint8)
    films = []
    for screens in ((), (layer, None)):
        band = Band(flat[rows], rows, (256, 256))
        grain.FilmGrain(GRAINY, screens).apply(band)
        assert band.film is not None
        films.append(band.film)
    plain, faded = films
    wanted = np.ones((256, 256))
    wanted[64:192, 40:104], wanted[64:192, 104:168] = 0.2, 0.6
    np.testing.assert_allclose(faded, plain * wanted[rows], rtol=1e-4)


@pytest.mark.parametrize(("fraction", "dithered"), [(0.0, False), (0.3, True)])
def test_faint_grain_on_a_screen_keeps_fractions(fraction: float, dithered: bool) -> None:
    gain = np.full((256, 256), 65535, np.uint16)
    layer = ScreenLayer(Box(0, 0, 256, 256), np.zeros((256, 256, 3), np.uint16), gain, np.eye(3), (1.0, 1.0))
    band = Band(np.full((256, 256, 3), 252, np.uint8), slice(0, 256), (256, 256))
    if fraction:
        band.code = [plane + np.float32(fraction) for plane in band.fractional()]
    grain.FilmGrain(Grain(amount=0.05, size=1, seed=0), [layer]).apply(band)
    assert band.dither == dithered
    assert band.rounded().mean() == pytest.approx(252 + fraction, abs=0.01)


def test_inputs_are_not_modified() -> None:
    pixels = picture(4)
    pixels.flags.writeable = False
    light = glow(pixels, BLOOMING)
    assert light is not None
    steps = [bloom.Glow(light), vignette.Darkening(DARKER, (WIDTH, HEIGHT)), grain.FilmGrain(GRAINY)]
    after = finished(pixels[:64], slice(0, 64), (WIDTH, HEIGHT), steps)
    assert after.shape == (64, WIDTH, 4)
    assert not np.array_equal(after, pixels[:64])


def test_a_plate_reports_its_memory() -> None:
    base, light = np.zeros((20, 30, 3), np.uint8), np.zeros((7, 8, 3), np.uint16)
    gain = np.zeros((7, 8), np.uint16)
    assert Plate(base, (None,)).nbytes == 20 * 30 * 3
    hole = ScreenLayer(Box(0, 0, 8, 7), light, gain, np.eye(3), (1.0, 1.0))
    assert Plate(base, (hole, None)).nbytes == 20 * 30 * 3 + 7 * 8 * 2 * 4
    depth = DepthMap(Box(0, 0, 6, 5), np.zeros((5, 6), np.float16), 0.0, 1.0)
    whole = Plate(base, (hole,), depth, (hole, None))
    assert whole.nbytes == 20 * 30 * 3 + 2 * 7 * 8 * 2 * 4 + 5 * 6 * 2
