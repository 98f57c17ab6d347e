"""Filtered rows out of a PNG, unpacked by ISA-L, and as a PNG made anew in which they are stored unpacked."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import cast

import numpy as np
from isal import igzip_lib, isal_zlib

from service.arrays import U8
from service.codec.formats.png.chunk import chunk
from service.codec.formats.png.header import SIGNATURE, chunks
from service.codec.picture import Budget, damaged, truncated

# The longest block that deflate can store.
BLOCK = 65535
BLOCK_HEAD = struct.Struct("<BHH")
# Packed bytes handed to the inflater at a time; what it leaves of them is copied.
FEED = 16384
UNPACKING_FAILED = cast("type[Exception]", igzip_lib.IsalError)


def parts(data: bytes) -> tuple[dict[bytes, bytes], Inflate]:
    """IHDR, PLTE and tRNS of a PNG, and its rows, still packed."""
    found: dict[bytes, bytes] = {}
    packed = []
    for name, start, end in chunks(data, Budget("png")):
        if name == b"IDAT":
            packed.append(data[start:end])
        elif name in (b"IHDR", b"PLTE", b"tRNS"):
            found.setdefault(name, data[start:end])
    return found, Inflate(b"".join(packed))


def strips(inflate: Inflate, height: int, row: int, count: int) -> Iterator[U8]:
    """The `height` rows of `row` filtered bytes each, `count` at a time: (1 + count, 1 + row) uint8.

    Each row stands behind its filter's number. The first one is the caller's, zeros at the beginning: it is
    never written to, and the memory is the same every time.
    """
    memory = np.zeros((1 + min(count, height), 1 + row), np.uint8)
    for y in range(0, height, count):
        strip = memory[: 1 + min(count, height - y)]
        inflate.fill(strip[1:].reshape(-1).data)
        yield strip


def wrap(ihdr: bytes, rows: memoryview) -> bytes:
    """A PNG of nothing but `ihdr` and filtered `rows`, stored unpacked."""
    size = len(rows)
    content: list[bytes | memoryview] = [b"\x78\x01"]
    for at in range(0, size, BLOCK):
        block = rows[at : at + BLOCK]
        content += [BLOCK_HEAD.pack(at + BLOCK >= size, len(block), len(block) ^ 0xFFFF), block]
    content.append(struct.pack(">I", isal_zlib.adler32(rows)))
    file = [SIGNATURE, *chunk(b"IHDR", ihdr), *chunk(b"IDAT", *content), *chunk(b"IEND")]
    return b"".join(file)


class Inflate:
    """Unpacks a zlib stream a piece at a time, never more than is asked for."""

    def __init__(self, packed: bytes) -> None:
        """Begin at the start of `packed`."""
        self._packed = memoryview(packed)
        self._inflate = isal_zlib.decompressobj()
        self._rest: bytes | memoryview = b""
        self._at = 0

    def fill(self, memory: memoryview) -> None:
        """Unpack as many bytes as `memory` holds; what lies behind them is not read.

        Raises MockupError at the end of the stream and for a broken one.
        """
        at = 0
        while at < len(memory):
            piece = self._some(len(memory) - at)
            memory[at : at + len(piece)] = piece
            at += len(piece)

    def _some(self, most: int) -> bytes:
        """Between 1 and `most` bytes."""
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
