"""Small PNG screenshots, written without any imaging library."""

from __future__ import annotations

import base64
import struct
import zlib

from tests.codec import pngs


def png(width: int = 120, height: int = 260, color: tuple[int, int, int] = (40, 110, 220)) -> bytes:
    """An opaque picture whose upper half is `color` and whose lower half is white."""
    upper = b"\0" + bytes(color) * width
    lower = b"\0" + b"\xff\xff\xff" * width
    rows = upper * (height // 2) + lower * (height - height // 2)
    parts = [pngs.ihdr(width, height), pngs.chunk(b"IDAT", zlib.compress(rows)), pngs.chunk(b"IEND")]
    return pngs.SIGNATURE + b"".join(parts)


def text(data: bytes | None = None) -> str:
    """The base64 of a picture."""
    return base64.b64encode(png() if data is None else data).decode()


def size(data: bytes) -> tuple[int, int]:
    """The width and height in a PNG's header."""
    assert data.startswith(pngs.SIGNATURE)
    width, height = struct.unpack(">II", data[16:24])
    return width, height
