"""JPEG headers (ITU T.81): every marker is walked, so scans are counted and truncation is seen."""

from __future__ import annotations

import re

from service.codec.headers.exif import orientation
from service.codec.picture import Header, Limits, check_size, damaged, refuse, shown, truncated

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
ICC = b"ICC_PROFILE\0"


def matches(data: bytes) -> bool:
    """Whether the file begins as a JPEG does."""
    return data.startswith(b"\xff\xd8\xff")


def read(data: bytes, limits: Limits) -> Header:
    """Read the header of a JPEG; raises MockupError for anything that cannot be decoded in full."""
    frame: tuple[int, int, int] | None = None
    turn, scans, coded, segments = 1, 0, 0, 0
    profile: dict[int, bytes] = {}
    at = 2
    while True:
        at, marker = _marker(data, at)
        if marker == 0xD9:
            break
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:
            raise damaged("JPEG", f"marker {marker:02X} out of place")
        segments += 1
        if segments > limits.chunks:
            raise refuse(f"a JPEG file of over {limits.chunks} segments")
        length = int.from_bytes(data[at : at + 2], "big")
        end = at + length
        if at + 2 > len(data) or end > len(data):
            raise truncated("JPEG")
        if length < 2:
            raise damaged("JPEG", "a segment of no length")
        body = at + 2
        if marker in FRAMES:
            if frame:
                raise damaged("JPEG", "several frames")
            frame = _frame(data[body:end], marker, limits)
        elif marker == 0xE1 and data.startswith(b"Exif\0\0", body):
            turn = orientation(data[body:end])
        elif marker == 0xE2 and data.startswith(ICC, body) and length > 16:
            profile.setdefault(data[body + 12], data[body + 14 : end])
            if sum(map(len, profile.values())) > limits.icc:
                raise refuse("a JPEG file with an oversized colour profile")
        elif marker == 0xDA:
            if frame is None:
                raise damaged("JPEG", "a scan before its frame")
            scans += 1
            if scans > limits.scans or scans * frame[0] * frame[1] > limits.scan_pixels:
                raise refuse(f"a JPEG file of too many scans; at most {limits.scans} are accepted")
            found = MARKER.search(data, end)
            if found is None:
                raise truncated("JPEG")
            coded += found.start() - end
            end = found.start()
        at = end
    if frame is None or not scans:
        raise damaged("JPEG", "no picture in it")
    width, height, components = frame
    # A block of 8 x 8 pixels takes a bit at least.
    if coded * 8 < (width // 8) * (height // 8):
        raise truncated("JPEG")
    return Header(
        "jpeg",
        *shown(width, height, turn),
        orientation=turn,
        color={1: "grey", 3: "rgb", 4: "cmyk"}[components],  # type: ignore[arg-type]
        profile=b"".join(profile[i] for i in sorted(profile)) or None,
        stored=(width, height),
    )


def _marker(data: bytes, at: int) -> tuple[int, int]:
    """The marker at or after `at` and where its segment begins; fill bytes are skipped."""
    if at + 2 > len(data):
        raise truncated("JPEG")
    if data[at] != 0xFF:
        raise damaged("JPEG", "no marker where one must be")
    while data[at] == 0xFF:
        at += 1
        if at >= len(data):
            raise truncated("JPEG")
    return at + 1, data[at]


def _frame(body: bytes, marker: int, limits: Limits) -> tuple[int, int, int]:
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
