"""Colours weighted by a share of each pixel: what it covers, what passes, what is left of it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]


def weighted(rgb: F32, share: F32, out: F32 | None = None) -> F32:
    """Colours (h, w, 3) times a share (h, w), as a new array or in `out`, which may be `rgb`."""
    # NumPy takes the three channels of a broadcast one by one.
    wide = cv2.cvtColor(np.ascontiguousarray(share), cv2.COLOR_GRAY2RGB)
    return np.asarray(cv2.multiply(rgb, wide, dst=out), np.float32)
