"""Film grain: noise that is strongest in midtones, faint on lit screens, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ...arrays import F32
from ...settings.effects import Grain
from ..geometry.raster import Box
from ..memoize import MIB, memoize
from ..plates.plate import ScreenLayer
from .band import Band, Picture, Step

TILE = 1024
STRENGTH = 80.0  # standard deviation in code values, at amount 1 in mid-grey
LEAST = 0.3  # the strength in black and in white, as a share of the strength in mid-grey
# The share of grain that is lost where all light comes from a screen. A screen sends far more light to the
# film than objects beside it, so it shows less grain in photographs; by eye
BRIGHT = 0.8
OPAQUE = 65535  # the gain of a screen that nothing hides and whose glass reflects nothing; by construction
# Noise of this deviation hides the steps of rounding without dither: the mean of rounded values is off by
# less than a hundredth of a code value.
DITHERED = 0.5


class FilmGrain(Step):
    """Adds `noise` by brightness, faint on `screens`, together with the dither when the band is rounded."""

    def __init__(self, grain: Grain, screens: Sequence[ScreenLayer | None] = ()) -> None:
        self._grain = grain
        self._screens = [screen for screen in screens if screen]

    def apply(self, band: Band) -> None:
        """Lay the grain on a band."""
        whole = band.code[0].dtype == np.uint8
        band.code = code = band.fractional()
        band.film = noise(code, band.rows.start, self._grain)
        for screen in self._screens:
            fade(band.film, band.rows.start, screen)
        # Whole code values, as on screens without another effect, have no steps to hide.
        least = LEAST * (1 - BRIGHT) if self._screens and not whole else LEAST
        band.dither = STRENGTH * self._grain.amount * least < DITHERED


def prepare(grain: Grain, picture: Picture) -> FilmGrain:
    """The step for a picture, of which it needs only the screens."""
    return FilmGrain(grain, picture.screens)


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

    `code` has the red, green and blue planes (rows, w) of the rows from `y` on.
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


def fade(film: F32, y: int, screen: ScreenLayer) -> None:
    """Weaken the grain (rows, w) of rows from `y` on, in place, where a screen shines."""
    rows = Box(0, y, film.shape[1], film.shape[0])
    part = screen.box.clipped(rows)
    if part.area:
        lit, gain = film[part.within(rows)], screen.gain[part.within(screen.box)]
        lit += cv2.multiply(lit, gain, scale=-BRIGHT / OPAQUE, dtype=cv2.CV_32F)
