"""WebP by libwebp, through Pillow, which lets the method be chosen."""

from __future__ import annotations

import io
from functools import partial

from PIL import Image

from ....arrays import U8
from ....settings.scene import Output
from ...color.icc import srgb
from ...whole import WholeWriter

# Method 4, libwebp's default, takes more than twice as long for files 5 % smaller; see docs/formats.md.
METHOD, FAST_METHOD = 2, 1


def writer(width: int, height: int, *, alpha: bool, output: Output) -> WholeWriter:
    """A writer of the quality and effort that `output` asks for."""
    return WholeWriter(width, height, alpha=alpha, encode=partial(_encoded, output=output))


def _encoded(pixels: U8, output: Output) -> bytes:
    """HxWx3 or HxWx4 uint8 sRGB as a WebP file with an sRGB profile."""
    file = io.BytesIO()
    method = FAST_METHOD if output.fast else METHOD
    Image.fromarray(pixels).save(
        file, "WEBP", quality=output.quality, method=method, icc_profile=srgb(), xmp=output.xmp
    )
    return file.getvalue()
