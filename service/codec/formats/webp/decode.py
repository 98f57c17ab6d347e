"""WebP by libwebp, through OpenCV; the first frame of an animation is rewrapped as a still picture."""

from __future__ import annotations

import cv2
import numpy as np

from ....arrays import U8
from ...picture import Budget, Header, damaged
from ...raw import Raw, RequestedSize, bands
from .header import chunks


def decode(data: bytes, header: Header, requested: RequestedSize) -> Raw:
    """Decode to HxWx3 RGB or HxWx4 RGBA uint8; metadata never reaches the decoder."""
    if header.animated:
        return Raw("RGBA", _first_frame(data, header))
    return _still(data, 12, 8 + int.from_bytes(data[4:8], "little"), header.stored)


def _still(data: bytes, start: int, end: int, size: tuple[int, int]) -> Raw:
    """Decode the one picture among the chunks between `start` and `end`."""
    alpha = body = b""
    for kind, first, last in chunks(data, start, end, Budget("webp")):
        if kind == b"ALPH" and not alpha:
            alpha = _chunk(kind, data[first:last])
        elif kind in (b"VP8 ", b"VP8L"):
            body = _chunk(kind, data[first:last])
            break
    if alpha:
        canvas = (size[0] - 1).to_bytes(3, "little") + (size[1] - 1).to_bytes(3, "little")
        alpha = _chunk(b"VP8X", b"\x10\0\0\0" + canvas) + alpha
    file = b"".join((b"RIFF", (4 + len(alpha) + len(body)).to_bytes(4, "little"), b"WEBP", alpha, body))
    pixels = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise damaged("WebP", "it could not be decoded")
    if pixels.shape[2] == 4:
        return Raw("RGBA", _turned(np.asarray(pixels, np.uint8), cv2.COLOR_BGRA2RGBA))
    return Raw("RGB", _turned(np.asarray(pixels, np.uint8), cv2.COLOR_BGR2RGB))


def _turned(pixels: U8, order: int) -> U8:
    """Reorder the channels of HxWxC uint8 in place; in bands, since OpenCV copies its input."""
    for rows in bands(*pixels.shape[:2]):
        cv2.cvtColor(pixels[rows], order, dst=pixels[rows])
    return pixels


def _chunk(kind: bytes, body: bytes) -> bytes:
    return b"".join((kind, len(body).to_bytes(4, "little"), body, b"\0" * (len(body) & 1)))


def _first_frame(data: bytes, header: Header) -> U8:
    start, end = header.span
    x, y, w, h = (int.from_bytes(data[start + i : start + i + 3], "little") for i in (0, 3, 6, 9))
    frame = _still(data, start + 16, end, (w + 1, h + 1)).pixels
    canvas = np.zeros((header.stored[1], header.stored[0], 4), np.uint8)
    place = canvas[2 * y : 2 * y + h + 1, 2 * x : 2 * x + w + 1]
    place[..., : frame.shape[2]] = frame
    if frame.shape[2] == 3:
        place[..., 3] = 255
    return canvas
