"""Encodes pixels as a picture file."""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np

from ..arrays import U8
from ..settings.formats import WRITTEN
from ..settings.scene import Output
from .formats import parts
from .formats.png import encode as png
from .raw import is_opaque


class Writer(Protocol):
    """A picture file written while the picture is still being made."""

    def write(self, band: U8) -> None:
        """Add the next rows, HxWx3 or HxWx4 uint8; the band may be reused at once."""
        ...

    def finish(self) -> bytes:
        """The complete file; raises ValueError when rows are missing."""
        ...


class Opener(Protocol):
    """Begins a file of `width` x `height` pixels."""

    def __call__(self, width: int, height: int, *, alpha: bool, output: Output) -> Writer:
        """The bands are HxWx4 if `alpha`, otherwise HxWx3.

        The file is tagged sRGB and has `output.xmp`, if that is not empty.
        """
        ...


OPENERS: dict[str, Opener] = parts(WRITTEN, "encode", "writer")


def encode(pixels: U8, output: Output) -> bytes:
    """Encode HxWx3 or HxWx4 uint8 sRGB, straight alpha, in the format of `output`, tagged sRGB.

    An alpha channel that is 255 throughout is dropped.
    """
    if is_opaque(pixels):
        pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.uint8)
    height, width, channels = pixels.shape
    file = writer(width, height, alpha=channels == 4, output=output)
    file.write(pixels)
    return file.finish()


def writer(width: int, height: int, *, alpha: bool, output: Output) -> Writer:
    """Begin a file of `width` x `height` pixels that is written in bands, top to bottom.

    The bands are HxWx4 if `alpha`, otherwise HxWx3, uint8 sRGB; they do not affect the file.
    """
    return OPENERS[output.format](width, height, alpha=alpha, output=output)


def trim() -> None:
    """Release the memory that encoders keep for the next picture."""
    png.trim()
