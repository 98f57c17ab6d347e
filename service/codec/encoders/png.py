"""PNG written in bands: filtered by numpy, deflated by ISA-L, joined into one zlib stream."""

from __future__ import annotations

import struct

import cv2
import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

from service.codec.raw import is_opaque
from service.scene import Output

LEVEL, FAST_LEVEL = 1, 0
BAND = 256


class Writer:
    """A PNG file written band by band, top to bottom, while the picture is still being made."""

    def __init__(self, width: int, height: int, *, alpha: bool, fast: bool = False) -> None:
        """Begin a picture of `width` x `height` pixels, RGBA when `alpha`, else RGB."""
        self._channels = 4 if alpha else 3
        self._size = (width, height)
        self._parts: list[bytes] = [b"\x89PNG\r\n\x1a\n"]
        self._above = np.zeros(width * self._channels, np.uint8)
        self._rows = 0
        self._adler = 1
        self._level = FAST_LEVEL if fast else LEVEL
        self._deflate = isal_zlib.compressobj(self._level, isal_zlib.DEFLATED, -15)
        self._chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6 if alpha else 2, 0, 0, 0))
        self._chunk(b"sRGB", b"\0")

    def write(self, band: NDArray[np.uint8]) -> None:
        """Add the next rows, HxWx3 or HxWx4 uint8 as announced."""
        width, height = self._size
        if band.shape[1:] != (width, self._channels) or not 0 < len(band) <= height - self._rows:
            raise ValueError(f"a band of shape {band.shape} does not belong here")
        rows = band.reshape(len(band), -1)
        filtered = np.empty((len(rows), 1 + rows.shape[1]), np.uint8)
        filtered[:, 0] = 2
        np.subtract(rows[0], self._above, out=filtered[0, 1:])
        np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
        self._above = rows[-1].copy()
        head = b"\x78\x01" if not self._rows else b""
        self._rows += len(rows)
        last = self._rows == height
        self._adler = isal_zlib.adler32(filtered, self._adler)
        packed = head + self._deflate.compress(filtered)
        if last:
            packed += self._deflate.flush() + struct.pack(">I", self._adler)
        if packed:
            self._chunk(b"IDAT", packed)

    def finish(self) -> bytes:
        """The whole file; raises ValueError when rows are missing."""
        if self._rows != self._size[1]:
            raise ValueError(f"{self._rows} of {self._size[1]} rows were written")
        self._chunk(b"IEND", b"")
        return b"".join(self._parts)

    def _chunk(self, kind: bytes, content: bytes) -> None:
        crc = isal_zlib.crc32(content, isal_zlib.crc32(kind))
        self._parts += [struct.pack(">I", len(content)), kind, content, struct.pack(">I", crc)]


def encode(pixels: NDArray[np.uint8], output: Output) -> bytes:
    """Encode HxWx3 or HxWx4 uint8 sRGB; an alpha channel that is 255 throughout is left out."""
    if is_opaque(pixels):
        pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.uint8)
    height, width, channels = pixels.shape
    writer = Writer(width, height, alpha=channels == 4, fast=output.fast)
    for top in range(0, height, BAND):
        writer.write(pixels[top : top + BAND])
    return writer.finish()
