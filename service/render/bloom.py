"""Bloom: bright parts glow, in linear light, at an eighth of the size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from service.render.dither import noise
from service.render.tone import LINEAR16, SRGB8, lut
from service.scene import Bloom

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

STEP = 8
LOBES = ((1.0, 0.5), (2.5, 0.3), (6.0, 0.2))  # sigma in units of the reach, share


def glow(pixels: U8, bloom: Bloom) -> F32:
    """The light to add, linear (h/8, w/8, 3): what exceeds the threshold, spread by three Gaussians.

    The threshold has a soft knee of half its distance to white: t² / (2·knee) below, linear above.
    """
    h, w = pixels.shape[:2]
    size = (max(w // STEP, 1), max(h // STEP, 1))
    small = cv2.resize(np.ascontiguousarray(pixels[..., :3]), size, interpolation=cv2.INTER_AREA)
    small = lut(np.asarray(small, np.uint8))
    if pixels.shape[2] == 4:
        alpha = cv2.resize(np.ascontiguousarray(pixels[..., 3]), size, interpolation=cv2.INTER_AREA)
        small *= (alpha.astype(np.float32) * np.float32(1 / 255))[..., None]
    level = small.max(axis=2)
    threshold = np.float32(bloom.threshold**2.2)
    knee = np.float32(max((1 - float(threshold)) * 0.5, 1e-3))
    over = np.clip(level - threshold + knee, 0, 2 * knee)
    share = np.maximum(over * over / (4 * knee), level - threshold) / np.maximum(level, np.float32(1e-4))
    bright = small * np.clip(share, 0, 1)[..., None]
    unit = max((0.004 + 0.016 * bloom.radius) * min(h, w) / STEP, 0.3)
    total = np.zeros_like(bright)
    for spread, part in LOBES:
        total += np.float32(part) * cv2.GaussianBlur(
            bright, (0, 0), unit * spread, borderType=cv2.BORDER_REPLICATE
        )
    total *= np.float32(bloom.intensity * 0.55)
    return np.asarray(total, np.float32)


def apply(band: U8, y: int, light: F32, size: tuple[int, int]) -> U8:
    """Rows from `y` on with their glow added in linear light; on transparent parts the glow raises alpha.

    `light` is the whole picture's glow, `size` its width and height.
    """
    (width, height), (rows, columns) = size, light.shape[:2]
    across, down = columns / width, rows / height
    move = np.array([[across, 0, across / 2 - 0.5], [0, down, (y + 0.5) * down - 0.5]])
    part = cv2.warpAffine(
        light, move, (width, len(band)), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return _add(band, np.asarray(part, np.float32), y)


def _add(band: U8, light: F32, y: int) -> U8:
    rgb = np.ascontiguousarray(band[..., :3])
    below = cv2.LUT(rgb, LINEAR16)
    # One code value's worth of noise where light is added, so that the glow does not step.
    step = cv2.LUT(rgb, _STEP16)
    spread = noise(0, y, band.shape[1], band.shape[0]) - np.float32(0.5)
    grown = np.minimum(light * np.float32(1 << 18), 1) * step * spread[..., None]
    if band.shape[2] == 3:
        grown += light * np.float32(65535)
        grown += below
        return np.asarray(np.take(SRGB8, np.clip(grown, 0, 65535).astype(np.uint16)), np.uint8)
    alpha = band[..., 3].astype(np.float32) * np.float32(1 / 255)
    raised = np.maximum(alpha, np.clip(alpha + light.max(axis=2), 0, 1))
    total = below * alpha[..., None] + light * np.float32(65535) + grown
    straight = total / np.maximum(raised, np.float32(1 / 255))[..., None]
    color = np.take(SRGB8, np.clip(straight, 0, 65535).astype(np.uint16))
    return np.dstack([color, np.round(raised * 255).astype(np.uint8)])


_STEP16 = np.gradient(LINEAR16.astype(np.float32)).astype(np.float32)
