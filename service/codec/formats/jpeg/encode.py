"""JPEG by libjpeg-turbo, through OpenCV, in packets on several threads; 4:4:4 from quality 90, 4:2:0 below.

A packet is a number of whole block rows, encoded as a separate picture. Its scan is exactly one interval
between restart markers (ITU T.81, E.1.4). So the scans, joined by restart markers, form the scan of the whole
picture, with the same coefficients as if it were encoded at once. Threads and bands do not affect the bytes.
"""

from __future__ import annotations

from itertools import count

import cv2
import numpy as np

from ....arrays import U8
from ....concurrency.ordered_map import OrderedWork
from ....settings.scene import Output
from ...color.icc import srgb
from .flatten import flatten

FULL_CHROMA = 90
PACKET_ROWS = 512
MAX_INTERVAL = 65535


class JPEGWriter:
    """A JPEG file written band by band, top to bottom, while the picture is still being made."""

    def __init__(self, width: int, height: int, *, quality: int, xmp: bytes = b"") -> None:
        """Begin a picture of `width` x `height` pixels."""
        self._width, self._height, self._left = width, height, height
        self._quality = quality
        self._xmp = xmp
        block = 8 if quality >= FULL_CHROMA else 16
        self._blocks_across = -(-width // block)
        block_rows = max(1, min(PACKET_ROWS // block, MAX_INTERVAL // self._blocks_across))
        self._interval = self._blocks_across * block_rows
        self._packet_rows = block_rows * block
        self._packet: U8 | None = None
        self._filled = 0
        self._packets: OrderedWork[bytes] = OrderedWork()

    def write(self, band: U8) -> None:
        """Add the next rows, HxWx3 or HxWx4 uint8, alpha put on white; the band may be reused at once."""
        if band.ndim != 3 or band.shape[1] != self._width or not 0 < len(band) <= self._left:
            raise ValueError(f"a band of shape {band.shape} does not belong here")
        while len(band):
            if self._packet is None:
                self._packet = np.empty((min(self._packet_rows, self._left), self._width, 3), np.uint8)
                self._filled = 0
            rows = min(len(band), len(self._packet) - self._filled)
            cv2.cvtColor(
                flatten(band[:rows]), cv2.COLOR_RGB2BGR, dst=self._packet[self._filled : self._filled + rows]
            )
            band = band[rows:]
            self._filled += rows
            self._left -= rows
            if self._filled == len(self._packet):
                alone = len(self._packet) == self._height
                self._packets.add(_encoded, self._packet, self._quality, alone=alone)
                self._packet = None

    def finish(self) -> bytes:
        """The whole file; raises ValueError when rows are missing."""
        if self._left:
            raise ValueError(f"{self._left} rows were not written")
        files = list(self._packets.results())
        head, first = _split(files[0], self._height)
        # Behind the JFIF segment, which must come first.
        at = 4 + int.from_bytes(head[4:6], "big")
        parts = [head[:at]]
        if self._xmp:
            parts.append(_segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + self._xmp))
        parts += [_segment(0xE2, b"ICC_PROFILE\0\1\1" + srgb())]
        start = head.rindex(b"\xff\xda")
        restart = _segment(0xDD, self._interval.to_bytes(2, "big")) if len(files) > 1 else b""
        parts += [head[at:start], restart, head[start:], first]
        for i, file in zip(count(), files[1:], strict=False):
            parts += [bytes((0xFF, 0xD0 + i % 8)), _split(file, self._height)[1]]
        return b"".join([*parts, b"\xff\xd9"])


def writer(width: int, height: int, *, alpha: bool, output: Output) -> JPEGWriter:
    """A writer of the quality that `output` asks for."""
    return JPEGWriter(width, height, quality=output.quality, xmp=output.xmp)


def _encoded(rows: U8, quality: int) -> bytes:
    """HxWx3 BGR as a JPEG file of its own, with the standard Huffman tables."""
    fine = quality >= FULL_CHROMA
    sampling = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444 if fine else cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420
    parameters = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    done, data = cv2.imencode(".jpg", rows, parameters)
    if not done:
        raise RuntimeError("the JPEG encoder failed")
    return data.tobytes()


def _split(file: bytes, height: int) -> tuple[bytes, bytes]:
    """The header of a file, with `height` in it, and the data of its scan, without the end marker."""
    at = 2
    frame = 0
    while file[at + 1] != 0xDA:
        if file[at + 1] == 0xC0:
            frame = at
        at += 2 + int.from_bytes(file[at + 2 : at + 4], "big")
    at += 2 + int.from_bytes(file[at + 2 : at + 4], "big")
    head = file[: frame + 5] + height.to_bytes(2, "big") + file[frame + 7 : at]
    return head, file[at:-2]


def _segment(marker: int, content: bytes) -> bytes:
    return bytes((0xFF, marker)) + (2 + len(content)).to_bytes(2, "big") + content
