"""Pixels as a decoder found them: not yet sRGB, not yet turned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.arrays import U8

Mode = Literal["L", "RGB", "RGBA", "CMYK"]
Wanted = tuple[int, int] | None

# U8 of a band.
BAND = 1 << 18
# Rows of 16 bits that are rounded at a time, so that wide values take little memory.
ROUNDED_ROWS = 64


class Raw(NamedTuple):
    """HxW (L), HxWx3 (RGB) or HxWx4 (RGBA, CMYK) uint8; `alpha` is HxW, for grey with transparency."""

    mode: Mode
    pixels: U8
    alpha: U8 | None = None


def bands(height: int, width: int) -> Iterator[slice]:
    """Rows that are worked on at a time, so that what lies between is small and stays in the cache."""
    step = max(1, BAND // max(1, width))
    return (slice(top, min(top + step, height)) for top in range(0, height, step))


def is_opaque(pixels: U8) -> bool:
    """Whether HxWx4 has an alpha of 255 throughout; False for HxWx3, which has none to drop."""
    return pixels.shape[2] == 4 and int(pixels[..., 3].min()) == 255


def rounded(samples: NDArray[np.uint8 | np.uint16]) -> U8:
    """16 bits to the nearest of 8: v / 257; what has 8 stays as it is."""
    if samples.dtype == np.uint8:
        return samples.astype(np.uint8, copy=False)
    result = np.empty(samples.shape, np.uint8)
    for top in range(0, len(samples), ROUNDED_ROWS):
        rows = samples[top : top + ROUNDED_ROWS].astype(np.uint32)
        result[top : top + ROUNDED_ROWS] = (rows + 128) // 257
    return result
