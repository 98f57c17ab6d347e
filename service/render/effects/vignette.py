"""Vignette: the picture darkens towards its corners."""

from __future__ import annotations

import cv2
import numpy as np

from service.arrays import F32
from service.models.effects import Vignette
from service.render.effects.band import Band, Picture, Step


class Darkening(Step):
    """Multiplies code values by `factor`."""

    def __init__(self, vignette: Vignette) -> None:
        self._vignette = vignette

    def apply(self, band: Band) -> None:
        """Darken a band."""
        dark = factor(self._vignette, *band.size, band.rows)
        product = cv2.multiply(band.code, cv2.cvtColor(dark, cv2.COLOR_GRAY2RGB), dtype=cv2.CV_32F)
        band.code = np.asarray(product, np.float32)


def prepare(vignette: Vignette, picture: Picture) -> Darkening:
    """The step; a vignette needs nothing from the picture."""
    return Darkening(vignette)


def factor(vignette: Vignette, width: int, height: int, rows: slice) -> F32:
    """The factor for code values, (rows, width) float32 in 0-1.

    1 - amount·s(r), r = distance from the centre over half the diagonal, s = smoothstep from
    0.9·(1 - softness) to 1.05: softness 1 starts at the centre, 0 near the corners.
    """
    x = (np.arange(width, dtype=np.float32) + np.float32(0.5)) / np.float32(width / 2) - 1
    y = (np.arange(rows.start, rows.stop, dtype=np.float32) + np.float32(0.5)) / np.float32(height / 2) - 1
    start = 0.9 - 0.9 * vignette.softness
    # r is in units of the ramp, and x and y are scaled before they are squared and added.
    unit = np.float32(np.sqrt(0.5) / (1.05 - start))
    t = np.add.outer(np.square(y * unit), np.square(x * unit))
    np.sqrt(t, out=t)
    t -= np.float32(start / (1.05 - start))
    np.clip(t, 0, 1, out=t)
    curve = t * np.float32(-2)
    curve += np.float32(3)
    t *= t
    t *= curve
    t *= np.float32(-vignette.amount)
    t += np.float32(1)
    return np.asarray(t, np.float32)
