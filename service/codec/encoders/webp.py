"""WebP by libwebp, through Pillow, which alone lets the method be chosen."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from service.codec.profiles import srgb
from service.scene import Output

# Method 4, libwebp's default, takes more than twice as long for 4 % less; see docs/formats.md.
METHOD, FAST_METHOD = 2, 1


def encode(pixels: NDArray[np.uint8], output: Output) -> bytes:
    """Encode HxWx3 or HxWx4 uint8 sRGB with an sRGB profile."""
    file = io.BytesIO()
    method = FAST_METHOD if output.fast else METHOD
    image = Image.fromarray(pixels)
    image.save(file, "WEBP", quality=output.quality, method=method, icc_profile=srgb())
    return file.getvalue()
