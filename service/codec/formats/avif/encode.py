"""AVIF by libavif and libaom, through Pillow's plugin; always 4:4:4, tagged sRGB by code points (nclx)."""

from __future__ import annotations

import io
from functools import partial

import pillow_avif  # noqa: F401, since importing it registers the format
from PIL import Image

from ....arrays import U8
from ....settings.scene import Output
from ...whole import WholeWriter

# libaom cannot be stopped, so its time is bounded: speed 9 takes half as long as 8, for files 17 % larger.
SPEED, FAST_SPEED = 8, 9
LARGE = 4_000_000  # pixels above which speed 8 takes too long
# Above this quality, libaom takes up to twice as long, and 8-bit YUV is never quite lossless anyway.
BEST_QUALITY = 98
# libaom's quantizer for alpha, 0-63, at every quality: that of the colours would fray edges.
ALPHA = "3"
# One thread gives other bytes than two or more, so the number is fixed.
THREADS = 2


def writer(width: int, height: int, *, alpha: bool, output: Output) -> WholeWriter:
    """Begin a file of `width` x `height` pixels with the quality and effort that `output` asks for."""
    return WholeWriter(width, height, alpha=alpha, encode=partial(_encoded, output=output))


def _encoded(pixels: U8, output: Output) -> bytes:
    """HxWx3 or HxWx4 uint8 sRGB, straight alpha, as an AVIF file."""
    file = io.BytesIO()
    fast = output.fast or pixels.shape[0] * pixels.shape[1] > LARGE
    Image.fromarray(pixels).save(
        file,
        "AVIF",
        codec="aom",
        quality=min(output.quality, BEST_QUALITY),
        speed=FAST_SPEED if fast else SPEED,
        subsampling="4:4:4",
        max_threads=THREADS,
        autotiling=False,
        advanced={"alpha:cq-level": ALPHA},
        xmp=output.xmp,
    )
    return file.getvalue()
