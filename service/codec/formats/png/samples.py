"""Samples of a PNG, unpacked and unfiltered by the `png` crate, which is memory-safe, through kornia-rs.

Filters know bytes alone, and how many of them a pixel takes (PNG specification, 9.2); so every form of PNG is
read as one of six. The crate sees a file of nothing but a header and the packed rows.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import cast

import numpy as np
from isal import igzip_lib, isal_zlib
from kornia_rs.io import decode_image_png_u8, decode_image_png_u16
from numpy.typing import NDArray

from service.arrays import U8
from service.codec.formats.png.chunk import chunk
from service.codec.formats.png.header import (
    ADAM7,
    CHANNELS,
    SIGNATURE,
    chunks,
    pass_size,
    raw_size,
    row_bytes,
)
from service.codec.picture import Budget, Header, damaged, truncated

Samples = NDArray[np.uint8 | np.uint16]

# The colour type and depth that take so many bytes a pixel.
FORMS = {1: (0, 8), 2: (0, 16), 3: (2, 8), 4: (6, 8), 6: (2, 16), 8: (6, 16)}
MODES = {0: "mono", 2: "rgb", 6: "rgba"}
# Packed bytes unpacked at a time, to at most 17 MB.
FEED = 16384
UNPACKING_FAILED = cast("type[Exception]", igzip_lib.IsalError)


def read(data: bytes, header: Header) -> tuple[dict[bytes, bytes], Samples]:
    """IHDR, PLTE and tRNS of a PNG, and its samples.

    These are (h, w) levels or indices, one a byte or, for 16 bits, uint16; (h, w, 3 or 4) uint8 or uint16 for
    RGB and RGBA. Grey and alpha of 8 bits are a uint16 together, of 16 bits four bytes.
    """
    found: dict[bytes, bytes] = {}
    spans = []
    for name, start, end in chunks(data, Budget("png")):
        if name == b"IDAT":
            spans.append((start, end))
        elif name in (b"IHDR", b"PLTE", b"tRNS"):
            found.setdefault(name, data[start:end])
    width, height = header.stored
    kind, depth = found[b"IHDR"][9], header.depth
    size = raw_size(width, height, depth, kind, header.interlaced)
    if header.interlaced and depth < 8:
        rows = b"".join(_unpacked(data, spans, size))
        return found, _passes(memoryview(rows), width, height, depth)
    channels = CHANNELS[kind]
    row, step = row_bytes(width, depth, channels), max(1, depth * channels // 8)
    body = b"".join(data[start - 8 : end + 4] for start, end in spans)
    try:
        samples = _unfiltered(body, row // step, height, step, interlaced=header.interlaced)
    except MemoryError:
        raise
    except Exception as error:
        # What is wrong is said in our own words.
        for _ in _unpacked(data, spans, size):
            pass
        raise damaged("PNG", "it could not be decoded") from error
    return found, _apart(samples, width, depth) if depth < 8 else samples


def _unfiltered(body: bytes, width: int, height: int, step: int, *, interlaced: bool = False) -> Samples:
    """(h, w) or (h, w, 3 or 4) samples of the IDAT chunks in `body`, with pixels of `step` bytes.

    Raises Exception for a stream or filter that is broken.
    """
    kind, depth = FORMS[step]
    ihdr = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced)
    file = b"".join((SIGNATURE, *chunk(b"IHDR", ihdr), body, *chunk(b"IEND")))
    shape = height, width
    # Where memory is short this is a MemoryError, there a panic.
    np.empty((height, width, step), np.uint8)
    decode = decode_image_png_u8 if depth == 8 else decode_image_png_u16
    samples: Samples = decode(file, shape, MODES[kind])
    return samples if kind else samples[..., 0]


def _passes(rows: memoryview, width: int, height: int, depth: int) -> U8:
    """(h, w) samples of an interlaced picture's `rows`, several of them a byte, pass by pass."""
    samples = np.empty((height, width), np.uint8)
    for place in ADAM7:
        w, h = pass_size(width, height, place)
        if not (w and h):
            continue
        x, y, dx, dy = place
        row = row_bytes(w, depth, 1)
        size = h * (1 + row)
        packed = isal_zlib.compress(rows[:size], 0)
        try:
            bits = _unfiltered(b"".join(chunk(b"IDAT", packed)), row, h, 1)
        except MemoryError:
            raise
        except Exception as error:
            raise damaged("PNG", "it could not be decoded") from error
        samples[y::dy, x::dx] = _apart(bits, w, depth)
        rows = rows[size:]
    return samples


def _apart(samples: Samples, width: int, depth: int) -> U8:
    """(h, `width`) samples out of rows of bytes that several share."""
    if depth == 1:
        return np.unpackbits(samples.astype(np.uint8, copy=False), axis=1, count=width)
    shifts = np.arange(8 - depth, -1, -depth, dtype=np.uint8)
    apart = np.asarray(samples[..., None] >> shifts & ((1 << depth) - 1), np.uint8)
    return apart.reshape(len(samples), -1)[:, :width]


def _unpacked(data: bytes, spans: list[tuple[int, int]], size: int) -> Iterator[bytes]:
    """Yield the first `size` bytes that the zlib stream in `spans` unpacks to; what follows is not read.

    Raises MockupError at the end of the stream and for a broken one.
    """
    packed = b"".join(data[start:end] for start, end in spans)
    inflate = isal_zlib.decompressobj()
    for at in range(0, len(packed), FEED):
        try:
            piece = inflate.decompress(packed[at : at + FEED], size)
        except UNPACKING_FAILED as error:
            raise damaged("PNG", "its picture data cannot be unpacked") from error
        yield piece
        size -= len(piece)
        if not size:
            return
        if inflate.eof:
            break
    raise truncated("PNG")
