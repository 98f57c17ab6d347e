"""PNG rows of colours, in strips that stay in the processor's cache from unpacking to finished pixels.

A strip is undone as a picture of its own whose first row is the last one of the strip before, which the
filters of its next row refer to (PNG specification, 9.2).
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from service.codec.decoders.stored import Inflate, strips, wrap
from service.codec.headers.png import CHANNELS, raw_size, row_bytes
from service.codec.picture import Header, damaged
from service.codec.raw import Pixels, Raw, is_opaque, rounded

STRIP_BYTES = 1 << 20
NONE, SUB, UP = 0, 1, 2  # the filters that are undone for whole rows or columns at a time

Samples = NDArray[np.uint8 | np.uint16]


def decode(ihdr: bytes, inflate: Inflate, header: Header, key: bytes | None) -> Raw:
    """RGB, or RGBA when a pixel is transparent, of 8 bits; `key` is the one transparent colour of tRNS."""
    width, height = header.stored
    canvas = _Canvas(width, height)
    if header.interlaced:
        rows = np.empty(raw_size(width, height, header.depth, ihdr[9], True), np.uint8)
        inflate.fill(rows.data)
        canvas.add(_eight_bits(_unfiltered(ihdr, rows.data), key))
        return canvas.raw()
    row = row_bytes(width, header.depth, CHANNELS[ihdr[9]])
    for strip in strips(inflate, height, row, max(1, STRIP_BYTES // row)):
        samples = _summed(strip, ihdr)
        if samples is None:
            size = struct.pack(">II", width, len(strip))
            samples = _unfiltered(size + ihdr[8:], strip.reshape(-1).data)[1:]
        strip[0, 1:] = samples[-1:].astype(samples.dtype.newbyteorder(">")).view(np.uint8).reshape(-1)
        canvas.add(_eight_bits(samples, key))
    return canvas.raw()


def _summed(strip: Pixels, ihdr: bytes) -> Samples | None:
    """The strip's samples behind its first row, None when there are filters that NumPy is slow at."""
    filters = strip[1:, 0]
    if filters.max() > UP or (ihdr[8] > 8 and SUB in filters):
        return None
    if SUB in filters:
        _undo_sub(strip, CHANNELS[ihdr[9]])
    if UP in filters:
        _add_up(strip[:, 1:], filters == UP)
    rows = strip[1:, 1:]
    samples = rows if ihdr[8] == 8 else np.ascontiguousarray(rows).view(">u2").astype(np.uint16)
    return samples.reshape(len(rows), -1, CHANNELS[ihdr[9]])


def _undo_sub(strip: Pixels, channels: int) -> None:
    """Add to every pixel the one on its left, in the rows that have Sub, all of them at a time."""
    which = np.flatnonzero(strip[1:, 0] == SUB) + 1
    rows = strip[which, 1:].reshape(len(which), -1, channels)
    columns = np.asarray(cv2.transpose(rows), np.uint8)
    _add_up(columns.reshape(len(columns), -1), itertools.repeat(True))
    strip[which, 1:] = cv2.transpose(columns).reshape(len(which), -1)


def _add_up(rows: Pixels, wanted: Iterable[bool]) -> None:
    """Add to each row but the first the one above it, where it is `wanted`."""
    above = rows[0]
    for row, add in zip(rows[1:], wanted, strict=False):
        if add:
            # In this very order of arguments: keywords take longer than the sum.
            np.add(row, above, row)
        above = row


def _unfiltered(ihdr: bytes, rows: memoryview) -> Samples:
    """OpenCV's reading of filtered rows, RGB or RGBA."""
    samples = cv2.imdecode(np.frombuffer(wrap(ihdr, None, rows), np.uint8), cv2.IMREAD_UNCHANGED)
    if samples is None or samples.ndim != 3 or samples.shape[2] != CHANNELS[ihdr[9]]:
        raise damaged("PNG", "it could not be decoded")
    order = cv2.COLOR_BGR2RGB if samples.shape[2] == 3 else cv2.COLOR_BGRA2RGBA
    return np.asarray(cv2.cvtColor(samples, order, dst=samples))


def _eight_bits(samples: Samples, key: bytes | None) -> Pixels:
    """Samples rounded to 8 bits, with alpha where there is a transparent colour."""
    pixels = rounded(samples)
    if key is None:
        return pixels
    clear = (samples == np.array(struct.unpack(">3H", key), np.uint16)).all(axis=2)
    return np.dstack((pixels, np.where(clear, 0, 255).astype(np.uint8)))


class _Canvas:
    """The picture as far as it is decoded: RGB up to the first transparent pixel."""

    def __init__(self, width: int, height: int) -> None:
        self._pixels: Pixels = np.empty((height, width, 3), np.uint8)
        self._at = 0

    def add(self, rows: Pixels) -> None:
        """The next rows, (n, width, 3 or 4), always of one kind."""
        if rows.shape[2] > self._pixels.shape[2]:
            if is_opaque(rows):
                rows = np.asarray(cv2.cvtColor(rows, cv2.COLOR_RGBA2RGB), np.uint8)
            else:
                self._clear()
        self._pixels[self._at : self._at + len(rows)] = rows
        self._at += len(rows)

    def raw(self) -> Raw:
        """All of it."""
        return Raw("RGB" if self._pixels.shape[2] == 3 else "RGBA", self._pixels)

    def _clear(self) -> None:
        """Have alpha from now on."""
        pixels = np.empty((*self._pixels.shape[:2], 4), np.uint8)
        if self._at:
            cv2.cvtColor(self._pixels[: self._at], cv2.COLOR_RGB2RGBA, dst=pixels[: self._at])
        self._pixels = pixels
