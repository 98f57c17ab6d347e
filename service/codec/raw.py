"""Pixels as a decoder found them: not yet sRGB, not yet turned."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Mode = Literal["L", "RGB", "RGBA", "CMYK"]
Wanted = tuple[int, int] | None


class Raw(NamedTuple):
    """HxW (L), HxWx3 (RGB) or HxWx4 (RGBA, CMYK) uint8; `alpha` is HxW, for grey with transparency."""

    mode: Mode
    pixels: Pixels
    alpha: Pixels | None = None


def is_opaque(pixels: Pixels) -> bool:
    """Whether HxWx4 has an alpha of 255 throughout; False for HxWx3, which has none to drop."""
    return pixels.shape[2] == 4 and int(pixels[..., 3].min()) == 255
