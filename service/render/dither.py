"""Dither: a fixed pattern of noise. With it, rounding to 8 bits shows no bands and always gives the same
bytes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from ..arrays import F32

TILE = 256
LOW = 0.36  # share of the sampling rate; lower frequencies are suppressed
TURNS = 8


@lru_cache(maxsize=1)
def tile() -> F32:
    """Noise in [0, 1), (256, 256) float32: white noise filtered to a blue spectrum and then ranked.

    Interleaved gradient noise has visible diagonals in slow gradients; white noise clumps. Noise that grows
    up to the highest frequencies is nearly a checkerboard and looks woven when enlarged: above LOW all
    frequencies weigh the same. The spectrum follows Ulichney, "Dithering with blue noise" (1988); the
    spectrum and a uniform histogram are imposed alternately.
    """
    noise = np.random.Generator(np.random.PCG64(20240607)).random((TILE, TILE))
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(TILE), np.fft.fftfreq(TILE)))
    blue = 1 - np.exp(-((frequency / LOW) ** 4))
    for _ in range(TURNS):
        waves = np.fft.fft2(noise)
        noise = np.fft.ifft2(waves * (blue / np.maximum(np.abs(waves), 1e-9))).real
        rank = np.empty(TILE * TILE)
        # No two values are equal, so that the quickest sort gives the same order as any other.
        rank[np.argsort(noise, axis=None)] = np.arange(TILE * TILE)
        noise = rank.reshape(TILE, TILE) / (TILE * TILE)
    result = noise.astype(np.float32)
    result.flags.writeable = False
    return result


def noise(x: int, y: int, width: int, height: int, channel: int = 0) -> F32:
    """The pattern for a rectangle of the canvas, (height, width) float32 in [0, 1).

    Each colour channel can have a pattern of its own, so that the three do not step at the same pixel.
    """
    return _repeated(_tiles(), x, y, width, height, channel)


def spread(x: int, y: int, width: int, height: int, channel: int = 0) -> F32:
    """The offset to add before truncating code values, (height, width) float32 in [0.002, 0.998).

    Whole numbers stay as they are.
    """
    return _repeated(_spread(), x, y, width, height, channel)


@lru_cache(maxsize=1)
def _tiles() -> F32:
    """Two by two copies of `tile`, (512, 512), from which a tile can be cut at any offset."""
    return np.tile(tile(), (2, 2))


@lru_cache(maxsize=1)
def _spread() -> F32:
    """As `_tiles`, with offsets of `spread`."""
    return np.asarray(_tiles() * np.float32(0.996) + np.float32(0.002), np.float32)


def _repeated(tiles: F32, x: int, y: int, width: int, height: int, channel: int) -> F32:
    x, y = (x + 89 * channel) % TILE, (y + 151 * channel) % TILE
    one = tiles[y : y + min(height, TILE), x : x + min(width, TILE)]
    # Copying whole runs of pixels is several times faster than indexing single ones.
    across = np.tile(one, (1, -(-width // TILE)))[:, :width]
    return across if height <= TILE else np.tile(across, (-(-height // TILE), 1))[:height]


@lru_cache(maxsize=1)
def bank() -> F32:
    """`noise` of all four channels, (256, 256, 4) float32, read-only; it repeats."""
    return _banked(noise(0, 0, TILE, TILE, channel) for channel in range(4))


@lru_cache(maxsize=1)
def offsets() -> F32:
    """`spread` of all three colour channels, (256, 256, 3) float32, read-only; it repeats."""
    return _banked(spread(0, 0, TILE, TILE, channel) for channel in range(3))


def _banked(channels: Iterable[F32]) -> F32:
    result = np.ascontiguousarray(np.stack(list(channels), axis=2))
    result.flags.writeable = False
    return result
