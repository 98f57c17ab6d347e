"""Small PNG screenshots, written without any imaging library."""

from __future__ import annotations

import base64
import struct
import zlib


def png(width: int = 120, height: int = 260, color: tuple[int, int, int] = (40, 110, 220)) -> bytes:
    """An opaque picture whose upper half is `color` and whose lower half is white."""
    upper = b"\0" + bytes(color) * width
    lower = b"\0" + b"\xff\xff\xff" * width
    rows = upper * (height // 2) + lower * (height - height // 2)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(rows)), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def text(data: bytes | None = None) -> str:
    """The base64 of a picture."""
    return base64.b64encode(png() if data is None else data).decode()


def size(data: bytes) -> tuple[int, int]:
    """Width and height that a PNG's header tells."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
