"""Between linear light and sRGB code values, and the shoulder that keeps highlights from clipping."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from service import srgb
from service.arrays import F32, U8, U16

KNEE = 0.65  # linear radiance where the shoulder begins
PALE = 0.5  # how soon highlights pale, for each unit of radiance that they are compressed by; by eye
HUE = 0.6  # share of highlights that keep their hue, of which the rest turns yellow; by eye

_STEPS = np.arange(255 * 16 + 2) / (255.0 * 16)
_LIGHT16 = np.zeros(65536, np.uint16)
_LIGHT16[: len(_STEPS)] = np.round(srgb.decode(_STEPS) * 65535).clip(0, 65535)
_CODES = (srgb.encode(np.arange(65536) / 65535.0) * 255).astype(np.float32)


def linear(color: tuple[int, ...]) -> F32:
    """Linear light (3,) float32 in 0-1 of an sRGB colour with components 0-255."""
    return srgb.LINEAR[list(color[:3])]


def encode(light: F32) -> F32:
    """Linear light (...), clipped to 0-1, to fractional sRGB code values 0-255; float32, same shape.

    Exact to 0.03 levels, in the darkest tones to 0.052.
    """
    steps = np.clip(light, 0, 1)
    steps *= np.float32(65535)
    steps += np.float32(0.5)
    return np.asarray(_looked_up(_CODES, steps), np.float32)


def decode16(code: F32) -> U16:
    """Fractional sRGB code values (...), clipped to 0-255, to 16-bit linear light; uint16, same shape.

    Exact to a 32nd of a code value.
    """
    steps = np.clip(code, 0, 255)
    steps *= np.float32(16)
    steps += np.float32(0.5)
    return np.asarray(_looked_up(_LIGHT16, steps), np.uint16)


def _looked_up(table: F32 | U16, steps: F32) -> NDArray[Any]:
    """The entries (65536,) of a table at `steps` (...), rounded down; same shape."""
    # NumPy would make numbers of 64 bits of the indices first, which takes six times as long.
    index = steps.astype(np.uint16)
    found = cv2.LUT(index.reshape(1, -1), table) if index.size else table[:0]
    return np.asarray(found).reshape(index.shape)


def shoulder(light: F32) -> F32:
    """Compress radiance (...) above the knee k towards 1, in place; float32, returns the same array.

    x up to k, 1 - (1-k)² / (x + 1 - 2k) above, a hyperbola: three times white can be told from twice.
    """
    room = 1 - KNEE
    over = light > KNEE
    if over.any():
        x = light[over]
        light[over] = 1 - room * room / (x + (1 - 2 * KNEE))
    return light


def highlights(light: F32) -> F32:
    """Compress the highlights of coloured light, radiance (..., 3), in place; returns the same array.

    The shoulder compresses the strongest channel, and the others keep their ratio to it, so that the hue
    stays; then all pale towards white, the more they were compressed, as in Khronos' "PBR Neutral" tone
    mapper (2024). Alone, that turns orange to pink. Channels that are compressed one by one, as film does,
    turn it to yellow; the mean of both, by `HUE`, is a paler orange.
    """
    peak = light.max(axis=-1)
    over = peak > KNEE
    if over.any():
        own, before = light[over], peak[over]
        after = shoulder(before.copy())
        kept = 1 / (1 + np.float32(PALE) * (before - after))
        paler = after[:, None] + (own * (after / before)[:, None] - after[:, None]) * kept[:, None]
        apart = shoulder(own)
        light[over] = apart + (paler - apart) * np.float32(HUE)
    return light


def headroom(below: F32, gain: F32) -> F32:
    """A screen's gain under the shoulder, where it mirrors the radiance `below`; all of shape (h, w), 0-1.

    Gains are linear and the shoulder is not, so it is scaled by the shoulder's mean slope from `below` to
    half a white screenshot above it: strong glare washes a screenshot out instead of clipping its colours.
    """
    left = gain.copy()
    near = below + gain * np.float32(0.5) > KNEE
    if near.any():
        under, half = below[near], gain[near] * np.float32(0.5)
        left[near] = 2 * (shoulder(under + half) - shoulder(under))
    return left


def lut(code: U8, white: F32 | None = None) -> F32:
    """Linear light (h, w, 3) float32 of a surface with uint8 code values (h, w, 3), under `white` (3,)."""
    return np.asarray(
        cv2.LUT(code, srgb.LINEAR if white is None else srgb.LINEAR[None, :, None] * white), np.float32
    )
