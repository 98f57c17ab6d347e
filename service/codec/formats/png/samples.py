"""Samples of a PNG: unpacked by ISA-L in one thread, while another undoes the filters of the rows before.

Filters work on bytes; all they know of a pixel is its number of bytes (PNG specification, 9.2).
"""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from isal import igzip_lib
from numpy.typing import NDArray

from ....arrays import U8
from ....concurrency.ordered_map import OrderedWork
from ....errors import MockupError
from ...picture import Budget, Header, damaged, truncated
from ...raw import is_opaque
from .header import ADAM7, CHANNELS, chunks, pass_size, row_bytes
from .unfilter import unfilter

Samples = NDArray[np.uint8 | np.uint16]

# Bytes unpacked at a time: as many rows as stay in the processor's cache until their filters are undone.
PIECE = 1 << 18
# Pieces that may wait for their filters to be undone; then unpacking pauses, which bounds memory.
AHEAD = 4
UNPACKING_FAILED = cast("type[Exception]", igzip_lib.IsalError)


def read(data: bytes, header: Header) -> tuple[dict[bytes, bytes], Samples]:
    """IHDR, PLTE and tRNS of a PNG, and its samples.

    These are (h, w) levels or indices, or (h, w, channels) for grey with alpha, RGB and RGBA; uint8, or for
    16 bits big-endian uint16. RGBA of 8 bits that is opaque throughout comes as RGB, unless interlaced.
    """
    fields: dict[bytes, bytes] = {}
    spans = []
    for name, start, end in chunks(data, Budget("png")):
        if name == b"IDAT":
            spans.append((start, end))
        elif name in (b"IHDR", b"PLTE", b"tRNS"):
            fields.setdefault(name, data[start:end])
    depth, channels = header.depth, CHANNELS[fields[b"IHDR"][9]]
    stream = _Stream(b"".join(data[start:end] for start, end in spans))
    known: list[bool] = []
    if header.interlaced:
        samples = _interlaced(stream, header.stored, depth, channels, known)
    else:
        opaque = _Opaque(header.stored) if channels == 4 and depth == 8 else None
        samples = _pass(stream, header.stored, depth, channels, known, opaque)
    if not all(known):
        raise damaged("PNG", "it could not be decoded")
    return fields, samples


def _interlaced(
    stream: _Stream, size: tuple[int, int], depth: int, channels: int, known: list[bool]
) -> Samples:
    """The samples of an interlaced picture of `size`, which has several passes; see `_pass`."""
    width, height = size
    shape = (height, width, channels) if channels > 1 else (height, width)
    samples: Samples = np.empty(shape, ">u2" if depth == 16 else np.uint8)
    for place in ADAM7:
        part = pass_size(width, height, place)
        if all(part):
            x, y, dx, dy = place
            samples[y::dy, x::dx] = _pass(stream, part, depth, channels, known)
    return samples


def _pass(
    stream: _Stream,
    size: tuple[int, int],
    depth: int,
    channels: int,
    known: list[bool],
    opaque: _Opaque | None = None,
) -> Samples:
    """The samples of a pass of `size`, as `read` returns them; appends to `known` whether its filters are
    valid.

    If all rows turn out to be `opaque`, these are their colours only. Bytes after the last row of the stream
    are not read.
    """
    width, height = size
    row, step = row_bytes(width, depth, channels), max(1, depth * channels // 8)
    rows = np.empty((height + 1, row), np.uint8)
    # The first row's filter reads zeros above it.
    rows[0] = 0
    at_once = max(1, PIECE // (row + 1))
    filters: OrderedWork[bool] = OrderedWork(AHEAD, threads=1)
    for top in range(1, height + 1, at_once):
        count = min(at_once, height + 1 - top)
        filtered = stream.read(count * (row + 1))
        filters.add(_undone, filtered, rows, top, step, opaque, alone=count == height)
    known += filters.results()
    if opaque and opaque.so_far:
        return opaque.colors
    if depth < 8:
        return _apart(rows[1:], width, depth)
    samples: Samples = rows[1:].view(">u2") if depth == 16 else rows[1:]
    return samples.reshape(height, width, channels) if channels > 1 else samples


def _undone(filtered: bytes, rows: U8, top: int, step: int, opaque: _Opaque | None) -> bool:
    """Undo filters as `unfilter` does, and pass the rows to `opaque` while they are in the processor's
    cache."""
    known = unfilter(filtered, rows, top, step)
    if opaque and opaque.so_far:
        count = len(filtered) // (rows.shape[1] + 1)
        opaque.add(rows[top : top + count], top - 1)
    return known


class _Opaque:
    """The colours of an RGBA picture, while no pixel is transparent."""

    def __init__(self, size: tuple[int, int]) -> None:
        """Begin with no rows of a picture of `size` (width, height), px."""
        width, height = size
        self.colors = np.empty((height, width, 3), np.uint8)
        self.so_far = True

    def add(self, rows: U8, top: int) -> None:
        """Take the rows from `top` on, (n, 4 · width); in any order."""
        pixels = rows.reshape(len(rows), -1, 4)
        self.so_far = is_opaque(pixels)
        if self.so_far:
            cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB, dst=self.colors[top : top + len(rows)])


class _Stream:
    """A zlib stream that is unpacked piece by piece (RFC 1950)."""

    def __init__(self, packed: bytes) -> None:
        """Raises MockupError for data that does not begin as a zlib stream."""
        if len(packed) < 2:
            raise truncated("PNG")
        # The header must say deflate, a window of at most 32 KB and no dictionary, and be a multiple of 31.
        if packed[0] & 15 != 8 or packed[0] >> 4 > 7 or packed[1] & 32 or (packed[0] << 8 | packed[1]) % 31:
            raise _not_unpacked()
        self._packed = memoryview(packed)[2:]
        # The stream's own checksum is not compared: those of the chunks were, and browsers do not insist on
        # it.
        self._inflate = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE)

    def read(self, size: int) -> bytes:
        """The next `size` bytes; raises MockupError at the end of the stream and for a broken one."""
        pieces = []
        while size:
            if self._inflate.eof:
                raise truncated("PNG")
            try:
                piece = self._inflate.decompress(self._packed, size)
            except UNPACKING_FAILED as error:
                raise _not_unpacked() from error
            # The first call consumes all input; later calls return further output.
            self._packed = self._packed[:0]
            if not piece:
                raise truncated("PNG")
            pieces.append(piece)
            size -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _not_unpacked() -> MockupError:
    return damaged("PNG", "its picture data cannot be unpacked")


def _apart(rows: U8, width: int, depth: int) -> U8:
    """(h, `width`) samples out of rows in which several share a byte."""
    if depth == 1:
        return np.unpackbits(rows, axis=1, count=width)
    shifts = np.arange(8 - depth, -1, -depth, dtype=np.uint8)
    apart = np.asarray(rows[..., None] >> shifts & ((1 << depth) - 1), np.uint8)
    return apart.reshape(len(rows), -1)[:, :width]
