"""Conversion between linear light and sRGB code values, and the shoulder that prevents clipped highlights."""

from __future__ import annotations

import cv2
import numpy as np

from .. import srgb
from ..arrays import F32, U8
from .kernels.compositing import Curve

KNEE = 0.65  # linear radiance where the shoulder begins
PALE = 0.5  # rate at which highlights turn pale, per unit of radiance that the shoulder removes; by eye
HUE = 0.6  # share of the method that keeps the hue (see `highlights`); by eye

#: Fractional code values of linear light 0-65535, exact to 0.03 levels, in the darkest tones to 0.052:
#: (65536,) float32.
CODES = (srgb.encode(np.arange(65536) / 65535.0) * 255).astype(np.float32)
#: Linear light 0-65535 of sixteenths of code values, exact to a 32nd of one: (4081,) uint16.
LIGHT = np.round(srgb.decode(np.arange(255 * 16 + 1) / (255.0 * 16)) * 65535).astype(np.uint16)
#: From light to code values and back.
CURVE = Curve(KNEE, PALE, HUE, CODES, LIGHT)


def linear(color: tuple[int, ...]) -> F32:
    """Linear light (3,) float32 in 0-1 of an sRGB colour with components 0-255."""
    return srgb.LINEAR[list(color[:3])]


def strongest(light: F32) -> F32:
    """The strongest channel (n,) of radiance, the first three channels of (n, 3 or more)."""
    # NumPy is tens of times slower along an axis of three channels.
    return np.maximum(np.maximum(light[:, 0], light[:, 1]), light[:, 2])


def shoulder(light: F32) -> F32:
    """Compress radiance (...) above the knee k towards 1, in place; float32, returns the same array.

    Radiance x up to k is unchanged. Above k, it becomes 1 - (1-k)² / (x + 1 - 2k), a hyperbola, so light
    three times as bright as white still differs from light twice as bright.
    """
    CURVE.shoulder(light.reshape(-1, copy=False))
    return light


def highlights(light: F32) -> F32:
    """Compress the highlights of coloured light, radiance (..., 3), in place; returns the same array.

    Two methods are mixed by `HUE`. In the first, the shoulder compresses the strongest channel, and the
    others keep their ratio to it, so the hue stays; the more it was compressed, the more the colour then
    pales towards white, as in Khronos' "PBR Neutral" tone mapper (2024). By itself, this method turns orange
    to pink. In the second, each channel is compressed by itself, as on film; by itself, this method turns
    orange to yellow. The mix is a paler orange.
    """
    CURVE.highlights(light.reshape(-1, 3, copy=False))
    return light


def headroom(below: F32, gain: F32) -> F32:
    """A screen's gain (h, w), 0-1, under the shoulder, where the glass mirrors the radiance `below` (h, w),
    0-1.

    Gains are linear and the shoulder is not. So the gain is scaled by the shoulder's mean slope between
    `below` and `below` plus half the light of a white screenshot. Strong glare then washes a screenshot out
    instead of clipping its colours.
    """
    left = gain.copy()
    near = below + gain * np.float32(0.5) > KNEE
    if near.any():
        under, half = below[near], gain[near] * np.float32(0.5)
        left[near] = 2 * (shoulder(under + half) - shoulder(under))
    return left


def mixed(light: F32, under: F32, share: F32) -> F32:
    """Adjust the radiance of pixels that show two surfaces, so that the shoulder treats both correctly.

    `light` (n, 3) is the radiance of the pixels, a mean of both surfaces. `under` (n, 3) is the radiance of
    the surface that covers a `share` (n,) of each pixel, between 0 and 1; the other surface adds its own
    light to that. The shoulder compresses a mean less than it compresses the two surfaces by themselves, so
    such pixels could become too bright. It turns the radiance returned here into the weighted mean of the
    compressed surfaces.
    """
    part = share[:, None]
    whole = (light - under) / (1 - part) + under
    after = (1 - part) * shoulder(whole) + part * shoulder(under.copy())
    # Very bright light is compressed to exactly 1 in single precision.
    room = np.maximum(1 - after, np.float32(1e-6))
    return np.where(after > KNEE, (1 - KNEE) ** 2 / room - 1 + 2 * KNEE, after).astype(np.float32)


def lut(code: U8, white: F32 | None = None) -> F32:
    """Linear light (h, w, 3) float32 of a surface with uint8 code values (h, w, 3), under `white` (3,)."""
    return np.asarray(
        cv2.LUT(code, srgb.LINEAR if white is None else srgb.LINEAR[None, :, None] * white), np.float32
    )
