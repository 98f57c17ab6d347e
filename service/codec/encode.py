"""Pixels to the bytes of a picture file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from service.arrays import U8
from service.codec.encoders import jpeg, png, webp
from service.models.scene import Output

MIME = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}


class Writer(Protocol):
    """A picture file that is written while the picture is still being made."""

    def write(self, band: U8) -> None:
        """Add the next rows, HxWx3 or HxWx4 uint8; the band may be reused at once."""
        ...

    def finish(self) -> bytes:
        """The whole file; raises ValueError when rows are missing."""
        ...


class Opener(Protocol):
    """Begins a file of `width` x `height` pixels."""

    def __call__(self, width: int, height: int, *, alpha: bool, output: Output) -> Writer:
        """With `alpha` the bands are HxWx4, else HxWx3."""
        ...


ENCODERS: dict[str, Callable[[U8, Output], bytes]] = {
    "png": png.encode,
    "jpeg": jpeg.encode,
    "webp": webp.encode,
}

WRITERS: dict[str, Opener] = {"png": png.writer, "jpeg": jpeg.writer, "webp": webp.writer}


def encode(pixels: U8, output: Output) -> bytes:
    """Encode HxWx3 or HxWx4 uint8 sRGB, straight alpha, in the format of `output`, tagged sRGB."""
    return ENCODERS[output.format](pixels, output)


def writer(width: int, height: int, *, alpha: bool, output: Output) -> Writer:
    """Begin a file of `width` x `height` pixels that is handed over in bands, top to bottom.

    The bands are HxWx4 when `alpha`, else HxWx3; the file is the same however the picture is cut.
    """
    return WRITERS[output.format](width, height, alpha=alpha, output=output)
