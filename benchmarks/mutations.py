"""Splits picture files into their parts, alters these, and joins them again."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable

from tests.codec import pngs

PNG = b"\x89PNG\r\n\x1a\n"
INTERESTING = (
    0,
    1,
    2,
    3,
    7,
    8,
    16,
    127,
    128,
    255,
    256,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
)
Parts = list[bytes]


def mutate(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """`data` with one to six changes, which may insert parts of `others`, files of the same format."""
    parts = split(data)
    spare = [part for other in others for part in split(other)]
    for _ in range(rng.randint(1, 6)):
        if parts:
            rng.choice(CHANGES)(parts, spare, rng)
    made = join(data, parts)
    if rng.random() < 0.1:
        made = made[: rng.randrange(len(made) + 1)]
    if rng.random() < 0.1:
        at = rng.randrange(len(made) + 1)
        made = made[:at] + rng.randbytes(rng.randint(1, 40)) + made[at:]
    return made


def split(data: bytes) -> Parts:
    """The chunks, segments or blocks of a file; their concatenation is the file."""
    if data.startswith(PNG):
        return _chunks(data, 8, ">I", 0, 12, lambda size: size)
    if data.startswith(b"RIFF"):
        return _chunks(data, 12, "<I", 4, 8, lambda size: size + size % 2)
    if data.startswith(b"\xff\xd8"):
        return _segments(data)
    return [data[at : at + 24] for at in range(0, len(data), 24)]


def join(data: bytes, parts: Parts) -> bytes:
    """The joined file, mostly with correct checksums and sizes, so that faults in its parts are reached."""
    if data.startswith(PNG):
        return parts[0] + b"".join(map(_checked, parts[1:])) if parts else PNG
    made = b"".join(parts)
    if data.startswith(b"RIFF") and len(made) >= 8:
        return made[:4] + struct.pack("<I", len(made) - 8) + made[8:]
    return made


def _chunks(
    data: bytes, start: int, form: str, at_size: int, around: int, padded: Callable[[int], int]
) -> Parts:
    parts, at = [data[:start]], start
    while at < len(data):
        (size,) = struct.unpack_from(form, data.ljust(at + 12, b"\0"), at + at_size)
        end = min(len(data), at + around + padded(size))
        parts.append(data[at:end])
        at = end
    return parts


def _segments(data: bytes) -> Parts:
    marks = [at for at in range(len(data) - 1) if data[at] == 0xFF and data[at + 1] not in (0, 0xFF)]
    return [data[a:b] for a, b in zip(marks, [*marks[1:], len(data)], strict=True)]


def _checked(chunk: bytes) -> bytes:
    """A PNG chunk, in seven of eight cases with correct length and checksum."""
    if len(chunk) < 12 or zlib.crc32(chunk) % 8 == 0:
        return chunk
    return pngs.chunk(chunk[4:8], chunk[8:-4])


def _drop(parts: Parts, _: Parts, rng: random.Random) -> None:
    del parts[rng.randrange(len(parts))]


def _repeat(parts: Parts, _: Parts, rng: random.Random) -> None:
    at = rng.randrange(len(parts))
    parts[at:at] = [parts[at]] * rng.choice((1, 2, 5, 120))


def _swap(parts: Parts, _: Parts, rng: random.Random) -> None:
    a, b = rng.randrange(len(parts)), rng.randrange(len(parts))
    parts[a], parts[b] = parts[b], parts[a]


def _borrow(parts: Parts, spare: Parts, rng: random.Random) -> None:
    if spare:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(spare))


def _bytes(parts: Parts, _: Parts, rng: random.Random) -> None:
    at = rng.randrange(len(parts))
    part = bytearray(parts[at])
    for _number in range(rng.randint(1, 4)):
        if part:
            part[rng.randrange(len(part))] = rng.randrange(256)
    parts[at] = bytes(part)


def _number(parts: Parts, _: Parts, rng: random.Random) -> None:
    """Write a number that is often a limit where a size, count or length may be."""
    at, size = rng.randrange(len(parts)), rng.choice((1, 2, 4))
    part = parts[at]
    if len(part) >= size:
        # Most changes are near the beginning, where headers have their numbers.
        spot = rng.randrange(min(len(part) - size + 1, 32 if rng.random() < 0.8 else len(part)))
        value = rng.choice(INTERESTING) & (256**size - 1)
        parts[at] = part[:spot] + value.to_bytes(size, rng.choice(("big", "little"))) + part[spot + size :]


def _shorten(parts: Parts, _: Parts, rng: random.Random) -> None:
    at = rng.randrange(len(parts))
    parts[at] = parts[at][: rng.randrange(len(parts[at]) + 1)]


def _unpacked(parts: Parts, _: Parts, rng: random.Random) -> None:
    """Change the uncompressed content of a PNG's rows, texts or profile."""
    packed = [at for at, part in enumerate(parts) if part[4:8] in (b"IDAT", b"zTXt", b"iCCP", b"fdAT")]
    if not packed:
        return _bytes(parts, [], rng)
    at = rng.choice(packed)
    body = parts[at][8:-4]
    start = max(0, body.find(b"\x78"))
    try:
        rows = bytearray(zlib.decompressobj().decompress(body[start:], 1 << 20))
    except zlib.error:
        return
    for _number in range(rng.randint(1, 6)):
        if rows:
            rows[rng.randrange(len(rows))] = rng.randrange(256)
    cut = rows[: rng.randrange(len(rows) + 1)] if rng.random() < 0.2 else rows
    made = body[:start] + zlib.compress(bytes(cut))
    parts[at] = struct.pack(">I", len(made)) + parts[at][4:8] + made + bytes(4)


CHANGES: tuple[Callable[[Parts, Parts, random.Random], None], ...] = (
    _drop,
    _repeat,
    _swap,
    _borrow,
    _bytes,
    _bytes,
    _number,
    _number,
    _shorten,
    _unpacked,
)
