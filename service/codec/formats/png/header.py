"""PNG and APNG headers (PNG specification, third edition); of an APNG the default picture is used."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from isal import isal_zlib

from ....limits import ICC_BYTES
from ...exif import orientation
from ...picture import (
    Budget,
    ColorModel,
    Header,
    PictureLimits,
    Tags,
    check_size,
    damaged,
    oversized_profile,
    shown,
    truncated,
)

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
COLORS: dict[int, ColorModel] = {0: "grey", 2: "rgb", 3: "palette", 4: "grey", 6: "rgb"}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
# Optional chunks that are read (only the first of each kind), and the largest size of such a chunk.
SMALL = (b"PLTE", b"tRNS", b"eXIf", b"sRGB", b"gAMA", b"cHRM", b"cICP", b"acTL")
SMALL_BYTES = 65536
# No deflate stream unpacks to more than 1,032 times its size.
MAX_RATIO = 1032

ChunkSpan = tuple[bytes, int, int]


def chunks(data: bytes, budget: Budget) -> Iterator[ChunkSpan]:
    """Yield type, start and end of each chunk's data up to IEND, minus optional ones with a bad checksum."""
    view = memoryview(data)
    at = len(SIGNATURE)
    while True:
        budget.spend()
        if at + 12 > len(data):
            raise truncated("PNG")
        (length,) = struct.unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        end = at + 8 + length
        if not kind.isalpha():
            raise damaged("PNG", "a chunk without a name")
        if end + 4 > len(data):
            raise truncated("PNG")
        if isal_zlib.crc32(view[at + 4 : end]) == int.from_bytes(data[end : end + 4], "big"):
            yield kind, at + 8, end
        elif not kind[0] & 0x20:
            raise damaged("PNG", f"wrong checksum in chunk {kind.decode()}")
        if kind == b"IEND":
            return
        at = end + 4


def row_bytes(width: int, depth: int, channels: int) -> int:
    """Bytes of one row of samples, without its filter byte."""
    return (width * depth * channels + 7) // 8


def pass_size(width: int, height: int, place: tuple[int, int, int, int]) -> tuple[int, int]:
    """Width and height of the pass that begins at x, y and takes every dx-th column and dy-th row."""
    x, y, dx, dy = place
    return (width - x + dx - 1) // dx, (height - y + dy - 1) // dy


def raw_size(width: int, height: int, depth: int, kind: int, interlaced: bool) -> int:
    """Bytes of the filtered rows that IDAT must unpack to; `kind` is the PNG colour type."""
    channels = CHANNELS[kind]
    if not interlaced:
        return height * (1 + row_bytes(width, depth, channels))
    total = 0
    for place in ADAM7:
        w, h = pass_size(width, height, place)
        total += h * (1 + row_bytes(w, depth, channels)) if w else 0
    return total


def read(data: bytes, limits: PictureLimits) -> Header:
    """Read the header of a PNG; raises MockupError for anything that cannot be decoded in full."""
    width, height, depth, kind, interlaced = _ihdr(data, limits)
    fields: dict[bytes, bytes] = {}
    icc: tuple[int, int] | None = None
    packed = 0
    after = False
    for name, start, end in chunks(data, Budget("png", limits)):
        if name == b"IDAT":
            if after:
                raise damaged("PNG", "its picture data is not in one piece")
            packed += end - start
            continue
        after = packed > 0
        if name == b"iCCP" and icc is None:
            icc = start, end
        elif name in SMALL and name not in fields:
            fields[name] = data[start : min(end, start + SMALL_BYTES)]
        elif not name[0] & 0x20 and name not in (b"IHDR", b"IEND", b"PLTE"):
            raise damaged("PNG", f"unknown chunk {name.decode()}")
    if packed * MAX_RATIO + 64 < raw_size(width, height, depth, kind, interlaced):
        raise truncated("PNG")
    _palette(fields, kind, depth)
    turn = orientation(fields.get(b"eXIf", b""))
    size_shown = shown(width, height, turn)
    return Header(
        "png",
        *size_shown,
        orientation=turn,
        has_alpha=kind in (4, 6) or b"tRNS" in fields,
        color=COLORS[kind],
        depth=depth,
        interlaced=interlaced,
        animated=b"acTL" in fields,
        tags=_tags(data, fields, icc, kind),
        stored=(width, height),
    )


def pixel_bytes(header: Header) -> int:
    """Bytes per pixel that decoding takes; see `codec/memory.py`."""
    return (13 if header.has_alpha else 9) + 8 * (header.depth == 16)


def _ihdr(data: bytes, limits: PictureLimits) -> tuple[int, int, int, int, bool]:
    if len(data) < 33:
        raise truncated("PNG")
    if data[8:16] != b"\0\0\0\x0dIHDR":
        raise damaged("PNG", "it does not begin with IHDR")
    width, height, depth, kind, compression, filtering, interlace = struct.unpack_from(">IIBBBBB", data, 16)
    check_size(width, height, limits, "PNG")
    if depth not in DEPTHS.get(kind, ()):
        raise damaged("PNG", f"colour type {kind} with {depth} bits")
    if compression or filtering or interlace > 1:
        raise damaged("PNG", "unknown compression, filter or interlace method")
    return width, height, depth, kind, bool(interlace)


def _palette(fields: dict[bytes, bytes], kind: int, depth: int) -> None:
    palette = fields.get(b"PLTE", b"")
    if len(palette) % 3 or len(palette) > 768 or (kind == 3 and not 3 <= len(palette) <= 3 << depth):
        raise damaged("PNG", f"a palette of {len(palette)} bytes")
    key = fields.get(b"tRNS")
    if key is None or kind in (4, 6):
        fields.pop(b"tRNS", None)
    elif len(key) > len(palette) // 3 if kind == 3 else len(key) != 2 * CHANNELS[kind]:
        raise damaged("PNG", f"transparency of {len(key)} bytes")


def _tags(data: bytes, fields: dict[bytes, bytes], icc: tuple[int, int] | None, kind: int) -> Tags:
    """The colour space that the chunks declare, by the specification's order of precedence."""
    cicp = fields.get(b"cICP", b"")
    gamma = int.from_bytes(fields.get(b"gAMA", b""), "big") if len(fields.get(b"gAMA", b"")) == 4 else 0
    chroma = fields.get(b"cHRM", b"")
    return Tags(
        cicp=(cicp[0], cicp[1]) if len(cicp) == 4 else None,
        icc=(_icc(data, *icc),) if icc else (),
        packed=icc is not None,
        gamma=gamma if 1_000 <= gamma <= 1_000_000 and b"sRGB" not in fields else None,
        points=struct.unpack(">8I", chroma) if len(chroma) == 32 and kind in (2, 3, 6) else None,
    )


def _icc(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Where the packed profile lies in an iCCP chunk: behind a name and the number of the method."""
    name_end = data.find(b"\0", start, end)
    at = end if name_end < 0 else min(name_end + 2, end)
    if end - at > ICC_BYTES:
        raise oversized_profile("PNG")
    return at, end
