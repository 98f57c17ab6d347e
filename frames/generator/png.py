"""A small PNG encoder for drawn pictures: tries every row filter on the whole picture and keeps the smallest.

Flat drawings pack far better with one filter throughout than with the usual choice row by row.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np

from service.arrays import U8

COLOR_TYPES = {1: 0, 3: 2, 4: 6}


def chunk(kind: bytes, content: bytes) -> bytes:
    """One PNG chunk with its length and checksum."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def filtered(rows: U8, step: int, kind: int) -> bytes:
    """All rows after filter `kind` (0 none, 1 sub, 2 up, 3 average, 4 Paeth); a pixel has `step` bytes."""
    left = np.zeros_like(rows)
    left[:, step:] = rows[:, :-step]
    up = np.zeros_like(rows)
    up[1:] = rows[:-1]
    corner = np.zeros_like(rows)
    corner[1:, step:] = rows[:-1, :-step]
    match kind:
        case 0:
            guess = np.zeros_like(rows)
        case 1:
            guess = left
        case 2:
            guess = up
        case 3:
            guess = ((left.astype(np.uint16) + up) // 2).astype(np.uint8)
        case _:
            a, b, c = (part.astype(np.int16) for part in (left, up, corner))
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            guess = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, up, corner))
    head = np.full((len(rows), 1), kind, np.uint8)
    return np.concatenate([head, rows - guess], axis=1).tobytes()


def packed(data: bytes) -> bytes:
    """Deflate at full effort."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9)
    return packer.compress(data) + packer.flush()


def encode(pixels: U8) -> bytes:
    """Grey (HxW), RGB or RGBA (HxWx3, HxWx4) uint8 as a PNG tagged sRGB."""
    height, width = pixels.shape[:2]
    step = 1 if pixels.ndim == 2 else pixels.shape[2]
    rows = np.ascontiguousarray(pixels).reshape(height, width * step)
    body = min((packed(filtered(rows, step, kind)) for kind in range(5)), key=len)
    header = struct.pack(">IIBBBBB", width, height, 8, COLOR_TYPES[step], 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"sRGB", b"\0"), chunk(b"IDAT", body), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
