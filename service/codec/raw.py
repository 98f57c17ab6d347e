"""Pixels as a decoder returns them: not yet converted to sRGB, not yet upright."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from ..arrays import U8

Mode = Literal["L", "RGB", "RGBA", "CMYK"]
RequestedSize = tuple[int, int] | None

# Pixels in a band.
BAND = 1 << 18


class Raw(NamedTuple):
    """Pixels of `mode`: HxW (L), HxWx3 (RGB) or HxWx4 (RGBA, CMYK) uint8; `alpha` is HxW, for L only."""

    mode: Mode
    pixels: U8
    alpha: U8 | None = None


def bands(height: int, width: int) -> Iterator[slice]:
    """Yield bands of rows, top to bottom, small enough that intermediate values stay in the cache."""
    step = max(1, BAND // max(1, width))
    return (slice(top, min(top + step, height)) for top in range(0, height, step))


def without_alpha(raw: Raw) -> Raw:
    """The pixels without their alpha, as L or RGB, if alpha is 255 throughout; otherwise unchanged."""
    if raw.alpha is not None and int(raw.alpha.min()) == 255:
        return Raw("L", raw.pixels)
    if raw.mode == "RGBA" and is_opaque(raw.pixels):
        return Raw("RGB", np.asarray(cv2.cvtColor(raw.pixels, cv2.COLOR_RGBA2RGB), np.uint8))
    return raw


def is_opaque(pixels: U8) -> bool:
    """Whether HxWx4 uint8 pixels have an alpha of 255 throughout; False for HxWx3."""
    if pixels.shape[2] != 4:
        return False
    # AND whole pixels bitwise, which takes a third of the time of finding the least alpha.
    common = np.bitwise_and.reduce(np.ascontiguousarray(pixels).reshape(-1).view(np.uint32))
    return bool(common.tobytes()[3] == 255)


def colored(levels: U8, table: U8) -> U8:
    """The colours of levels or indices (h, w) by a `table` (256, 3 or 4) uint8; (h, w, 3 or 4)."""
    # Plane by plane, this takes a tenth of the time that NumPy takes for whole colours.
    planes = [cv2.LUT(levels, np.ascontiguousarray(plane)) for plane in table.T]
    return np.asarray(cv2.merge(planes), np.uint8)


def rounded(samples: NDArray[np.uint8 | np.uint16]) -> U8:
    """Round 16-bit samples of any shape to 8 bits, v / 257; 8-bit samples are returned unchanged."""
    if samples.dtype == np.uint8:
        return samples.astype(np.uint8, copy=False)
    result = np.empty(samples.shape, np.uint8)
    rows = np.ascontiguousarray(samples, np.uint16).reshape(len(samples), -1)
    # NumPy would divide wider numbers, and take seven times as long.
    cv2.convertScaleAbs(rows, dst=result.reshape(rows.shape), alpha=1 / 257)
    return result
