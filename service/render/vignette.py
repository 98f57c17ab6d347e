"""Vignette: the picture darkens towards its corners."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from service.render.dither import noise
from service.scene import Vignette

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

BAND = 64


def factor(vignette: Vignette, width: int, height: int, rows: slice) -> F32:
    """What code values are multiplied with, (rows, width) in 0-1.

    1 - amount·s(r), r = distance from the centre over half the diagonal, s = smoothstep from 1 - 0.9·softness
    - 0.1 to 1.05: softness 1 begins at the centre, 0 near the corners.
    """
    x = (np.arange(width, dtype=np.float32) + np.float32(0.5)) / np.float32(width / 2) - 1
    y = (np.arange(rows.start, rows.stop, dtype=np.float32) + np.float32(0.5)) / np.float32(height / 2) - 1
    distance = np.sqrt((x * x)[None] + (y * y)[:, None]) * np.float32(np.sqrt(0.5))
    start = 0.9 - 0.9 * vignette.softness
    t = np.clip((distance - np.float32(start)) / np.float32(1.05 - start), 0, 1)
    return np.asarray(1 - np.float32(vignette.amount) * t * t * (3 - 2 * t), np.float32)


def apply(pixels: U8, vignette: Vignette) -> U8:
    """The darkened picture, dithered, a new array; alpha stays."""
    if vignette.amount == 0:
        return pixels
    h, w = pixels.shape[:2]
    result = pixels.copy()
    for y in range(0, h, BAND):
        rows = slice(y, min(y + BAND, h))
        amount = factor(vignette, w, h, rows)
        spread = noise(0, y, w, rows.stop - y) * np.float32(0.996) + np.float32(0.002)
        band = np.ascontiguousarray(pixels[rows, :, :3]).astype(np.float32)
        cv2.multiply(band, cv2.merge([amount] * 3), dst=band)
        cv2.add(band, cv2.merge([spread] * 3), dst=band)
        result[rows, :, :3] = band
    return result
