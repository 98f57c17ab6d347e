"""Small valid pictures in files with extra data that is expensive for careless readers."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable

import numpy as np
from PIL import Image

from service.arrays import U8
from tests.codec import pngs, profiles
from tests.codec.pictures import saved


def png(*chunks: bytes) -> bytes:
    return pngs.write([[(1, 2, 3)] * 4] * 3, before=chunks)


def bomb(megabytes: int) -> bytes:
    pack = zlib.compressobj(9)
    return b"".join(pack.compress(bytes(2**20)) for _ in range(megabytes)) + pack.flush()


def png_of_profiles(count: int = 1500) -> bytes:
    """A PNG with many profiles that unpack to 4 MB each; readers use only the first profile."""
    first = pngs.chunk(b"iCCP", b"p3\0\0" + zlib.compress(profiles.display_p3()))
    return png(first, pngs.chunk(b"iCCP", b"name\0\0" + bomb(4)) * count)


def png_of_texts(count: int = 100) -> bytes:
    """A PNG with texts that each unpack to 7 MB and end in damaged data.

    A reader that limits the total size of intact texts does not count these.
    """
    pack = zlib.compressobj(9)
    broken = pack.compress(bytes(7_000_000)) + pack.flush(zlib.Z_FULL_FLUSH) + b"\xff" * 9
    return png(pngs.chunk(b"zTXt", b"Comment\0\0" + broken) * count)


def png_of_large_texts() -> bytes:
    packed = bomb(64)
    return png(
        pngs.chunk(b"zTXt", b"Comment\0\0" + packed),
        pngs.chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + packed),
        pngs.chunk(b"tEXt", b"Comment\0" + bytes(10_000_000)),
    )


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", 2 + len(body)) + body


def jpeg(*segments: bytes) -> bytes:
    data = saved("JPEG")
    return data[:2] + b"".join(segments) + data[2:]


def exif(orientation: int, entries: int = 0) -> bytes:
    """An EXIF block with `entries` meaningless entries before the orientation."""
    rest = struct.pack("<HHII", 0x0100, 3, 1, 1) * entries
    one = struct.pack("<HHII", 0x0112, 3, 1, orientation)
    return b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<H", entries + 1) + rest + one


def jpeg_of_exif(count: int = 19_000) -> bytes:
    return jpeg(segment(0xE1, exif(1)), segment(0xE1, exif(6, 60)) * count)


def jpeg_of_fill_bytes(size: int = 15_000_000) -> bytes:
    """A JPEG with many fill bytes, 0xFF, before a marker."""
    return jpeg(b"\xff" * size)


def jpeg_of_profile_parts(count: int = 19_000) -> bytes:
    """A JPEG with many parts of a profile. Part numbers repeat, and readers ignore repeated ones."""
    return jpeg(*(segment(0xE2, b"ICC_PROFILE\0" + bytes((i % 255, 255)) + bytes(700)) for i in range(count)))


def jpeg_of_comments(count: int = 19_000) -> bytes:
    return jpeg(segment(0xFE, bytes(700)) * count)


def jpeg_of_stuffing(size: int = 7_000_000) -> bytes:
    """A JPEG in whose coded data every other byte is 0xFF, so a reader must check for a marker there."""
    data = saved("JPEG")
    return data[:-2] + b"\xff\0" * size + b"\xff\xd9"


def webp(*chunks: tuple[bytes, bytes]) -> bytes:
    """A WebP in the extended form, with `chunks` before the picture."""
    picture = saved("WEBP")[12:]
    size = (39).to_bytes(3, "little") + (29).to_bytes(3, "little")
    parts = [(b"VP8X", b"\x10\0\0\0" + size), *chunks]
    body = b"".join(kind + len(data).to_bytes(4, "little") + data for kind, data in parts) + picture
    return b"RIFF" + (4 + len(body)).to_bytes(4, "little") + b"WEBP" + body


def webp_of_alphas(count: int = 19_000) -> bytes:
    """A WebP with many alpha chunks, of which only the first can belong to the picture."""
    opaque = b"\0" + b"\xff" * (40 * 30 - 1 + 1)
    return webp((b"ALPH", opaque + b"\0" * (len(opaque) & 1)), *[(b"ALPH", bytes(700))] * count)


def webp_of_exif(count: int = 19_000) -> bytes:
    return webp((b"EXIF", exif(1)), *[(b"EXIF", exif(6, 60))] * count)


def gif() -> tuple[bytes, bytes]:
    """A GIF split in two: its header, and everything from the frame on."""
    data = saved("GIF")
    at = 13 + (3 << ((data[10] & 7) + 1))
    return data[:at], data[at:]


def gif_of_comments(count: int = 19_000) -> bytes:
    head, frame = gif()
    return head + (b"!\xfe\xff" + bytes(255) + b"\0") * count + frame


def gif_of_tiny_blocks(size: int = 1_900_000) -> bytes:
    """A GIF with one comment in blocks of one byte."""
    head, frame = gif()
    return head + b"!\xfe" + b"\1x" * (size // 2) + b"\0" + frame


def gif_of_frames(count: int = 20_000) -> bytes:
    head, frame = gif()
    return head + frame[:-1] * count + b";"


# `SHOWN`: files that must be decoded as if nothing had been added. `REFUSED`: files whose structure must be
# refused.
SHOWN: dict[str, Callable[[], bytes]] = {
    make.__name__: make
    for make in (
        png_of_profiles,
        png_of_texts,
        png_of_large_texts,
        jpeg_of_exif,
        jpeg_of_fill_bytes,
        jpeg_of_profile_parts,
        jpeg_of_comments,
        jpeg_of_stuffing,
        webp_of_alphas,
        webp_of_exif,
        gif_of_comments,
        gif_of_frames,
    )
}
REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "png of chunks": (lambda: png(pngs.chunk(b"abCd") * 1_000_000), "a PNG file of over 20000 chunks"),
    "jpeg of segments": (
        lambda: jpeg(segment(0xFE, b"") * 3_000_000),
        "a JPEG file of over 20000 segments",
    ),
    "webp of chunks": (lambda: webp(*[(b"abcd", b"")] * 1_000_000), "a WebP file of over 20000 chunks"),
    "gif of extensions": (
        lambda: gif()[0] + b"!\xfe\0" * 5_000_000 + gif()[1],
        "a GIF file of over 20000 blocks",
    ),
    "gif of tiny blocks": (gif_of_tiny_blocks, "a GIF file of over 20000 blocks"),
}


def plain(name: str) -> U8:
    """The pixels of the picture in a file of `SHOWN`."""
    form = name.split("_")[0]
    if form == "png":
        return np.full((3, 4, 3), (1, 2, 3), np.uint8)
    return np.asarray(Image.open(io.BytesIO(saved(form.upper()))).convert("RGB"))
