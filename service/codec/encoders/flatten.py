"""Transparent pixels laid on a colour, for formats without alpha."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WHITE = (255, 255, 255)


def flatten(pixels: NDArray[np.uint8], color: tuple[int, int, int] = WHITE) -> NDArray[np.uint8]:
    """Lay HxWx4 straight-alpha uint8 on `color`: round((a·c + (255 − a)·color) / 255); HxWx3 stays itself."""
    if pixels.shape[2] == 3:
        return pixels
    result = np.empty((*pixels.shape[:2], 3), np.uint8)
    # A few rows at a time, so that the wide intermediate values stay in the cache.
    for top in range(0, len(pixels), 64):
        rows = pixels[top : top + 64]
        alpha = rows[..., 3:].astype(np.uint16)
        mixed = rows[..., :3] * alpha + (255 - alpha) * np.array(color, np.uint16)
        # Exact division by 255 of values up to 65,025: (v + 128 + (v + 128 >> 8)) >> 8 is round(v / 255).
        mixed += 128
        mixed += mixed >> 8
        np.right_shift(mixed, 8, out=mixed)
        result[top : top + 64] = mixed
    return result
