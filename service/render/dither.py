"""Rounding to 8 bits without bands: a fixed pattern of noise, so that the same picture has the same bytes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

TILE = 256


@lru_cache(maxsize=1)
def tile() -> F32:
    """Noise in [0, 1), (256, 256): triangular rank of high-passed white noise, evenly distributed.

    Interleaved gradient noise has visible diagonals in slow gradients; white noise clumps. Ranking noise
    whose low frequencies were removed gives an even histogram with no energy the eye can follow, after
    Ulichney, "The void-and-cluster method for dither array generation" (1993), by filtering.
    """
    noise = np.random.Generator(np.random.PCG64(20240607)).random((TILE, TILE))
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(TILE), np.fft.fftfreq(TILE)))
    high = 1 - np.exp(-((frequency / 0.32) ** 2))
    for _ in range(6):
        noise = np.fft.ifft2(np.fft.fft2(noise) * high).real
        rank = np.empty(TILE * TILE)
        rank[np.argsort(noise, axis=None, kind="stable")] = np.arange(TILE * TILE)
        noise = rank.reshape(TILE, TILE) / (TILE * TILE)
    result = noise.astype(np.float32)
    result.flags.writeable = False
    return result


def noise(x: int, y: int, width: int, height: int) -> F32:
    """The pattern for a rectangle of the canvas, (height, width) in [0, 1)."""
    rows = (np.arange(height) + y) % TILE
    columns = (np.arange(width) + x) % TILE
    return tile()[np.ix_(rows, columns)]


def to_bytes(code: F32, x: int, y: int) -> NDArray[np.uint8]:
    """Fractional code values (h, w, 3) in 0-255 rounded to uint8 with noise; whole numbers stay."""
    h, w = code.shape[:2]
    # Whole values must survive: the noise stays clear of the next number.
    spread = noise(x, y, w, h) * np.float32(0.996) + np.float32(0.002)
    return np.clip(code + spread[..., None], 0, 255.5).astype(np.uint8)
