"""Vignette: the picture darkens towards its corners."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from service.render.dither import noise
from service.scene import Vignette

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]


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


def apply(band: U8, y: int, vignette: Vignette, size: tuple[int, int]) -> U8:
    """Rows from `y` on of a picture of `size`, darkened and dithered, a new array; alpha stays."""
    width, height = size
    amount = factor(vignette, width, height, slice(y, y + len(band)))
    spread = noise(0, y, width, len(band)) * np.float32(0.996) + np.float32(0.002)
    light = np.ascontiguousarray(band[..., :3]).astype(np.float32)
    cv2.multiply(light, cv2.merge([amount] * 3), dst=light)
    cv2.add(light, cv2.merge([spread] * 3), dst=light)
    rgb = light.astype(np.uint8)
    return rgb if band.shape[2] == 3 else np.dstack([rgb, band[..., 3]])
