"""WebP headers (RFC 9649); of an animation the first frame is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....limits import ICC_BYTES
from ...exif import orientation
from ...picture import (
    Budget,
    Header,
    PictureLimits,
    Span,
    Tags,
    check_size,
    damaged,
    oversized_profile,
    shown,
    truncated,
)


@dataclass(slots=True)
class WebPParts:
    """The findings of the walk over the chunks so far; sizes in pixels."""

    canvas: tuple[int, int] | None = None
    frame: tuple[int, int] | None = None
    span: Span = (0, 0)
    alpha: bool = False
    animated: bool = False
    lossless: bool = False
    turn: int | None = None
    icc: tuple[Span, ...] = ()


def chunks(data: bytes, at: int, end: int, budget: Budget) -> Iterator[tuple[bytes, int, int]]:
    """Yield type, start and end of each chunk between `at` and `end`."""
    while at + 8 <= end:
        budget.spend()
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        if at + 8 + size > end:
            raise truncated("WebP")
        yield data[at : at + 4], at + 8, at + 8 + size
        at += 8 + size + (size & 1)


def read(data: bytes, limits: PictureLimits) -> Header:
    """Read the header of a WebP; raises MockupError for anything that cannot be decoded in full."""
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data) or end < 20:
        raise truncated("WebP")
    parts = WebPParts()
    budget = Budget("webp", limits)
    for kind, start, stop in chunks(data, 12, end, budget):
        if kind == b"ANMF" and parts.frame is None and parts.animated:
            _frame(data, start, stop, parts, budget)
        else:
            _chunk(data, kind, start, stop, parts, limits)
    if parts.frame is None:
        raise truncated("WebP")
    width, height = parts.canvas or parts.frame
    if not parts.animated and parts.frame != (width, height):
        raise damaged("WebP", "its canvas and its picture differ in size")
    turn = parts.turn or 1
    return Header(
        "webp",
        *shown(width, height, turn),
        orientation=turn,
        has_alpha=parts.alpha or parts.animated,
        animated=parts.animated,
        lossless=parts.lossless,
        tags=Tags(icc=parts.icc),
        stored=(width, height),
        span=parts.span,
    )


def pixel_bytes(header: Header) -> int:
    """Bytes per pixel that decoding takes (see `codec/memory.py`); lossless files take one more in
    libwebp."""
    return (17 if header.has_alpha else 11) + header.lossless


def _chunk(data: bytes, kind: bytes, start: int, stop: int, parts: WebPParts, limits: PictureLimits) -> None:
    if kind == b"VP8X" and parts.canvas is None:
        if stop - start < 10:
            raise truncated("WebP")
        parts.canvas = _int24(data, start + 4) + 1, _int24(data, start + 7) + 1
        check_size(*parts.canvas, limits, "WebP")
        parts.alpha = bool(data[start] & 0x10)
        parts.animated = bool(data[start] & 0x02)
    elif kind == b"ICCP" and not parts.icc:
        if stop - start > ICC_BYTES:
            raise oversized_profile("WebP")
        parts.icc = ((start, stop),)
    elif kind == b"ALPH":
        parts.alpha = True
    elif kind == b"EXIF" and parts.turn is None:
        parts.turn = orientation(data[start : min(stop, start + 65536)])
    elif kind in (b"VP8 ", b"VP8L") and parts.frame is None and not parts.animated:
        parts.frame = _bitstream(data, kind, start, stop, parts)
        check_size(*parts.frame, limits, "WebP")


def _frame(data: bytes, start: int, stop: int, parts: WebPParts, budget: Budget) -> None:
    """An animation's first frame: 16 bytes of place and size, then the chunks of a still picture."""
    if stop - start < 24 or parts.canvas is None:
        raise truncated("WebP")
    x, y = 2 * _int24(data, start), 2 * _int24(data, start + 3)
    size = _int24(data, start + 6) + 1, _int24(data, start + 9) + 1
    if x + size[0] > parts.canvas[0] or y + size[1] > parts.canvas[1]:
        raise damaged("WebP", "a frame outside the canvas")
    for kind, first, last in chunks(data, start + 16, stop, budget):
        if kind in (b"VP8 ", b"VP8L"):
            if _bitstream(data, kind, first, last, parts) != size:
                raise damaged("WebP", "a frame whose size differs from its header's")
            parts.frame, parts.span = size, (start, stop)
            return
    raise damaged("WebP", "a frame without a picture")


def _bitstream(data: bytes, kind: bytes, start: int, stop: int, parts: WebPParts) -> tuple[int, int]:
    if stop - start < 10:
        raise truncated("WebP")
    if kind == b"VP8L":
        parts.lossless = True
        if data[start] != 0x2F:
            raise damaged("WebP", "no lossless signature")
        bits = int.from_bytes(data[start + 1 : start + 5], "little")
        parts.alpha = parts.alpha or bool(bits >> 28 & 1)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if data[start] & 1 or data[start + 3 : start + 6] != b"\x9d\x01\x2a":
        raise damaged("WebP", "no key frame")
    if int.from_bytes(data[start : start + 3], "little") >> 5 > stop - start - 10:
        raise truncated("WebP")
    width = int.from_bytes(data[start + 6 : start + 8], "little") & 0x3FFF
    return width, int.from_bytes(data[start + 8 : start + 10], "little") & 0x3FFF


def _int24(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 3], "little")
