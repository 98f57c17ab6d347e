"""PNG and APNG headers (PNG specification, third edition); of an APNG the default picture is used."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from isal import isal_zlib

from service.codec.headers.exif import orientation
from service.codec.picture import Color, Header, Limits, check_size, damaged, refuse, shown, truncated
from service.codec.profiles import from_cicp, from_gamma

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
COLORS: dict[int, Color] = {0: "grey", 2: "rgb", 3: "palette", 4: "grey", 6: "rgb"}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
SRGB_GAMMA = 45455
# No deflate stream unpacks to more than 1,032 times its size.
MAX_RATIO = 1032

Chunk = tuple[bytes, int, int]


def matches(data: bytes) -> bool:
    """Whether the file begins as a PNG does."""
    return data.startswith(SIGNATURE)


def chunks(data: bytes, limit: int) -> Iterator[Chunk]:
    """Yield type, start and end of each chunk's data up to IEND, without optional ones of a bad checksum."""
    view = memoryview(data)
    at = len(SIGNATURE)
    for _ in range(limit):
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
    raise refuse(f"a PNG file of over {limit} chunks")


def row_bytes(width: int, depth: int, channels: int) -> int:
    """Bytes of one row of samples, without its filter byte."""
    return (width * depth * channels + 7) // 8


def raw_size(width: int, height: int, depth: int, kind: int, interlaced: bool) -> int:
    """Bytes of the filtered rows that IDAT must unpack to; `kind` is the PNG colour type."""
    channels = CHANNELS[kind]
    if not interlaced:
        return height * (1 + row_bytes(width, depth, channels))
    total = 0
    for x, y, dx, dy in ADAM7:
        w, h = (width - x + dx - 1) // dx, (height - y + dy - 1) // dy
        total += h * (1 + row_bytes(w, depth, channels)) if w > 0 and h > 0 else 0
    return total


def read(data: bytes, limits: Limits) -> Header:
    """Read the header of a PNG; raises MockupError for anything that cannot be decoded in full."""
    width, height, depth, kind, interlaced = _ihdr(data, limits)
    found: dict[bytes, bytes] = {}
    packed = 0
    unpacked = 0
    after = False
    for name, start, end in chunks(data, limits.chunks):
        size = end - start
        if name == b"IDAT":
            if after:
                raise damaged("PNG", "its picture data is not in one piece")
            packed += size
            continue
        after = packed > 0
        if name in (b"zTXt", b"iTXt", b"tEXt"):
            unpacked += _text(data[start : min(end, start + limits.text + 1)], name, limits.text - unpacked)
        elif name == b"iCCP":
            found.setdefault(name, _icc(data[start:end], limits.icc))
        elif name in (b"PLTE", b"tRNS", b"eXIf", b"sRGB", b"gAMA", b"cHRM", b"cICP", b"acTL"):
            found.setdefault(name, data[start : min(end, start + 65536)])
        elif not name[0] & 0x20 and name not in (b"IHDR", b"IEND"):
            raise damaged("PNG", f"unknown chunk {name.decode()}")
    if packed * MAX_RATIO + 64 < raw_size(width, height, depth, kind, interlaced):
        raise truncated("PNG")
    _palette(found, kind, depth)
    turn = orientation(found.get(b"eXIf", b""))
    size_shown = shown(width, height, turn)
    return Header(
        "png",
        *size_shown,
        orientation=turn,
        has_alpha=kind in (4, 6) or b"tRNS" in found,
        color=COLORS[kind],
        depth=depth,
        interlaced=interlaced,
        animated=b"acTL" in found,
        profile=_profile(found, kind),
        stored=(width, height),
    )


def _ihdr(data: bytes, limits: Limits) -> tuple[int, int, int, int, bool]:
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


def _palette(found: dict[bytes, bytes], kind: int, depth: int) -> None:
    palette = found.get(b"PLTE", b"")
    if len(palette) % 3 or len(palette) > 768 or (kind == 3 and not 3 <= len(palette) <= 3 << depth):
        raise damaged("PNG", f"a palette of {len(palette)} bytes")
    key = found.get(b"tRNS")
    if key is None or kind in (4, 6):
        found.pop(b"tRNS", None)
    elif len(key) > len(palette) // 3 if kind == 3 else len(key) != 2 * CHANNELS[kind]:
        raise damaged("PNG", f"transparency of {len(key)} bytes")


def _text(chunk: bytes, name: bytes, room: int) -> int:
    """Count what a text chunk holds; nothing of it is kept."""
    size = len(chunk)
    rest = chunk.partition(b"\0")[2]
    packed = name == b"zTXt" or (name == b"iTXt" and rest[:1] == b"\1")
    if packed:
        start = rest[2:].partition(b"\0")[2].partition(b"\0")[2] if name == b"iTXt" else rest[1:]
        size = len(_inflate(start, max(0, room) + 1))
    if size > room:
        raise refuse("a PNG file with oversized text")
    return size


def _icc(chunk: bytes, limit: int) -> bytes:
    _, _, rest = chunk.partition(b"\0")
    profile = _inflate(rest[1 : limit + 1], limit + 1)
    if len(profile) > limit or len(rest) > limit:
        raise refuse(f"a PNG file with an oversized colour profile; at most {limit // 1024} KiB are accepted")
    return profile


def _inflate(packed: bytes, limit: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, limit)
    except zlib.error:
        return b""


def _profile(found: dict[bytes, bytes], kind: int) -> bytes | None:
    """The pixels' profile, by the order of precedence that the specification gives."""
    cicp = found.get(b"cICP")
    if cicp is not None and len(cicp) == 4:
        return from_cicp(cicp[0], cicp[1])
    if found.get(b"iCCP"):
        return found[b"iCCP"]
    gamma = found.get(b"gAMA", b"")
    if b"sRGB" in found or len(gamma) != 4:
        return None
    value = int.from_bytes(gamma, "big")
    chroma = found.get(b"cHRM", b"")
    points = (
        [v / 1e5 for v in struct.unpack(">8I", chroma)] if len(chroma) == 32 and kind in (2, 3, 6) else None
    )
    if not 1_000 <= value <= 1_000_000:
        return None
    return from_gamma(1e5 / value, points, srgb=abs(value - SRGB_GAMMA) <= 500)
