"""Blurs the dark lines between walls and faces of references as the renderer does, so that they look even."""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks.regions import Regions, share, slots
from benchmarks.solid import GASKET
from service.arrays import F32

DARK = np.float32(0.006)  # radiance of a line
FILTER = np.array([[1, 6, 1]], np.float32) / 8
# weights of the pixels around one: their light counts as that beside a line by the line's share of the pixel
AROUND = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.float32) / 4


def even(light: F32, alpha: F32, regions: Regions) -> F32:
    """Premultiplied linear light (h, w, 3) of a coverage (h, w), with lines blurred to pixels beside them."""
    own = share(slots(regions) == GASKET)
    spread = cv2.filter2D(own, -1, FILTER.T @ FILTER, borderType=cv2.BORDER_CONSTANT)
    beside, rest = light - DARK * own[..., None], np.maximum(alpha - own, 0)
    weight = own / np.maximum(np.maximum(alpha, own), 1e-6)
    beside = beside + weight[..., None] * cv2.filter2D(beside, -1, AROUND)
    rest = rest + weight * cv2.filter2D(rest, -1, AROUND)
    dark = np.minimum(spread, alpha)[..., None]
    lined = beside / np.maximum(rest, 1e-6)[..., None] * (alpha[..., None] - dark) + DARK * dark
    return np.asarray(np.where(spread[..., None] > 0, lined, light), np.float32)
