"""Bilinear samples of pictures and tables at scattered places."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from ..arrays import F32

Pixels = TypeVar("Pixels", bound=NDArray[Any])

LONGEST = (1 << 15) - 1  # OpenCV's limit on places in a row or column
ROW = 4096  # number of places in a row, if they have to be arranged in several rows


def bilinear(picture: Pixels, columns: F32, rows: F32) -> Pixels:
    """Bilinear samples (...) or (..., c) of a picture (h, w) or (h, w, c) at columns and rows (...).

    Whole numbers are the middles of px; beyond the outermost px, the values of these continue.
    """
    shape, count = columns.shape, columns.size
    if not count:
        return cast(Pixels, np.empty((*shape, *picture.shape[2:]), picture.dtype))
    if len(shape) != 2 or max(shape) > LONGEST:
        width = count if count <= ROW else ROW
        columns, rows = (_wrapped(places, width) for places in (columns, rows))
    looked_up = cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cast(Pixels, looked_up.reshape(-1, *picture.shape[2:])[:count].reshape(*shape, *picture.shape[2:]))


def _wrapped(places: F32, width: int) -> F32:
    """Places arranged in rows of `width`; the last row is filled up with the first places."""
    count = -(-places.size // width)
    return np.resize(places, (count, width)) if places.size % width else places.reshape(count, width)
