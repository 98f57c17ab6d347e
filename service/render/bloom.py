"""Bloom: bright parts glow, in linear light, at an eighth of the size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from service.render.tone import LINEAR16, lut
from service.scene import Bloom

U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
F32 = NDArray[np.float32]

STEP = 8
LOBES = ((1.0, 0.5), (2.5, 0.3), (6.0, 0.2))  # sigma in units of the reach, share

#: 16-bit linear light to fractional code values: straight lines between whole ones, which come back exactly.
_CODES = np.interp(np.arange(65536), LINEAR16, np.arange(256)).astype(np.float32)


def reduced(band: U8) -> U8:
    """Rows at an eighth of the size, a last block that is not whole continued from its edge.

    `band` begins at a multiple of 8 rows; (rows, w, 3 or 4) to (rows/8, w/8, same), rounded up.
    """
    h, w = band.shape[:2]
    below, right = -h % STEP, -w % STEP
    if below or right:
        band = np.asarray(cv2.copyMakeBorder(band, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    size = ((w + right) // STEP, (h + below) // STEP)
    return np.asarray(cv2.resize(band, size, interpolation=cv2.INTER_AREA), np.uint8)


def glow(small: U8, bloom: Bloom, size: tuple[int, int]) -> U16:
    """The light to add, 16-bit linear (h/8, w/8, 3): what exceeds the threshold, spread by three Gaussians.

    `small` is the whole picture `reduced`, `size` its width and height. The threshold has a soft knee of half
    its distance to white: t² / (2·knee) below, linear above.
    """
    light = lut(np.ascontiguousarray(small[..., :3]))
    if small.shape[2] == 4:
        light *= (small[..., 3].astype(np.float32) * np.float32(1 / 255))[..., None]
    level = light.max(axis=2)
    threshold = np.float32(bloom.threshold**2.2)
    knee = np.float32(max((1 - float(threshold)) * 0.5, 1e-3))
    over = np.clip(level - threshold + knee, 0, 2 * knee)
    share = np.maximum(over * over / (4 * knee), level - threshold) / np.maximum(level, np.float32(1e-4))
    bright = light * np.clip(share, 0, 1)[..., None]
    unit = max((0.004 + 0.016 * bloom.radius) * min(size) / STEP, 0.3)
    total = np.zeros_like(bright)
    for spread, part in LOBES:
        total += np.float32(part) * cv2.GaussianBlur(
            bright, (0, 0), unit * spread, borderType=cv2.BORDER_REPLICATE
        )
    total *= np.float32(bloom.intensity * 0.55 * 65535)
    return np.asarray(np.clip(total + np.float32(0.5), 0, 65535), np.uint16)


def enlarged(light: U16, rows: slice, width: int) -> U16:
    """Some rows of the whole picture's glow at full size, (rows, width, 3)."""
    first, last = rows.start // STEP - 1, (rows.stop - 1) // STEP + 2
    above, below = max(-first, 0), max(last - len(light), 0)
    part = cv2.copyMakeBorder(light[max(first, 0) : last], above, below, 0, 0, cv2.BORDER_REPLICATE)
    size = (light.shape[1] * STEP, len(part) * STEP)
    full = cv2.resize(part, size, interpolation=cv2.INTER_LINEAR)
    top = rows.start - first * STEP
    return np.asarray(full[top : top + rows.stop - rows.start, :width], np.uint16)


def add(rgb: U8, light: U16) -> F32:
    """Rows (h, w, 3) with their glow added in linear light, as fractional code values."""
    return np.asarray(cv2.LUT(cv2.add(cv2.LUT(rgb, LINEAR16), light), _CODES), np.float32)


def raise_alpha(rgb: U8, alpha: U8, light: U16) -> tuple[F32, U8]:
    """The same where the picture is transparent: glow adds to what is there, premultiplied, and to alpha.

    `alpha` (h, w); fractional code values (h, w, 3), straight, and the new alpha.
    """
    cover = alpha.astype(np.float32) * np.float32(1 / 255)
    raised = np.minimum(cover + light.max(axis=2).astype(np.float32) * np.float32(1 / 65535), 1)
    total = cv2.LUT(rgb, LINEAR16) * cover[..., None]
    total += light
    total /= np.maximum(raised, np.float32(1 / 255))[..., None]
    code = cv2.LUT(np.clip(total + np.float32(0.5), 0, 65535).astype(np.uint16), _CODES)
    return np.asarray(code, np.float32), np.round(raised * 255).astype(np.uint8)
