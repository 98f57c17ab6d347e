"""What happens to the finished picture, in one go: code values stay fractional until the last step."""

from __future__ import annotations

import cv2
import numpy as np

from service.arrays import F32, U8, U16
from service.models.scene import Effects
from service.render import bloom, grain, vignette
from service.render.dither import spread3


def apply(band: U8, y: int, effects: Effects, size: tuple[int, int], glow: U16 | None) -> U8:
    """Rows from `y` on of a picture of `size` with its effects; the same array where there are none.

    Bloom, then vignette, then grain: light spreads in the glass, darkens at its rim, meets the film. `glow`
    is the whole picture's, see `bloom.glow`; None when nothing glows. Rounded once, with dither: what no
    effect touches stays as it is.
    """
    (width, height), rows = size, slice(y, y + len(band))
    if glow is not None and band.shape[2] == 3 and not bloom.reaches(glow, rows):
        glow = None
    if glow is None and not (effects.vignette or effects.grain):
        return band
    rgb, alpha = band, None
    if band.shape[2] == 4:
        rgb = np.asarray(cv2.cvtColor(band, cv2.COLOR_RGBA2RGB), np.uint8)
        alpha = np.asarray(cv2.extractChannel(band, 3), np.uint8)
    code: F32 | U8 = rgb
    if glow is not None:
        light = bloom.enlarged(glow, rows, width)
        if alpha is None:
            code = bloom.add(rgb, light)
        else:
            code, alpha = bloom.raise_alpha(rgb, alpha, light)
    if effects.vignette:
        dark = vignette.factor(effects.vignette, width, height, rows)
        product = cv2.multiply(code, cv2.cvtColor(dark, cv2.COLOR_GRAY2RGB), dtype=cv2.CV_32F)
        code = np.asarray(product, np.float32)
    offset = spread3(0, y, width, len(band))
    shift = np.float32(-0.5)
    if effects.grain:
        film = grain.noise(code, y, effects.grain)
        film += shift
        cv2.add(offset, cv2.cvtColor(film, cv2.COLOR_GRAY2RGB), dst=offset)
    else:
        offset += shift
    rgb = np.asarray(cv2.add(code, offset, dtype=cv2.CV_8U), np.uint8)
    return rgb if alpha is None else np.dstack([rgb, alpha])
