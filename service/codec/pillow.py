"""Pixels of a Pillow image, without a second copy of the whole picture."""

from __future__ import annotations

import numpy as np
from PIL import Image

from ..arrays import U8
from .raw import Mode, bands


def pixels_of(image: Image.Image, mode: Mode) -> U8:
    """The image converted to `mode`: HxWx3 (RGB) or HxWx4 (RGBA, CMYK) uint8."""
    width, height = image.size
    image.load()
    result = np.empty((height, width, len(mode)), np.uint8)
    for rows in bands(height, width):
        result[rows] = np.asarray(image.crop((0, rows.start, width, rows.stop)).convert(mode), np.uint8)
    return result
