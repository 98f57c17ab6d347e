"""PNG: unpacked by ISA-L to exactly the promised size, then unfiltered by OpenCV or Pillow.

The decoder is handed a file made anew, of nothing but the header and the rows, stored uncompressed: quicker
than its own inflate, and no other chunk ever reaches it.
"""

from __future__ import annotations

import io
import struct
from typing import cast

import cv2
import numpy as np
from isal import igzip_lib, isal_zlib
from numpy.typing import NDArray
from PIL.PngImagePlugin import PngImageFile

from service.codec.headers.png import SIGNATURE, chunks, raw_size
from service.codec.picture import Header, damaged, truncated
from service.codec.raw import Pixels, Raw, Wanted, is_opaque

# The longest block that deflate can store.
STORED = 65535
# Packed bytes handed to the inflater at a time; what it leaves of them is copied.
FEED = 16384
UNPACKING_FAILED = cast("type[Exception]", igzip_lib.IsalError)


def decode(data: bytes, header: Header, wanted: Wanted) -> Raw:
    """Decode to grey, RGB or RGBA of 8 bits; 16 bits are rounded."""
    found, file = rewrap(data, header)
    kind = found[b"IHDR"][9]
    key = found.get(b"tRNS") if kind in (0, 2, 3) else None
    if kind == 3:
        return _palette(_pillow(file), found[b"PLTE"], key or b"")
    if header.depth == 16 or kind in (2, 6):
        return _direct(_opencv(file), kind, key)
    if kind == 4:
        pixels = _pillow(file)
        return Raw("L", np.ascontiguousarray(pixels[..., 0]), np.ascontiguousarray(pixels[..., 1]))
    grey = _pillow(file)
    if key is None:
        return Raw("L", grey)
    level = struct.unpack(">H", key)[0] * (255 // ((1 << header.depth) - 1))
    return Raw("L", grey, np.where(grey == level, 0, 255).astype(np.uint8))


def rewrap(data: bytes, header: Header) -> tuple[dict[bytes, bytes], bytes]:
    """IHDR, PLTE and tRNS, and a PNG of the same picture whose deflate stream is stored, not packed."""
    found: dict[bytes, bytes] = {}
    packed = []
    for name, start, end in chunks(data, len(data)):
        if name == b"IDAT":
            packed.append(data[start:end])
        elif name in (b"IHDR", b"PLTE", b"tRNS"):
            found.setdefault(name, data[start:end])
    size = raw_size(*header.stored, header.depth, found[b"IHDR"][9], header.interlaced)
    body = _store(b"".join(packed), size)
    head = [SIGNATURE, _chunk(b"IHDR" + found[b"IHDR"])]
    if header.color == "palette":
        head.append(_chunk(b"PLTE" + found[b"PLTE"]))
    head.append(struct.pack(">I", sum(map(len, body)) - 4))
    crc = 0
    for part in body:
        crc = isal_zlib.crc32(part, crc)
    return found, b"".join([*head, *body, struct.pack(">I", crc), _chunk(b"IEND")])


def _store(packed: bytes, size: int) -> list[bytes]:
    """Unpack exactly `size` bytes of a zlib stream into the parts of an IDAT chunk that stores them."""
    inflate = isal_zlib.decompressobj()
    view = memoryview(packed)
    parts = [b"IDAT\x78\x01"]
    adler, left, at = 1, size, 0
    rest: bytes | memoryview = b""
    try:
        while left:
            if not rest:
                rest = view[at : at + FEED]
                at += FEED

            block = inflate.decompress(rest, min(STORED, left))
            rest = inflate.unconsumed_tail
            if not block:
                if at >= len(packed):
                    raise truncated("PNG")
                continue
            left -= len(block)
            adler = isal_zlib.adler32(block, adler)
            parts += [struct.pack("<BHH", not left, len(block), len(block) ^ 0xFFFF), block]
    except UNPACKING_FAILED as error:
        raise damaged("PNG", "its picture data cannot be unpacked") from error
    return [*parts, struct.pack(">I", adler)]


def _chunk(content: bytes) -> bytes:
    return struct.pack(">I", len(content) - 4) + content + struct.pack(">I", isal_zlib.crc32(content))


def _opencv(file: bytes) -> NDArray[np.uint8 | np.uint16]:
    pixels = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise damaged("PNG", "it could not be decoded")
    return np.asarray(pixels)


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
    return ((pixels.astype(np.uint32) + 128) // 257).astype(np.uint8)
