"""PNG of every kind, converted from unfiltered rows to pixels strip by strip.

So decoding takes hardly more memory than the pixels, interlaced pictures included, whose passes are separate
small pictures. Libraries see no chunk other than the rows.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import cv2
import numpy as np

from service.arrays import U8
from service.codec.formats.png.header import ADAM7, CHANNELS, pass_size, row_bytes
from service.codec.formats.png.rows import Samples, unfiltered
from service.codec.formats.png.stored import parts
from service.codec.picture import Header
from service.codec.raw import Raw, Wanted, is_opaque, rounded

WHOLE = ((0, 0, 1, 1),)


def decode(data: bytes, header: Header, wanted: Wanted) -> Raw:
    """Decode to HxW grey (alpha apart), HxWx3 RGB or HxWx4 RGBA uint8; 16-bit samples are rounded."""
    found, inflate = parts(data)
    kind, depth = found[b"IHDR"][9], header.depth
    width, height = header.stored
    read = _reader(kind, depth, found.get(b"PLTE", b""), found.get(b"tRNS"))
    canvas = _Grey(width, height) if kind in (0, 4) else _Colored(width, height)
    channels = CHANNELS[kind]
    for place in ADAM7 if header.interlaced else WHOLE:
        w, h = pass_size(width, height, place)
        if not (w and h):
            continue
        x, y, dx, dy = place
        step = max(1, depth * channels // 8)
        for samples in unfiltered(inflate, h, row_bytes(w, depth, channels), step):
            rows = slice(y, y + len(samples) * dy, dy)
            canvas.put(rows, slice(x, width, dx), read(samples, w))
            y += len(samples) * dy
    return canvas.raw()


def _reader(kind: int, depth: int, palette: bytes, key: bytes | None) -> Callable[[Samples, int], U8]:
    """What turns samples of a colour type into pixels, `width` in a row, as `_Grey` or `_Colored` takes them.

    `key` is tRNS: the one transparent colour, or the opacity of a palette's entries.
    """
    if kind == 3:
        table = _table(palette, key or b"")
        return lambda samples, width: table[_levels(samples, width, depth)]
    if kind == 4:
        return _grey_alpha if depth == 8 else _deep_grey_alpha
    if kind == 0:
        level = struct.unpack(">H", key)[0] if key else None
        return lambda samples, width: _grey(_levels(samples, width, depth), depth, level)
    color = struct.unpack(">3H", key) if key and kind == 2 else None
    return lambda samples, _: _colored(samples, color)


def _levels(samples: Samples, width: int, depth: int) -> Samples:
    """(n, `width`) samples of rows in which several may share a byte."""
    if depth >= 8:
        return samples
    if depth == 1:
        return np.unpackbits(samples.astype(np.uint8, copy=False), axis=1, count=width)
    shifts = np.arange(8 - depth, -1, -depth, dtype=np.uint8)
    apart = np.asarray(samples[..., None] >> shifts & ((1 << depth) - 1), np.uint8)
    return apart.reshape(len(samples), -1)[:, :width]


def _grey(levels: Samples, depth: int, key: int | None) -> U8:
    """(n, w), or (n, w, 2) with alpha where one level is transparent."""
    grey = rounded(levels) if depth >= 8 else np.asarray(levels * (255 // ((1 << depth) - 1)), np.uint8)
    return grey if key is None else np.dstack((grey, np.where(levels == key, 0, 255).astype(np.uint8)))


def _grey_alpha(samples: Samples, _: int) -> U8:
    """(n, w, 2) of two bytes that were read as one number."""
    return np.dstack((samples >> 8, samples & 255)).astype(np.uint8)


def _deep_grey_alpha(samples: Samples, _: int) -> U8:
    """(n, w, 2) of twice two bytes that were read as RGBA."""
    return rounded(np.ascontiguousarray(samples).view(">u2").astype(np.uint16))


def _colored(samples: Samples, key: tuple[int, ...] | None) -> U8:
    """(n, w, 3 or 4), with alpha where there is a transparent colour."""
    pixels = rounded(samples)
    if key is None:
        return pixels
    clear = (samples == np.array(key, np.uint16)).all(axis=2)
    return np.dstack((pixels, np.where(clear, 0, 255).astype(np.uint8)))


def _table(palette: bytes, alpha: bytes) -> U8:
    """Colours of all 256 indices, (256, 3), or (256, 4) with alpha; those beyond the palette are black."""
    table = np.zeros((256, 4), np.uint8)
    table[:, 3] = 255
    colors = np.frombuffer(palette, np.uint8).reshape(-1, 3)
    table[: len(colors), :3] = colors
    table[: len(alpha), 3] = np.frombuffer(alpha, np.uint8)
    return table if alpha else np.ascontiguousarray(table[:, :3])


class _Grey:
    """A grey picture as far as it is decoded."""

    def __init__(self, width: int, height: int) -> None:
        self._grey: U8 = np.empty((height, width), np.uint8)
        self._alpha: U8 | None = None

    def put(self, rows: slice, columns: slice, pixels: U8) -> None:
        """U8 (n, w), or (n, w, 2) with alpha; always of one kind."""
        if pixels.ndim == 2:
            self._grey[rows, columns] = pixels
            return
        if self._alpha is None:
            self._alpha = np.empty_like(self._grey)
        self._grey[rows, columns] = pixels[..., 0]
        self._alpha[rows, columns] = pixels[..., 1]

    def raw(self) -> Raw:
        """All of it."""
        return Raw("L", self._grey, self._alpha)


class _Colored:
    """A coloured picture as far as it is decoded: RGB up to the first transparent pixel."""

    def __init__(self, width: int, height: int) -> None:
        self._pixels: U8 = np.empty((height, width, 3), np.uint8)
        self._begun = False

    def put(self, rows: slice, columns: slice, pixels: U8) -> None:
        """U8 (n, w, 3 or 4); always of one kind."""
        if pixels.shape[2] > self._pixels.shape[2]:
            if is_opaque(pixels):
                pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.uint8)
            else:
                self._clear()
        self._pixels[rows, columns] = pixels
        self._begun = True

    def raw(self) -> Raw:
        """All of it."""
        return Raw("RGB" if self._pixels.shape[2] == 3 else "RGBA", self._pixels)

    def _clear(self) -> None:
        """Have alpha from now on."""
        if self._begun:
            self._pixels = np.asarray(cv2.cvtColor(self._pixels, cv2.COLOR_RGB2RGBA), np.uint8)
        else:
            self._pixels = np.empty((*self._pixels.shape[:2], 4), np.uint8)
