"""Grain: fine, fixed to its surface, fading at small sizes, and absent on surfaces without it."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import cv2
import numpy as np
import pytest

from service.arrays import F32, F64, I16
from service.clock import Clock
from service.devices.device import catalogue
from service.render.geometry.camera import aim
from service.render.geometry.face import plane
from service.render.material import GRAINS
from service.render.paint.grain import ONE, STEPS, WIDEST, _width, tile
from service.render.plates import plate
from service.settings.scene import PlateSpec
from tests.render.posing import PLAIN, scene

TABLET = "ipad-pro-11-m4"
BACK = {**PLAIN, "device": TABLET, "deviceTransform.rotationY": 160, "orientation": "portrait"}


def spec(given: dict[str, Any], side: int = 700, *, fast: bool = False) -> PlateSpec:
    whole = {**BACK, "reflection.enabled": True, "canvas.width": side, "canvas.height": side} | given
    return scene(whole, (1668, 2420), fast=fast).spec


def base(of: PlateSpec, *, grain: bool = True) -> F32:
    return plate.build(of, Clock(), grain=grain).base[..., :3].astype(np.float32)


def change(of: PlateSpec) -> F32:
    """How grain changes a picture, in code values (h, w)."""
    return np.asarray((base(of) - base(of, grain=False)).mean(axis=2), np.float32)


def middle(of: F32) -> F32:
    """A square from the middle of a face, without the camera and the edges."""
    high, wide = of.shape[:2]
    return of[high * 5 // 10 : high * 7 // 10, wide * 4 // 10 : wide * 6 // 10]


def flattened(of: PlateSpec, seen: F32) -> F32:
    """The middle (h, w) of a face as seen straight on, resampled every quarter of a millimetre."""
    slab = catalogue()[TABLET].slabs[0]
    grid: F64 = np.array([[0.25, 0, -30.0], [0, -0.25, 10.0], [0, 0, 1.0]])
    matrix = plane(slab, front=False).homography(aim(of)) @ grid
    return np.asarray(cv2.warpPerspective(seen, matrix, (240, 240), flags=cv2.WARP_INVERSE_MAP), np.float32)


def power(of: I16) -> tuple[F64, F64, F64]:
    """A tile's power at each wave, and the waves' frequencies along its rows and across them, 1/mm."""
    noise = of[:-1, :-1].astype(np.float64)
    np.testing.assert_array_equal(of[-1], of[0])
    np.testing.assert_array_equal(of[:, -1], of[:, 0])
    texel = 512 * 0.06 / len(noise)
    along, across = np.fft.rfftfreq(len(noise)) / texel, np.fft.fftfreq(len(noise))[:, None] / texel
    return np.abs(np.fft.rfft2(noise)) ** 2, np.asarray(along), np.asarray(across)


@pytest.mark.parametrize("stretch", [1.0, 6.0])
def test_grain_has_the_waves_that_it_should(stretch: float) -> None:
    found, along, across = power(tile(stretch, 0))
    waves = np.hypot(along * stretch, across)
    waves[0, 0] = 1e-3  # not 0, by which we divide
    # Waves grow with their length up to about one mm. A pixel of a texel's width blurs them.
    full = (waves**-0.6 * (1 - np.exp(-(waves**2)))) ** 2
    ratio = found / (full * np.exp(-((2 * np.pi * 0.5 * 0.06) ** 2) * (along**2 + across**2)))
    some = waves < 12
    mean = ratio[some].mean()
    octaves = np.floor(2 * np.log2(waves))
    for octave in range(-1, 7):
        ring = some & (octaves == octave)
        assert ratio[ring].mean() == pytest.approx(mean, rel=3.5 / np.sqrt(ring.sum()) + 0.01), octave
    # In full detail, the standard deviation is 2048.
    twice = full.copy()
    twice[:, 1:-1] *= 2
    assert np.sqrt(twice.sum() * mean) / 512**2 == pytest.approx(2048, rel=0.02)


def test_wider_pixels_blur_the_same_grain() -> None:
    noise = np.fft.rfft2(tile(1.0, 0)[:-1, :-1].astype(np.float64))
    _, along, across = power(tile(1.0, 0))
    for step, side in ((8, 512), (19, 512), (20, 256), (27, 256), (28, 128), (36, 64)):
        made = tile(1.0, step)
        assert made.shape == (side + 1, side + 1)
        less = (0.5 * 0.06) ** 2 * (4 ** (step / 8) - 1)
        blurred = noise * np.exp(-2 * np.pi**2 * less * (along**2 + across**2))
        want = np.fft.irfft2(blurred, s=(512, 512))[:: 512 // side, :: 512 // side]
        assert np.abs(made[:-1, :-1] - want).max() < 0.03 * want.std() + 1


def test_blasted_metal_varies_by_a_few_levels() -> None:
    found = middle(change(spec({}, 1400)))
    assert 0.4 < found.std() < 3
    assert abs(found.mean()) < 0.3


def test_grain_holds_still_on_a_device_that_turns() -> None:
    one, other = (spec({"deviceTransform.rotationY": angle}, 1400) for angle in (160, -170))
    first, second = (flattened(of, change(of)) for of in (one, other))
    # Rounding to code values causes much of the difference; grain that moved would not correlate.
    assert np.corrcoef(first.ravel(), second.ravel())[0, 1] > 0.4


def test_grain_fades_as_it_shrinks() -> None:
    large, small, least = (middle(change(spec({}, side))).std() for side in (1400, 500, 120))
    assert large > 1.3 * small > 1.3 * least


@pytest.mark.parametrize("given", [{"device": "iphone-13"}, {"device": "card"}, {"appearance.style": "clay"}])
def test_smooth_surfaces_have_no_grain(given: dict[str, Any]) -> None:
    assert not middle(change(spec(given))).any()


def test_previews_have_none() -> None:
    of = spec({}, fast=True)
    np.testing.assert_array_equal(base(of), base(of, grain=False))


def test_walls_have_the_grain_of_their_band() -> None:
    given = {"device": "iphone-15-pro", "deviceTransform.rotationY": 95, "deviceTransform.scale": 3}
    found = change(spec(given, 900))
    high, wide = found.shape
    wall = found[high // 3 : high * 2 // 3, wide // 2 - 60 : wide // 2 + 60]
    along, across = (np.abs(np.diff(wall, axis=axis)).mean() for axis in (0, 1))
    # The brushed lines run up the band.
    assert wall.std() > 0.5
    assert across > 1.6 * along


def test_walls_seen_edge_on_have_no_grain() -> None:
    of = spec({"device": "switch-2", "deviceTransform.rotationY": 0, "orientation": "landscape"}, 900)
    found = change(of)[420:480]
    edge = round(float(aim(of).project(np.array([[-of.device.body[0] / 2, 0.0, 0.0]]))[0, 0]))
    assert np.abs(found[:, edge + 16 : edge + 24]).max() > 0.3
    assert np.abs(found[:, edge - 2 : edge + 2]).max() < 0.1


def test_tiles_are_noise_that_repeats() -> None:
    noise = tile(1.0, 0)
    np.testing.assert_array_equal(noise[0], noise[-1])
    np.testing.assert_array_equal(noise[:, 0], noise[:, -1])
    assert abs(float(noise.mean())) < 0.02 * ONE
    steps = [float(tile(1.0, step).std()) for step in range(0, WIDEST, STEPS)]
    assert 0.6 * ONE < steps[0] < ONE
    assert all(finer > 1.1 * wider for finer, wider in pairwise(steps))
    # The grain keeps most of its strength from one step to the next.
    assert tile(1.0, STEPS + 1).std() > 0.92 * steps[1]


@pytest.mark.parametrize("stretch", [1.0, 24.0])
def test_wider_pixels_blur_the_noise_by_their_width(stretch: float) -> None:
    # One octave doubles the standard deviation of a pixel's filter from .5 to 1 texel.
    fine, wide = (tile(stretch, step)[:-1, :-1].astype(np.float32) for step in (0, STEPS))
    padded = np.pad(fine, 8, mode="wrap")
    blurred = cv2.GaussianBlur(padded, (0, 0), np.sqrt(1 - 0.5**2))[8:-8, 8:-8]
    assert np.abs(blurred - wide).mean() < 0.03 * wide.std()


@pytest.mark.parametrize("stretch", [1.0, 24.0])
def test_coarser_tiles_have_fewer_texels_of_the_same_noise(stretch: float) -> None:
    fine, coarse = tile(stretch, 19), tile(stretch, 20)
    wide = (len(fine) - 1) // (len(coarse) - 1)
    assert wide == 2
    every = fine[:-1:wide, :-1:wide].astype(np.float64)
    assert np.corrcoef(every.ravel(), coarse[:-1, :-1].ravel())[0, 1] > 0.98
    assert every.std() < 1.2 * coarse.std() < 1.2 * every.std()


def test_marks_are_longer_along_the_grain() -> None:
    noise = tile(GRAINS["brushed"].stretch, 0).astype(np.float64)
    along, across = (np.abs(np.diff(noise, axis=axis)).mean() for axis in (1, 0))
    assert across > 2 * along


@pytest.mark.parametrize("perspective", [(0.002, -0.003), (-0.002, -0.003), (0.002, 0.003), (-0.002, 0.003)])
def test_the_widest_pixel_decides_about_the_grain_of_a_face(perspective: tuple[float, float]) -> None:
    homography: F64 = np.array([[3.0, 0.4, 200.0], [-0.7, 2.0, 150.0], [*perspective, 1.0]])
    wide, high = 60.0, 100.0

    def scale(x: float, y: float) -> float:
        """The smallest scale at a point of the face, px / mm, from differences."""
        near: F64 = np.array([(x + 1e-3, y, 1), (x - 1e-3, y, 1), (x, y + 1e-3, 1), (x, y - 1e-3, 1)])
        seen = near @ homography.T
        seen = seen[:, :2] / seen[:, 2:]
        return float(np.linalg.svd((seen[::2] - seen[1::2]) / 2e-3)[1].min())

    least = min(scale(x, y) for x, y in product((-wide / 2, 0, wide / 2), (-high / 2, 0, high / 2)))
    assert _width(homography.tolist(), (wide, high)) == pytest.approx(1 / least, rel=1e-5)
