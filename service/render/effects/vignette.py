"""Vignette: the picture darkens towards its corners."""

from __future__ import annotations

import cv2
import numpy as np

from ...arrays import F32, U16
from ...settings.effects import Vignette
from ..memoize import MIB, memoize
from .band import Band, Picture, Step


class Darkening(Step):
    """Multiplies code values by the vignette's factor."""

    def __init__(self, vignette: Vignette, size: tuple[int, int]) -> None:
        self._curve = curve(vignette)
        self._x, self._y = (squares(side) for side in size)

    def apply(self, band: Band) -> None:
        """Darken a band."""
        dark = factor(self._curve, self._x, self._y[band.rows])
        band.code = [
            np.asarray(cv2.multiply(plane, dark, dtype=cv2.CV_32F), np.float32) for plane in band.code
        ]


def prepare(vignette: Vignette, picture: Picture) -> Darkening:
    """The step for a picture, of which it needs only the size."""
    return Darkening(vignette, picture.size)


@memoize(MIB)  # room for three curves
def curve(vignette: Vignette) -> F32:
    """The factor for code values as a table over 65,535·r², (65536,) float32 in 0-1.

    It is 1 - amount·s(r), where r is the distance from the centre divided by half the diagonal, and s a
    smoothstep from 0.9·(1 - softness) to 1.05. With softness 1 it starts at the centre, with 0 near the
    corners.
    """
    start = 0.9 - 0.9 * vignette.softness
    t = np.clip((np.sqrt(np.arange(65536) / 65535) - start) / (1.05 - start), 0, 1)
    result = np.asarray(1 - vignette.amount * t * t * (3 - 2 * t), np.float32)
    result.flags.writeable = False
    return result


def factor(curve: F32, x: U16, y: U16) -> F32:
    """The factor for code values, (h, w) float32 in 0-1, of pixels whose `squares` are `x` (w,) and `y` (h,).

    Exact to a ten-thousandth.
    """
    return np.asarray(cv2.LUT(np.add.outer(y, x), curve), np.float32)


def squares(side: int) -> U16:
    """Each pixel's contribution to 65,535·r² from its position along one side, below 32,768; (side,)."""
    t = (2 * np.arange(side) + 1) / side - 1
    return np.asarray(np.round(t * t * (65535 / 2)), np.uint16)
