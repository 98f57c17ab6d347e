"""WebP by libwebp, through Pillow, which alone lets the method be chosen."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from service.arrays import U8
from service.codec.profiles import srgb
from service.models.scene import Output

# Method 4, libwebp's default, takes more than twice as long for 5 % less; see docs/formats.md.
METHOD, FAST_METHOD = 2, 1


class Writer:
    """A WebP file handed over band by band; WebP cannot be written in parts, so the picture is gathered."""

    def __init__(self, width: int, height: int, *, alpha: bool, output: Output) -> None:
        """Begin a picture of `width` x `height` pixels, RGBA when `alpha`, else RGB."""
        self._pixels = np.empty((height, width, 4 if alpha else 3), np.uint8)
        self._rows = 0
        self._output = output

    def write(self, band: U8) -> None:
        """Add the next rows, HxWx3 or HxWx4 uint8 as announced."""
        rows = self._pixels[self._rows : self._rows + len(band)]
        if not len(band) or rows.shape != band.shape:
            raise ValueError(f"a band of shape {band.shape} does not belong here")
        rows[:] = band
        self._rows += len(band)

    def finish(self) -> bytes:
        """The whole file; raises ValueError when rows are missing."""
        if self._rows < len(self._pixels):
            raise ValueError(f"{len(self._pixels) - self._rows} rows were not written")
        return encode(self._pixels, self._output)


writer = Writer


def encode(pixels: U8, output: Output) -> bytes:
    """Encode HxWx3 or HxWx4 uint8 sRGB with an sRGB profile."""
    file = io.BytesIO()
    method = FAST_METHOD if output.fast else METHOD
    image = Image.fromarray(pixels)
    image.save(file, "WEBP", quality=output.quality, method=method, icc_profile=srgb())
    return file.getvalue()
