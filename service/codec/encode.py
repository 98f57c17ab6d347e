"""Pixels to the bytes of a picture file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from service.codec.encoders import jpeg, png, webp
from service.scene import Output

MIME = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}

ENCODERS: dict[str, Callable[[NDArray[np.uint8], Output], bytes]] = {
    "png": png.encode,
    "jpeg": jpeg.encode,
    "webp": webp.encode,
}


def encode(pixels: NDArray[np.uint8], output: Output) -> bytes:
    """Encode HxWx3 or HxWx4 uint8 sRGB, straight alpha, in the format of `output`, tagged sRGB."""
    return ENCODERS[output.format](pixels, output)
