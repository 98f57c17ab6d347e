"""The sRGB curve of IEC 61966-2-1, as functions and as tables."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from .arrays import F32, F64

Floats = TypeVar("Floats", F32, F64)


def decode(code: Floats) -> Floats:
    """Linear light 0-1 of code values 0-1; same type, same shape."""
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def encode(light: F64) -> F64:
    """Code values 0-1 of linear light 0-1; float64, same shape."""
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-12) ** (1 / 2.4) - 0.055)


#: Linear light 0-1 of code values 0-255: (256,) float32.
LINEAR = decode(np.arange(256) / 255.0).astype(np.float32)
#: Linear light 0-65535 of code values 0-255: (256,) uint16.
LINEAR16 = np.round(decode(np.arange(256) / 255.0) * 65535).astype(np.uint16)
#: The nearest code values 0-255 of linear light 0-65535: (65536,) uint8.
SRGB8 = np.round(encode(np.arange(65536) / 65535.0) * 255).astype(np.uint8)
