"""PNG written in packets: filtered by numpy, deflated by ISA-L on several threads, joined to one zlib stream.

Every packet is deflated by itself and flushed to a whole byte, so packets can follow one another in any
zlib stream (RFC 1950, 1951); their checksums are combined. The bytes depend only on the pixels, not on the
number of threads or the bands.
"""

from __future__ import annotations

import struct
from collections import deque
from typing import NamedTuple

import numpy as np
from isal import isal_zlib

from ....arrays import U8
from ....concurrency.ordered_map import AHEAD, OrderedWork
from ....settings.scene import Output
from .chunk import chunk

# Up is the best single filter for dithered mockups and screenshots alike; see docs/formats.md.
NONE, UP = 0, 2
# ISA-L's levels 0 to 2 are equally quick on filtered rows; 2 packs best, and gives the same bytes on any
# thread.
LEVEL = 2
PACKET_BYTES = 1 << 20
ADLER = 65521

# Packets are filtered into reused memory: faults for new pages cost as much time as deflating.
_spare: deque[U8] = deque(maxlen=AHEAD + 1)


class Packed(NamedTuple):
    """The parts of a packet's IDAT chunk, and the Adler-32 and size of its uncompressed data."""

    chunk: list[bytes | memoryview]
    adler: int
    size: int


class PNGWriter:
    """A PNG file written band by band, top to bottom, while the picture is still being made."""

    def __init__(self, width: int, height: int, *, alpha: bool, fast: bool = False, xmp: bytes = b"") -> None:
        """Begin a picture of `width` x `height` pixels, RGBA if `alpha`, otherwise RGB.

        A `fast` picture has no dither, unless it has grain; repeated pixels compress best unfiltered.
        """
        self._fast = fast
        self._xmp = xmp
        self._shape = (width, 4 if alpha else 3)
        self._height = self._left = height
        self._row = 1 + width * self._shape[1]
        self._packet_rows = max(1, PACKET_BYTES // self._row)
        self._packet: U8 | None = None
        self._filled = 0
        self._above = np.zeros(self._row - 1, np.uint8)
        self._packets: OrderedWork[Packed] = OrderedWork()

    def write(self, band: U8) -> None:
        """Add the next rows, HxWx3 or HxWx4 uint8 as announced; the band may be reused at once."""
        if band.shape[1:] != self._shape or not 0 < len(band) <= self._left:
            raise ValueError(f"a band of shape {band.shape} does not belong here")
        rows = band.reshape(len(band), -1)
        while len(rows):
            if self._packet is None:
                self._packet = _buffer(min(self._packet_rows, self._left), self._row)
                # Decided by the first row only; otherwise the bytes would depend on the bands.
                plain = self._fast and _repeats(rows[0], self._shape[1])
                self._packet[:, 0] = NONE if plain else UP
                self._filled = 0
            count = min(len(rows), len(self._packet) - self._filled)
            target = self._packet[self._filled : self._filled + count, 1:]
            if self._packet[0, 0] == NONE:
                target[:] = rows[:count]
            else:
                np.subtract(rows[0], self._above, out=target[0])
                np.subtract(rows[1:count], rows[: count - 1], out=target[1:])
            self._above = rows[count - 1].copy()
            rows = rows[count:]
            self._filled += count
            self._left -= count
            if self._filled == len(self._packet):
                alone = len(self._packet) == self._height
                self._packets.add(_deflated, self._packet, not self._left, alone=alone)
                self._packet = None

    def finish(self) -> bytes:
        """The whole file; raises ValueError when rows are missing."""
        if self._left:
            raise ValueError(f"{self._left} rows were not written")
        width, channels = self._shape
        ihdr = struct.pack(">IIBBBBB", width, self._height, 8, 6 if channels == 4 else 2, 0, 0, 0)
        parts = [b"\x89PNG\r\n\x1a\n", *chunk(b"IHDR", ihdr), *chunk(b"sRGB", b"\0")]
        if self._xmp:
            # The text is not compressed, and has no language tag and no translated keyword.
            parts += chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0", self._xmp)
        parts += chunk(b"IDAT", b"\x78\x01")
        adler = 1
        for packed in self._packets.results():
            parts += packed.chunk
            adler = _combined(adler, packed.adler, packed.size)
        parts += chunk(b"IDAT", struct.pack(">I", adler)) + chunk(b"IEND", b"")
        return b"".join(parts)


def writer(width: int, height: int, *, alpha: bool, output: Output) -> PNGWriter:
    """A writer for `output`."""
    return PNGWriter(width, height, alpha=alpha, fast=output.fast, xmp=output.xmp)


def _repeats(row: U8, channels: int) -> bool:
    """Whether most samples of a row, (w * channels,) uint8, equal those of the pixel on their left."""
    return bool(2 * np.count_nonzero(row[channels:] == row[:-channels]) > len(row))


def _deflated(packet: U8, last: bool) -> Packed:
    deflate = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, -isal_zlib.MAX_WBITS)
    parts = [deflate.compress(packet), deflate.flush(isal_zlib.Z_FINISH if last else isal_zlib.Z_SYNC_FLUSH)]
    adler = isal_zlib.adler32(packet)
    size = packet.size
    if isinstance(packet.base, np.ndarray):
        _spare.append(packet.base)
    return Packed(chunk(b"IDAT", *parts), adler, size)


def trim() -> None:
    """Release the memory that is kept for the next picture."""
    _spare.clear()


def _buffer(rows: int, row: int) -> U8:
    """Memory for `rows` x `row` bytes, reused if possible."""
    try:
        memory = _spare.pop()
    except IndexError:
        memory = np.empty(PACKET_BYTES, np.uint8)
    if rows * row > memory.size:
        memory = np.empty(rows * row, np.uint8)
    return memory[: rows * row].reshape(rows, row)


def _combined(first: int, second: int, size: int) -> int:
    """The Adler-32 of two byte strings one after the other; `size` is the second's length."""
    a1, b1, a2, b2 = first & 0xFFFF, first >> 16, second & 0xFFFF, second >> 16
    a = (a1 + a2 - 1) % ADLER
    b = (b1 + b2 + size * (a1 - 1)) % ADLER
    return b << 16 | a
