"""A writer and a reader of all kinds of PNG files in plain Python: slow, short and independent."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))

Pixel = Sequence[int]
Rows = Sequence[Sequence[Pixel]]


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def ihdr(width: int, height: int, depth: int = 8, kind: int = 2, interlaced: bool = False) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced))


def write(
    rows: Rows,
    kind: int = 2,
    depth: int = 8,
    *,
    interlaced: bool = False,
    before: Iterable[bytes] = (),
    after: Iterable[bytes] = (),
    filters: Sequence[int] = (0, 1, 2, 3, 4),
) -> bytes:
    """Pack rows of pixels (tuples of samples); the rows take the `filters` in turn."""
    height, width = len(rows), len(rows[0])
    passes = PASSES if interlaced else ((0, 0, 1, 1),)
    parts = [[row[x::dx] for row in rows[y::dy]] for x, y, dx, dy in passes]
    raw = b"".join(_filtered(part, depth, CHANNELS[kind], filters) for part in parts if part and part[0])
    head = SIGNATURE + ihdr(width, height, depth, kind, interlaced) + b"".join(before)
    return head + chunk(b"IDAT", zlib.compress(raw, 9)) + b"".join(after) + chunk(b"IEND")


def _filtered(rows: Rows, depth: int, channels: int, filters: Sequence[int]) -> bytes:
    step = max(1, depth * channels // 8)
    above = bytes((len(rows[0]) * depth * channels + 7) // 8)
    result = b""
    for i, row in enumerate(rows):
        line = _packed([sample for pixel in row for sample in pixel], depth)
        method = filters[i % len(filters)]
        guesses = _guess(method, line, above, step)
        result += bytes([method]) + bytes((v - g) & 255 for v, g in zip(line, guesses, strict=True))
        above = line
    return result


def _packed(samples: Sequence[int], depth: int) -> bytes:
    if depth == 16:
        return struct.pack(f">{len(samples)}H", *samples)
    bits = "".join(f"{sample:0{depth}b}" for sample in samples)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))


def _guess(method: int, line: bytes, above: bytes, step: int) -> list[int]:
    guesses = []
    for i in range(len(line)):
        a = line[i - step] if i >= step else 0
        c = above[i - step] if i >= step else 0
        guesses.append(_predict(method, a, above[i], c))
    return guesses


def _predict(method: int, a: int, b: int, c: int) -> int:
    if method == 4:
        p = a + b - c
        return min((a, b, c), key=lambda v: abs(p - v))
    return (0, a, b, (a + b) // 2)[method]


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Every chunk's type and data; a wrong checksum is an error."""
    assert data.startswith(SIGNATURE)
    found, at = [], 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length) == (zlib.crc32(kind + body),), kind
        found.append((kind, body))
        at += 12 + length
    return found


def read(data: bytes) -> tuple[int, int, int, bytes]:
    """Width, height, channels and samples of an 8-bit RGB or RGBA file that is not interlaced."""
    parts = chunks(data)
    assert parts[0][0] == b"IHDR"
    assert parts[-1] == (b"IEND", b"")
    width, height, depth, kind, *rest = struct.unpack(">IIBBBBB", parts[0][1])
    assert (depth, rest) == (8, [0, 0, 0])
    unpack = zlib.decompressobj()
    raw = unpack.decompress(b"".join(body for name, body in parts if name == b"IDAT"))
    assert unpack.eof
    assert not unpack.unused_data
    step = CHANNELS[kind]
    size = width * step
    assert len(raw) == height * (1 + size)
    above, result = bytes(size), bytearray()
    for y in range(height):
        method, line = raw[y * (1 + size)], bytearray(raw[y * (1 + size) + 1 : (y + 1) * (1 + size)])
        if method == 2:
            # This gives the same bytes as the general case below, in a fifth of the time.
            line = bytearray((v + b) & 255 for v, b in zip(line, above, strict=True))
        elif method:
            for i in range(size):
                a = line[i - step] if i >= step else 0
                c = above[i - step] if i >= step else 0
                line[i] = (line[i] + _predict(method, a, above[i], c)) & 255
        result += line
        above = bytes(line)
    return width, height, step, bytes(result)
