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
    result: F32 = (grain / grain.std()).astype(np.float32)
    result.flags.writeable = False
    return result


def _response() -> F32:
    """Grain's strength by code value: full in mid tones, a third in black and white."""
    code = np.arange(256) / 255
    return (0.3 + 0.7 * np.sin(np.pi * np.clip(code, 0, 1)) ** 0.8).astype(np.float32)


RESPONSE = _response()


def apply(band: U8, y: int, grain: Grain) -> U8:
    """Rows from `y` on with grain over their code values, a new array; alpha stays."""
    height, width = band.shape[:2]
    rows, columns = (np.arange(height) + y) % TILE, np.arange(width) % TILE
    part = tile(grain.seed, grain.size)[np.ix_(rows, columns)] * np.float32(STRENGTH * grain.amount)
    rgb = np.ascontiguousarray(band[..., :3])
    part *= RESPONSE[cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)]
    light = cv2.add(rgb.astype(np.float32), cv2.merge([part] * 3))
    result = np.clip(light + np.float32(0.5), 0, 255).astype(np.uint8)
    return result if band.shape[2] == 3 else np.dstack([result, band[..., 3]])
