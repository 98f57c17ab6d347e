"""APNG, frame by frame: each frame holds the box that changed."""

from __future__ import annotations

import struct
from typing import BinaryIO

import numpy as np
from isal import isal_zlib

from ...arrays import U8
from ...codec.formats.png.chunk import chunk
from ...render.geometry.raster import Box
from .difference import Difference
from .encoder import Reel

MILLISECONDS = 1000
LEVEL = 3  # ISA-L's level, of 0 to 3


class APNG:
    """A lossless animation that repeats; see the PNG specification, third edition."""

    def __init__(self, file: BinaryIO, reel: Reel) -> None:
        """Write the head of a file."""
        self._file, self._reel = file, reel
        self._frame = self._sequence = 0
        self._difference = Difference()
        kind = 6 if reel.alpha else 2
        self._file.write(b"\x89PNG\r\n\x1a\n")
        self._chunk(b"IHDR", struct.pack(">IIBBBBB", reel.width, reel.height, 8, kind, 0, 0, 0))
        self._chunk(b"sRGB", b"\0")
        self._chunk(b"acTL", struct.pack(">II", reel.count, 0))

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """As `Encoder.write`."""
        frame = self._frame
        self._frame += 1
        box = self._difference.box(pixels)
        start, end = (self._reel.at(one, MILLISECONDS) for one in (frame, frame + 1))
        sides = box.width, box.height, box.x, box.y
        # Each frame's pixels replace the earlier ones; they are neither disposed of nor blended.
        self._numbered(b"fcTL", struct.pack(">IIIIHHBB", *sides, end - start, 1000, 0, 0))
        data = _deflated(pixels[box.slices])
        if frame == 0:
            self._chunk(b"IDAT", data)
        else:
            self._numbered(b"fdAT", data)

    def finish(self) -> None:
        """As `Encoder.finish`."""
        self._chunk(b"IEND", b"")

    def _numbered(self, kind: bytes, content: bytes) -> None:
        number = struct.pack(">I", self._sequence)
        self._sequence += 1
        self._chunk(kind, number, content)

    def _chunk(self, kind: bytes, *content: bytes) -> None:
        for part in chunk(kind, *content):
            self._file.write(part)


def _deflated(pixels: U8) -> bytes:
    """Compressed rows, as differences to the rows above."""
    rows = np.ascontiguousarray(pixels).reshape(len(pixels), -1)
    filtered = np.empty((len(rows), rows.shape[1] + 1), np.uint8)
    filtered[:, 0] = 2
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    return bytes(isal_zlib.compress(filtered, LEVEL))
