"""Detects a recording's file format by its first bytes, and whether it has sound, without decoding."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..errors import MockupError, invalid

HEAD_BYTES = 64
BOXES = 4000  # boxes of an MP4 file that are examined at most
DEEP = frozenset((b"moov", b"trak", b"mdia"))
# How much of a WebM file is searched for its tracks, which come before its pictures.
TRACKS_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Container:
    """A file format: its name, its first bytes, and FFmpeg's demuxer, None for animated pictures."""

    name: str
    label: str
    signature: re.Pattern[bytes]
    demuxer: str | None


CONTAINERS = (
    Container("webm", "WebM", re.compile(rb"\x1a\x45\xdf\xa3"), "matroska"),
    Container("gif", "GIF", re.compile(rb"GIF8[79]a"), None),
    Container("apng", "PNG", re.compile(rb"\x89PNG\r\n\x1a\n"), None),
    Container("webp", "WebP", re.compile(rb"RIFF....WEBP", re.DOTALL), None),
    Container("mov", "MOV", re.compile(rb"....(?:ftypqt  |moov|wide|mdat)", re.DOTALL), "mov"),
    Container("mp4", "MP4", re.compile(rb"....ftyp", re.DOTALL), "mov"),
)
Read = Callable[[int, int], bytes]


def sniff(head: bytes) -> Container:
    """The format of a file by its first bytes; raises a 400 if it is not supported."""
    for one in CONTAINERS:
        if one.signature.match(head):
            return one
    raise invalid("The recording is not MP4, MOV, WebM, GIF, APNG or WebP")


def has_sound(container: Container, read: Read, size: int) -> bool:
    """Whether a file of `size` bytes has an audio track; `read` returns a number of bytes at an offset."""
    if container.demuxer == "mov":
        return any(kind == b"soun" for kind in _handlers(read, size))
    if container.demuxer == "matroska":
        # TrackType (0x83), one byte long: 2 is audio. The codec's name confirms it, since names of audio
        # codecs begin with A_.
        head = read(min(TRACKS_BYTES, size), 0)
        return re.search(rb"\x83\x81\x02", head) is not None and b"A_" in head
    return False


def _handlers(read: Read, size: int) -> Iterator[bytes]:
    """The kinds of the tracks of an MP4 file."""
    spans, left = [(0, size)], BOXES
    while spans:
        at, end = spans.pop()
        while at + 8 <= end and left:
            left -= 1
            length, kind = struct.unpack(">I4s", read(8, at).ljust(8, b"\0"))
            start = at + 8
            if length == 1:
                length, start = int.from_bytes(read(8, start), "big"), start + 8
            until = end if length == 0 else at + length
            if until < start or until > end:
                break
            if kind in DEEP:
                spans.append((start, until))
            elif kind == b"hdlr":
                yield read(4, start + 8)
            at = until


#: FFmpeg's names of the accepted codecs, and the FourCCs by which OpenCV identifies them.
CODECS: dict[str, frozenset[str]] = {
    "h264": frozenset(("h264", "avc1", "avc3", "x264")),
    "hevc": frozenset(("hevc", "hvc1", "hev1")),
    "vp8": frozenset(("vp80",)),
    "vp9": frozenset(("vp90", "vp09")),
    "prores": frozenset(("apch", "apcn", "apcs", "apco", "ap4h", "ap4x")),
}
MARKS = frozenset(mark for marks in CODECS.values() for mark in marks)


def refuse_codec(mark: str) -> MockupError:
    """The 400 for a recording in any other codec."""
    return invalid(
        f"The recording's pictures are in a codec that is not read here ({mark.strip() or 'unknown'}); "
        "H.264, HEVC, VP8, VP9 and ProRes are"
    )
