"""PNG: unpacked by ISA-L to exactly the promised size, then unfiltered by OpenCV or Pillow.

The decoder is handed a file made anew, of nothing but the header and the rows, stored uncompressed: quicker
than its own inflate, and no other chunk ever reaches it.
"""

from __future__ import annotations

import io
import struct

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.PngImagePlugin import PngImageFile

from service.codec.decoders.stored import rewrap
from service.codec.picture import Header, damaged
from service.codec.raw import Pixels, Raw, Wanted, is_opaque

# Rows of 16 bits that are rounded at a time, so that wide values take little memory.
STRIP_ROWS = 64


def decode(data: bytes, header: Header, wanted: Wanted) -> Raw:
    """Decode to grey, RGB or RGBA of 8 bits; 16 bits are rounded."""
    found, file = rewrap(data, header)
    kind = found[b"IHDR"][9]
    key = found.get(b"tRNS") if kind in (0, 2, 3) else None
    if kind == 3:
        return _palette(_pillow(file), found[b"PLTE"], key or b"")
    if header.depth == 16 or kind in (2, 6):
        pixels = _opencv(file)
        del file
        return _direct(pixels, kind, key)
    if kind == 4:
        both = _pillow(file)
        return Raw("L", np.ascontiguousarray(both[..., 0]), np.ascontiguousarray(both[..., 1]))
    grey = _pillow(file)
    if key is None:
        return Raw("L", grey)
    level = struct.unpack(">H", key)[0] * (255 // ((1 << header.depth) - 1))
    return Raw("L", grey, np.where(grey == level, 0, 255).astype(np.uint8))


def _opencv(file: bytearray) -> NDArray[np.uint8 | np.uint16]:
    pixels = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise damaged("PNG", "it could not be decoded")
    return np.asarray(pixels)


def _pillow(file: bytearray) -> Pixels:
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


def _direct(pixels: NDArray[np.uint8 | np.uint16], kind: int, key: bytes | None) -> Raw:
    """OpenCV's grey, BGR or BGRA of 8 or 16 bits; `key` is the one transparent colour of tRNS."""
    alpha = None
    if key is not None:
        levels = np.array(struct.unpack(f">{len(key) // 2}H", key), np.uint16)[::-1]
        same = pixels == levels
        alpha = np.where(same if pixels.ndim == 2 else same.all(axis=2), 0, 255).astype(np.uint8)
    eight = np.asarray(pixels, np.uint8) if pixels.dtype == np.uint8 else _eight_bits(pixels)
    if kind == 0:
        return Raw("L", eight, alpha)
    if kind == 4:
        return Raw("L", np.ascontiguousarray(eight[..., 0]), np.ascontiguousarray(eight[..., 3]))
    if eight.shape[2] == 4 and is_opaque(eight):
        return Raw("RGB", np.asarray(cv2.cvtColor(eight, cv2.COLOR_BGRA2RGB), np.uint8))
    if eight.shape[2] == 4:
        return Raw("RGBA", np.asarray(cv2.cvtColor(eight, cv2.COLOR_BGRA2RGBA, dst=eight), np.uint8))
    rgb = np.asarray(cv2.cvtColor(eight, cv2.COLOR_BGR2RGB, dst=eight), np.uint8)
    return Raw("RGB", rgb) if alpha is None else Raw("RGBA", np.dstack((rgb, alpha)))


def _eight_bits(pixels: NDArray[np.uint8 | np.uint16]) -> Pixels:
    """Round 16 bits to the nearest of 8: v / 257."""
    result = np.empty(pixels.shape, np.uint8)
    for top in range(0, len(pixels), STRIP_ROWS):
        rows = pixels[top : top + STRIP_ROWS].astype(np.uint32)
        result[top : top + STRIP_ROWS] = (rows + 128) // 257
    return result
