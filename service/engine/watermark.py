"""The watermark on pictures that are made with a test key."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from ..arrays import F32, U8
from ..render.drawing.lettering import lettering

TEXT = "TEST"
# The side of a tile as a share of the picture's short side, and its minimum in px.
_SIDE, _LEAST = 0.25, 40
# The size of the letters as a share of a tile's side, and their angle in degrees.
_EM, _ANGLE = 0.22, 30.0
# Strength of the letters and of the shade around them.
_LIGHT, _DARK = 0.6, 0.4


def mark(band: U8, top: int, height: int) -> U8:
    """A copy of a picture's rows from `top` on, HxWx3 or HxWx4, with the watermark over them.

    `height` is the picture's, px. Light letters have a dark shade around them, so that they are visible on
    any background, and they are opaque even where the picture is transparent.
    """
    rows, width, channels = band.shape
    side = max(_LEAST, round(min(width, height) * _SIDE))
    y = np.arange(top, top + rows)[:, None]
    # Each row of tiles is shifted by half a tile relative to the row above.
    x = np.arange(width)[None] + y // side % 2 * (side // 2)
    light, dark = (tile[y % side, x % side][..., None] for tile in _tile(side))
    marked = band.astype(np.float32)
    marked[..., :3] *= 1 - dark
    marked[..., :3] += (255 - marked[..., :3]) * light
    if channels == 4:
        marked[..., 3:] += (255 - marked[..., 3:]) * np.maximum(light, dark)
    return np.asarray(marked + 0.5, np.uint8)


@lru_cache(maxsize=8)
def _tile(side: int) -> tuple[F32, F32]:
    """The strength of the letters and of the shade around them, side x side, 0 to 1."""
    em = side * _EM
    letters, _ = lettering(TEXT, (0, 0), em, "SemiBold")
    # The letters are rotated about the middle of their bounding box.
    x, y, wide, tall = cv2.boundingRect(np.asarray(letters > 0, np.uint8))
    middle = x + wide / 2, y + tall / 2
    turn = cv2.getRotationMatrix2D(middle, _ANGLE, 1.0)
    turn[:, 2] += np.array((side / 2 - middle[0], side / 2 - middle[1]))
    light = cv2.warpAffine(letters, turn, (side, side), flags=cv2.INTER_LINEAR)
    near = cv2.GaussianBlur(light, (0, 0), em * 0.07)
    dark = np.clip(near * 1.6, 0, 1) * (1 - light)
    return np.asarray(light * _LIGHT, np.float32), np.asarray(dark * _DARK, np.float32)
