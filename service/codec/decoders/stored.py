"""A PNG made anew, of nothing but the header, the palette and the rows, stored instead of packed."""

from __future__ import annotations

import struct
from typing import cast

from isal import igzip_lib, isal_zlib

from service.codec.headers.png import SIGNATURE, chunks, raw_size
from service.codec.picture import Header, damaged, truncated

# The longest block that deflate can store.
BLOCK = 65535
BLOCK_HEAD = struct.Struct("<BHH")
# Packed bytes handed to the inflater at a time; what it leaves of them is copied.
FEED = 16384
UNPACKING_FAILED = cast("type[Exception]", igzip_lib.IsalError)


def rewrap(data: bytes, header: Header) -> tuple[dict[bytes, bytes], bytearray]:
    """IHDR, PLTE and tRNS of a PNG, and the same picture as a PNG whose rows need no unpacking.

    Raises MockupError when the rows are fewer than the header promises; what lies behind them is not read.
    """
    found: dict[bytes, bytes] = {}
    packed = []
    for name, start, end in chunks(data, len(data)):
        if name == b"IDAT":
            packed.append(data[start:end])
        elif name in (b"IHDR", b"PLTE", b"tRNS"):
            found.setdefault(name, data[start:end])
    size = raw_size(*header.stored, header.depth, found[b"IHDR"][9], header.interlaced)
    head = SIGNATURE + _chunk(b"IHDR" + found[b"IHDR"])
    if header.color == "palette":
        head += _chunk(b"PLTE" + found[b"PLTE"])
    return found, _file(head, b"".join(packed), size)


def _file(head: bytes, packed: bytes, size: int) -> bytearray:
    """`head`, an IDAT chunk of exactly `size` unpacked bytes in stored blocks, and IEND."""
    blocks = -(-size // BLOCK)
    length = 2 + size + blocks * BLOCK_HEAD.size + 4
    file = bytearray(len(head) + 12 + length + 12)
    start = len(head) + 4
    file[: start + 6] = head + struct.pack(">I", length) + b"IDAT\x78\x01"
    at = start + 6
    adler = 1
    inflate = Inflate(packed)
    for i in range(blocks):
        room = min(BLOCK, size - i * BLOCK)
        BLOCK_HEAD.pack_into(file, at, i == blocks - 1, room, room ^ 0xFFFF)
        at += BLOCK_HEAD.size
        while room:
            piece = inflate.some(room)
            file[at : at + len(piece)] = piece
            adler = isal_zlib.adler32(piece, adler)
            at += len(piece)
            room -= len(piece)
    file[at : at + 4] = struct.pack(">I", adler)
    at += 4
    file[at:] = struct.pack(">I", isal_zlib.crc32(memoryview(file)[start:at])) + _chunk(b"IEND")
    return file


class Inflate:
    """Unpacks a zlib stream a piece at a time, never more than is asked for."""

    def __init__(self, packed: bytes) -> None:
        """Begin at the start of `packed`."""
        self._packed = memoryview(packed)
        self._inflate = isal_zlib.decompressobj()
        self._rest: bytes | memoryview = b""
        self._at = 0

    def some(self, most: int) -> bytes:
        """Between 1 and `most` bytes; raises MockupError at the end of the stream and for a broken one."""
        while True:
            if not self._rest:
                self._rest = self._packed[self._at : self._at + FEED]
                self._at += FEED
            ended = not self._rest
            try:
                piece = self._inflate.decompress(self._rest, most)
            except UNPACKING_FAILED as error:
                raise damaged("PNG", "its picture data cannot be unpacked") from error
            self._rest = self._inflate.unconsumed_tail
            if piece:
                return piece
            if ended or self._inflate.eof:
                raise truncated("PNG")


def _chunk(content: bytes) -> bytes:
    return struct.pack(">I", len(content) - 4) + content + struct.pack(">I", isal_zlib.crc32(content))
