"""PNG: unpacked by ISA-L to exactly the promised size, then unfiltered by NumPy, OpenCV or Pillow.

What OpenCV and Pillow are handed is a file made anew, of nothing but the header and the rows, stored
uncompressed: quicker than their own inflate, and no other chunk ever reaches them.
"""

from __future__ import annotations

import io
import struct

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.PngImagePlugin import PngImageFile

from service.codec.decoders import colored
from service.codec.decoders.stored import parts, wrap
from service.codec.headers.png import raw_size
from service.codec.picture import Header, damaged
from service.codec.raw import Pixels, Raw, Wanted, rounded


def decode(data: bytes, header: Header, wanted: Wanted) -> Raw:
    """Decode to grey, RGB or RGBA of 8 bits; 16 bits are rounded."""
    found, inflate = parts(data)
    ihdr = found[b"IHDR"]
    kind = ihdr[9]
    key = found.get(b"tRNS") if kind in (0, 2, 3) else None
    if kind in (2, 6):
        return colored.decode(ihdr, inflate, header, key)
    rows = np.empty(raw_size(*header.stored, header.depth, kind, header.interlaced), np.uint8)
    inflate.fill(rows.data)
    file = wrap(ihdr, found.get(b"PLTE") if kind == 3 else None, rows.data)
    del rows
    if kind == 3:
        return _palette(_pillow(file), found[b"PLTE"], key or b"")
    grey = _deep(file) if header.depth == 16 else _pillow(file)
    if kind == 4:
        grey, alpha = (rounded(np.ascontiguousarray(grey[..., i])) for i in (0, grey.shape[2] - 1))
        return Raw("L", grey, alpha)
    if key is None:
        return Raw("L", rounded(grey))
    level = struct.unpack(">H", key)[0] * (255 // ((1 << header.depth) - 1) if header.depth < 16 else 1)
    return Raw("L", rounded(grey), np.where(grey == level, 0, 255).astype(np.uint8))


def _deep(file: bytes) -> NDArray[np.uint16]:
    """Grey of 16 bits (h, w), or grey and alpha as BGRA (h, w, 4)."""
    pixels = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise damaged("PNG", "it could not be decoded")
    return np.asarray(pixels, np.uint16)


def _pillow(file: bytes) -> Pixels:
    with PngImageFile(io.BytesIO(file)) as image:
        if image.mode == "1":
            return np.asarray(image.convert("L"), np.uint8)
        return np.asarray(image, np.uint8)


def _palette(indices: Pixels, palette: bytes, alpha: bytes) -> Raw:
    table = np.zeros((256, 4), np.uint8)
    table[:, 3] = 255
    colors = np.frombuffer(palette, np.uint8).reshape(-1, 3)
    table[: len(colors), :3] = colors
    table[: len(alpha), 3] = np.frombuffer(alpha, np.uint8)
    if alpha:
        return Raw("RGBA", table[indices])
    return Raw("RGB", table[:, :3][indices])
