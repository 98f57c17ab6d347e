"""JPEG headers (ITU T.81): every marker is visited, so that scans are counted and truncation is noticed."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    refuse,
    shown,
    truncated,
)

FRAMES = {
    0xC0: None,
    0xC1: None,
    0xC2: None,
    0xC3: "lossless",
    0xC5: "hierarchical",
    0xC6: "hierarchical",
    0xC7: "hierarchical",
    0xC9: "arithmetic-coded",
    0xCA: "arithmetic-coded",
    0xCB: "arithmetic-coded",
    0xCD: "arithmetic-coded",
    0xCE: "arithmetic-coded",
    0xCF: "arithmetic-coded",
}
# In entropy-coded data 0xFF is followed by 0 (stuffing), a restart marker or fill bytes.
MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
FILL = re.compile(rb"\xff*")
PROGRESSIVE, EXIF, ICC_PART, SCAN, END = 0xC2, 0xE1, 0xE2, 0xDA, 0xD9
ICC = b"ICC_PROFILE\0"
# Factors by which libjpeg can reduce the sides while it decodes.
DIVISORS = (1, 2, 4, 8)

MarkerSegment = tuple[int, int, int, int]


def segments(data: bytes, budget: Budget) -> Iterator[MarkerSegment]:
    """Yield each marker, the start and end of its parameters, and the end of its data, up to the marker EOI.

    At `start` are the two bytes of the length; behind a scan's parameters are its data.
    """
    at = 2
    while True:
        budget.spend()
        at, marker = _marker(data, at)
        if marker == END:
            yield marker, at, at, at
            return
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:
            raise damaged("JPEG", f"marker {marker:02X} out of place")
        length = int.from_bytes(data[at : at + 2], "big")
        end = at + length
        if at + 2 > len(data) or end > len(data):
            raise truncated("JPEG")
        if length < 2:
            raise damaged("JPEG", "a segment of no length")
        after = end
        if marker == SCAN:
            match = MARKER.search(data, end)
            if match is None:
                raise truncated("JPEG")
            after = match.start()
        yield marker, at, end, after
        at = after


def read(data: bytes, limits: PictureLimits) -> Header:
    """Read the header of a JPEG; raises MockupError for anything that cannot be decoded in full."""
    frame: tuple[int, int, int] | None = None
    turn: int | None = None
    progressive = False
    scans = coded = 0
    icc: dict[int, Span] = {}
    for marker, start, end, after in segments(data, Budget("jpeg", limits)):
        body = start + 2
        if marker in FRAMES:
            if frame:
                raise damaged("JPEG", "several frames")
            frame = _frame(data[body:end], marker, limits)
            progressive = marker == PROGRESSIVE
        elif marker == EXIF and turn is None and data.startswith(b"Exif\0\0", body):
            turn = orientation(data[body:end])
        elif marker == ICC_PART and data.startswith(ICC, body) and end - start > 16:
            icc.setdefault(data[body + 12], (body + 14, end))
        elif marker == SCAN:
            if frame is None:
                raise damaged("JPEG", "a scan before its frame")
            scans += 1
            if scans > limits.scans or scans * frame[0] * frame[1] > limits.scan_pixels:
                raise refuse(f"a JPEG file of too many scans; at most {limits.scans} are accepted")
            coded += after - end
    if sum(end - start for start, end in icc.values()) > ICC_BYTES:
        raise oversized_profile("JPEG")
    if frame is None or not scans:
        raise damaged("JPEG", "no picture in it")
    width, height, components = frame
    # A block of 8 x 8 pixels takes a bit at least.
    if coded * 8 < (width // 8) * (height // 8):
        raise truncated("JPEG")
    turn = turn or 1
    return Header(
        "jpeg",
        *shown(width, height, turn),
        orientation=turn,
        color={1: "grey", 3: "rgb", 4: "cmyk"}[components],  # type: ignore[arg-type]
        interlaced=progressive or scans > 1,
        tags=Tags(icc=tuple(icc[number] for number in sorted(icc))),
        stored=(width, height),
        divisors=DIVISORS,
    )


def pixel_bytes(header: Header) -> int:
    """Bytes per pixel that decoding takes; see `codec/memory.py`.

    libjpeg keeps the coefficients of all scans until the last one is there, two bytes per sample.
    """
    if header.color == "cmyk":
        return 16 + 4 * header.interlaced
    return 11 + 3 * header.interlaced


def _marker(data: bytes, at: int) -> tuple[int, int]:
    """The marker at or after `at` and where its segment begins; fill bytes are skipped."""
    if at + 2 > len(data):
        raise truncated("JPEG")
    if data[at] != 0xFF:
        raise damaged("JPEG", "no marker where one must be")
    # Skip all fill bytes at once: a file may consist of nothing else.
    at = FILL.match(data, at).end()  # type: ignore[union-attr]
    if at >= len(data):
        raise truncated("JPEG")
    return at + 1, data[at]


def _frame(body: bytes, marker: int, limits: PictureLimits) -> tuple[int, int, int]:
    kind = FRAMES[marker]
    if kind:
        raise refuse(f"a JPEG file of the {kind} kind, which browsers cannot show either")
    if len(body) < 6 or len(body) != 6 + 3 * body[5]:
        raise damaged("JPEG", "a frame header of the wrong length")
    if body[0] != 8:
        raise refuse(f"a JPEG file of {body[0]} bits a sample; 8 are accepted")
    height, width = int.from_bytes(body[1:3], "big"), int.from_bytes(body[3:5], "big")
    check_size(width, height, limits, "JPEG")
    if body[5] not in (1, 3, 4):
        raise refuse(f"a JPEG file of {body[5]} colour components; 1, 3 or 4 are accepted")
    return width, height, body[5]
