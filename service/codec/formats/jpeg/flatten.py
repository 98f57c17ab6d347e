"""Transparent pixels composited on white, for formats without alpha."""

from __future__ import annotations

import cv2
import numpy as np

from ....arrays import U8


def flatten(pixels: U8) -> U8:
    """Composite HxWx4 straight-alpha uint8 on white: 255 − round(a·(255 − c) / 255); HxWx3 is returned as is.

    The product is never halfway between two levels, so rounding it in single precision is exact.
    """
    if pixels.shape[2] == 3:
        return pixels
    rgb = cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB)
    alpha = cv2.cvtColor(cv2.extractChannel(pixels, 3), cv2.COLOR_GRAY2RGB)
    ink = cv2.multiply(alpha, cv2.bitwise_not(rgb), scale=1 / 255)
    return np.asarray(cv2.bitwise_not(ink), np.uint8)
