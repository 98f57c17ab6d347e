"""Film grain: noise that is strongest in the mid tones, the same for the same seed."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from service.scene import Grain

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

TILE = 1024
STRENGTH = 150.0  # code values of standard deviation at amount 1 in mid grey
BAND = 64


@lru_cache(maxsize=4)
def tile(seed: int, size: float) -> F32:
    """Noise of mean 0 and deviation 1, (1024, 1024), clumped over `size` px, wrapping at its edges.

    Two octaves, since silver grains overlap: single grains and clumps of about twice their size.
    """
    noise = np.random.Generator(np.random.PCG64(seed)).standard_normal((TILE, TILE), np.float32)
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(TILE), np.fft.rfftfreq(TILE), indexing="ij"))
    radius = 0.42 * size
    fine = np.exp(-2 * (np.pi * frequency * radius) ** 2)
    coarse = np.exp(-2 * (np.pi * frequency * radius * 2.2) ** 2)
    grain = np.fft.irfft2(np.fft.rfft2(noise) * (fine + 0.6 * coarse), s=(TILE, TILE))
    grain = (grain / grain.std()).astype(np.float32)
    grain.flags.writeable = False
    return grain


def _response() -> F32:
    """Grain's strength by code value: full in mid tones, a third in black and white."""
    code = np.arange(256) / 255
    return (0.3 + 0.7 * np.sin(np.pi * np.clip(code, 0, 1)) ** 0.8).astype(np.float32)


RESPONSE = _response()


def apply(pixels: U8, grain: Grain) -> U8:
    """The picture with grain over its code values, a new array; alpha stays."""
    if grain.amount == 0:
        return pixels
    h, w = pixels.shape[:2]
    noise = tile(grain.seed, grain.size)
    columns = np.arange(w) % TILE
    result = pixels.copy()
    for y in range(0, h, BAND):
        rows = slice(y, min(y + BAND, h))
        part = noise[np.ix_(np.arange(y, rows.stop) % TILE, columns)] * np.float32(STRENGTH * grain.amount)
        rgb = np.ascontiguousarray(pixels[rows, :, :3])
        light = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
        part *= RESPONSE[light]
        band = rgb.astype(np.float32)
        cv2.add(band, cv2.merge([part] * 3), dst=band)
        result[rows, :, :3] = np.clip(band + np.float32(0.5), 0, 255)
    return result
