"""PNG of every kind, converted from samples to pixels."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from ....arrays import U8
from ...picture import Header
from ...raw import Raw, RequestedSize, bands, colored, rounded
from .samples import Samples, read


def decode(data: bytes, header: Header, requested: RequestedSize) -> Raw:
    """Decode to HxW grey (alpha apart), HxWx3 RGB or HxWx4 RGBA uint8; 16-bit samples are rounded."""
    fields, samples = read(data, header)
    kind, key = fields[b"IHDR"][9], fields.get(b"tRNS")
    if kind in (0, 4):
        return _grey(samples, kind, header.depth, key)
    if kind == 3:
        table = _table(fields[b"PLTE"], key or b"")
        pixels = _banded(
            samples, table.shape[1], lambda indices: colored(np.asarray(indices, np.uint8), table)
        )
    elif kind == 2 and key:
        color = np.array(struct.unpack(">3H", key), np.uint16)
        pixels = _banded(samples, 4, lambda rows: _keyed(rows, color))
    elif header.depth == 16:
        pixels = _banded(samples, samples.shape[2], rounded)
    else:
        pixels = rounded(samples)
    return Raw("RGB" if pixels.shape[2] == 3 else "RGBA", pixels)


def _banded(samples: Samples, channels: int, convert: Callable[[Samples], U8]) -> U8:
    """(h, w, `channels`) pixels of (h, w, …) samples."""
    height, width = samples.shape[:2]
    pixels = np.empty((height, width, channels), np.uint8)
    for rows in bands(height, width):
        pixels[rows] = convert(samples[rows])
    return pixels


def _grey(samples: Samples, kind: int, depth: int, key: bytes | None) -> Raw:
    """Grey, with alpha for colour type 4 or where a `key`, one level, is transparent."""
    if kind == 4:
        return Raw("L", rounded(samples[..., 0]), rounded(samples[..., 1]))
    grey = rounded(samples) if depth >= 8 else np.asarray(samples * (255 // ((1 << depth) - 1)), np.uint8)
    if not key:
        return Raw("L", grey)
    (level,) = struct.unpack(">H", key)
    return Raw("L", grey, _opacity(samples == level))


def _keyed(samples: Samples, color: Samples) -> U8:
    """(n, w, 4) pixels of (n, w, 3) samples, transparent where they have this `color`."""
    return np.dstack((rounded(samples), _opacity((samples == color).all(axis=2))))


def _opacity(clear: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> U8:
    """Alpha of 0 where `clear`, otherwise 255."""
    return np.where(clear, 0, 255).astype(np.uint8)


def _table(palette: bytes, alpha: bytes) -> U8:
    """Colours of all 256 indices, (256, 3), or (256, 4) with alpha; those beyond the palette are black."""
    table = np.zeros((256, 4), np.uint8)
    table[:, 3] = 255
    colors = np.frombuffer(palette, np.uint8).reshape(-1, 3)
    table[: len(colors), :3] = colors
    table[: len(alpha), 3] = np.frombuffer(alpha, np.uint8)
    return table if alpha else np.ascontiguousarray(table[:, :3])
