"""WebP by libwebp, through OpenCV; an animation's first frame is rewrapped as a still picture."""

from __future__ import annotations

import cv2
import numpy as np

from service.codec.headers.webp import chunks
from service.codec.picture import Header, damaged
from service.codec.raw import Pixels, Raw, Wanted

KEPT = (b"ALPH", b"VP8 ", b"VP8L")


def decode(data: bytes, header: Header, wanted: Wanted) -> Raw:
    """Decode to RGB or RGBA; metadata never reaches the decoder."""
    if header.animated:
        return Raw("RGBA", _first_frame(data, header))
    return _still(data, 12, 8 + int.from_bytes(data[4:8], "little"), header.stored)


def _still(data: bytes, start: int, end: int, size: tuple[int, int]) -> Raw:
    """Decode the one picture among the chunks between `start` and `end`."""
    body, alpha = b"", False
    for kind, first, last in chunks(data, start, end, end):
        if kind in KEPT:
            alpha = alpha or kind == b"ALPH"
            head = kind + (last - first).to_bytes(4, "little")
            body += head + data[first:last] + b"\0" * ((last - first) & 1)
            if kind != b"ALPH":
                break
    if alpha:
        canvas = (size[0] - 1).to_bytes(3, "little") + (size[1] - 1).to_bytes(3, "little")
        body = b"VP8X\x0a\0\0\0\x10\0\0\0" + canvas + body
    file = b"RIFF" + (4 + len(body)).to_bytes(4, "little") + b"WEBP" + body
    pixels = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise damaged("WebP", "it could not be decoded")
    if pixels.shape[2] == 4:
        return Raw("RGBA", np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGBA, dst=pixels), np.uint8))
    return Raw("RGB", np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB, dst=pixels), np.uint8))


def _first_frame(data: bytes, header: Header) -> Pixels:
    start, end = header.span
    x, y, w, h = (int.from_bytes(data[start + i : start + i + 3], "little") for i in (0, 3, 6, 9))
    frame = _still(data, start + 16, end, (w + 1, h + 1)).pixels
    if frame.shape[:2] != (h + 1, w + 1):
        raise damaged("WebP", "a frame of another size than it says")
    canvas = np.zeros((header.stored[1], header.stored[0], 4), np.uint8)
    place = canvas[2 * y : 2 * y + h + 1, 2 * x : 2 * x + w + 1]
    place[..., : frame.shape[2]] = frame
    if frame.shape[2] == 3:
        place[..., 3] = 255
    return canvas
