"""PNG written in packets: filtered by numpy, deflated by ISA-L on several threads, joined to one zlib stream.

Every packet is deflated by itself and flushed to a whole byte, so packets can follow one another in any
zlib stream (RFC 1950, 1951); their checksums are combined. The bytes depend on the pixels alone, never on
the number of threads or on how the picture was handed over.
"""

from __future__ import annotations

import struct
from collections import deque
from concurrent.futures import Future

import cv2
import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

from service.codec.encoders.pool import cpus, pool
from service.codec.raw import is_opaque
from service.scene import Output

# Up is the best single filter for mockups and screenshots alike; see docs/formats.md.
UP = 2
# Of ISA-L's levels 0 to 2 none is quicker on filtered rows; 2 packs best, and alike on any thread.
LEVEL = 2
PACKET_BYTES = 1 << 20
ADLER = 65521
# Packets under way before the writer waits, so that memory stays bounded.
AHEAD = 2 * cpus()

# Packets are filtered into memory that stays: fresh pages cost as much as deflating them.
_spare: deque[NDArray[np.uint8]] = deque(maxlen=AHEAD + 1)


class Writer:
    """A PNG file written band by band, top to bottom, while the picture is still being made."""

    def __init__(self, width: int, height: int, *, alpha: bool) -> None:
        """Begin a picture of `width` x `height` pixels, RGBA when `alpha`, else RGB."""
        self._shape = (width, 4 if alpha else 3)
        self._left = height
        self._row = 1 + width * self._shape[1]
        self._packet_rows = max(1, PACKET_BYTES // self._row)
        self._packet: NDArray[np.uint8] | None = None
        self._filled = 0
        self._above = np.zeros(self._row - 1, np.uint8)
        self._pending: deque[Future[tuple[list[bytes], int]] | tuple[list[bytes], int]] = deque()
        self._adler = 1
        ihdr = struct.pack(">IIBBBBB", width, height, 8, 6 if alpha else 2, 0, 0, 0)
        self._parts = [b"\x89PNG\r\n\x1a\n", *_chunk(b"IHDR", ihdr), *_chunk(b"sRGB", b"\0")]
        self._parts += _chunk(b"IDAT", b"\x78\x01")
        self._sizes: deque[int] = deque()

    def write(self, band: NDArray[np.uint8]) -> None:
        """Add the next rows, HxWx3 or HxWx4 uint8 as announced; the band may be reused at once."""
        if band.shape[1:] != self._shape or not 0 < len(band) <= self._left:
            raise ValueError(f"a band of shape {band.shape} does not belong here")
        rows = band.reshape(len(band), -1)
        while len(rows):
            if self._packet is None:
                self._packet = _buffer(min(self._packet_rows, self._left), self._row)
                self._packet[:, 0] = UP
                self._filled = 0
            count = min(len(rows), len(self._packet) - self._filled)
            target = self._packet[self._filled : self._filled + count, 1:]
            np.subtract(rows[0], self._above, out=target[0])
            np.subtract(rows[1:count], rows[: count - 1], out=target[1:])
            self._above = rows[count - 1].copy()
            rows = rows[count:]
            self._filled += count
            self._left -= count
            if self._filled == len(self._packet):
                self._send(self._packet)
                self._packet = None

    def finish(self) -> bytes:
        """The whole file; raises ValueError when rows are missing."""
        if self._left:
            raise ValueError(f"{self._left} rows were not written")
        while self._pending:
            self._take()
        self._parts += _chunk(b"IDAT", struct.pack(">I", self._adler)) + _chunk(b"IEND", b"")
        return b"".join(self._parts)

    def _send(self, packet: NDArray[np.uint8]) -> None:
        self._sizes.append(packet.size)
        last = not self._left
        # A picture of one packet, or a machine of one processor, gains nothing from another thread.
        alone = cpus() == 1 or (last and not self._pending and len(self._sizes) == 1)
        self._pending.append(_deflated(packet, last) if alone else pool().submit(_deflated, packet, last))
        if len(self._pending) > AHEAD:
            self._take()

    def _take(self) -> None:
        first = self._pending.popleft()
        chunk, adler = first if isinstance(first, tuple) else first.result()
        self._parts += chunk
        self._adler = _combined(self._adler, adler, self._sizes.popleft())


def encode(pixels: NDArray[np.uint8], output: Output) -> bytes:
    """Encode HxWx3 or HxWx4 uint8 sRGB; an alpha channel that is 255 throughout is left out."""
    if is_opaque(pixels):
        pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.uint8)
    height, width, channels = pixels.shape
    writer = Writer(width, height, alpha=channels == 4)
    writer.write(pixels)
    return writer.finish()


def _deflated(packet: NDArray[np.uint8], last: bool) -> tuple[list[bytes], int]:
    """The packet's IDAT chunk and the Adler-32 of what it holds."""
    deflate = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, -isal_zlib.MAX_WBITS)
    parts = [deflate.compress(packet), deflate.flush(isal_zlib.Z_FINISH if last else isal_zlib.Z_SYNC_FLUSH)]
    adler = isal_zlib.adler32(packet)
    if isinstance(packet.base, np.ndarray):
        _spare.append(packet.base)
    return _chunk(b"IDAT", *parts), adler


def _buffer(rows: int, row: int) -> NDArray[np.uint8]:
    """Memory for `rows` x `row` bytes, used before if possible."""
    try:
        memory = _spare.pop()
    except IndexError:
        memory = np.empty(PACKET_BYTES, np.uint8)
    if rows * row > memory.size:
        memory = np.empty(rows * row, np.uint8)
    return memory[: rows * row].reshape(rows, row)


def _chunk(kind: bytes, *parts: bytes) -> list[bytes]:
    crc = isal_zlib.crc32(kind)
    for part in parts:
        crc = isal_zlib.crc32(part, crc)
    return [struct.pack(">I", sum(map(len, parts))), kind, *parts, struct.pack(">I", crc)]


def _combined(first: int, second: int, size: int) -> int:
    """The Adler-32 of two byte strings one after the other; `size` is the second's length."""
    a1, b1, a2, b2 = first & 0xFFFF, first >> 16, second & 0xFFFF, second >> 16
    a = (a1 + a2 - 1) % ADLER
    b = (b1 + b2 + size * (a1 - 1)) % ADLER
    return b << 16 | a
