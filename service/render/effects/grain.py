"""Film grain: noise that is strongest in the midtones, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ...arrays import F32
from ...settings.effects import Grain
from ..memoize import MIB, memoize
from .band import Band, Picture, Step

TILE = 1024
STRENGTH = 80.0  # standard deviation in code values, at amount 1 in mid-grey
LEAST = 0.3  # the strength in black and in white, as a share of the strength in mid-grey
# Noise of this deviation hides the steps of rounding without dither: the mean of rounded values is off by
# less than a hundredth of a code value.
DITHERED = 0.5


class FilmGrain(Step):
    """Adds `noise` by brightness, together with the dither when the band is rounded."""

    def __init__(self, grain: Grain) -> None:
        self._grain = grain

    def apply(self, band: Band) -> None:
        """Lay the grain on a band."""
        band.code = code = band.fractional()
        band.film = noise(code, band.rows.start, self._grain)
        band.dither = STRENGTH * self._grain.amount * LEAST < DITHERED


def prepare(grain: Grain, picture: Picture) -> FilmGrain:
    """The step; it needs no information about the picture."""
    return FilmGrain(grain)


@memoize(17 * MIB)  # room for four tiles
def tile(seed: int, size: float) -> F32:
    """Noise of mean 0 and deviation 1, (1024, 1024) float32, in clumps of `size` px, wrapping at its edges.

    Two octaves, since silver grains overlap: single grains, and clumps about twice their size.
    """
    noise = np.random.Generator(np.random.PCG64(seed)).standard_normal((TILE, TILE), np.float32)
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(TILE), np.fft.rfftfreq(TILE), indexing="ij"))
    radius = 0.42 * size
    fine = np.exp(-2 * (np.pi * frequency * radius) ** 2)
    coarse = np.exp(-2 * (np.pi * frequency * radius * 2.2) ** 2)
    grain = np.fft.irfft2(np.fft.rfft2(noise) * (fine + 0.6 * coarse), s=(TILE, TILE))
    result: F32 = (grain / grain.std()).astype(np.float32)
    result.flags.writeable = False
    return result


def _response() -> F32:
    """Grain's strength by code value, (256,) float32: full in midtones, a third in black and white."""
    code = np.arange(256) / 255
    return (LEAST + (1 - LEAST) * np.sin(np.pi * np.clip(code, 0, 1)) ** 0.8).astype(np.float32)


RESPONSE = _response()


def noise(code: Sequence[F32], y: int, grain: Grain) -> F32:
    """Grain (rows, w) float32 to add to the code values, by their brightness.

    `code` are the red, green and blue planes (rows, w) of rows from `y` on.
    """
    height, width = code[0].shape
    rows = np.arange(y, y + height) % TILE
    strip = tile(grain.seed, grain.size)
    strip = strip[rows[0] : rows[-1] + 1] if rows[0] + height == rows[-1] + 1 else strip[rows]
    red, green, blue = code
    warm = cv2.addWeighted(red, 0.299, green, 0.587, 0)
    level = cv2.addWeighted(warm, 1, blue, 0.114, 0, dtype=cv2.CV_8U)
    strength = np.asarray(cv2.LUT(level, RESPONSE * np.float32(STRENGTH * grain.amount)), np.float32)
    for x in range(0, width, TILE):
        part = strength[:, x : x + TILE]
        cv2.multiply(strip[:, : part.shape[1]], part, dst=part)
    return strength
