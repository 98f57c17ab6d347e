"""Animated WebP, frame by frame: each frame is a still WebP of the changed box in an animation's container.

Pillow writes animations, too, but takes all frames at once, and loses their transparency.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import BinaryIO

from PIL import Image

from ...arrays import U8
from ...codec.color.icc import srgb
from ...render.geometry.raster import Box
from .difference import Difference
from .encoder import Reel

MILLISECONDS = 1000
METHOD = 2
ANIMATED, WITH_ALPHA, WITH_PROFILE = 0x02, 0x10, 0x20
# Frames replace the pixels below them, and remain until the next one.
REPLACE = 0x02
PARTS = frozenset((b"ALPH", b"VP8 ", b"VP8L"))


class WebP:
    """An animation that repeats; see Google's "WebP Container Specification"."""

    def __init__(self, file: BinaryIO, reel: Reel) -> None:
        """Write the head of a file, whose size follows."""
        self._file, self._reel = file, reel
        self._frame = 0
        # Offsets are even.
        self._difference = Difference(step=2)
        flags = ANIMATED | WITH_PROFILE | (WITH_ALPHA if reel.alpha else 0)
        file.write(b"RIFF\0\0\0\0WEBP")
        self._chunk(b"VP8X", struct.pack("<I", flags) + _three(reel.width - 1, reel.height - 1))
        self._chunk(b"ICCP", srgb())
        self._chunk(b"ANIM", bytes(6))

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """As `Encoder.write`."""
        start, end = (self._reel.at(one, MILLISECONDS) for one in (self._frame, self._frame + 1))
        self._frame += 1
        box = self._difference.box(pixels)
        still = io.BytesIO()
        picture = Image.fromarray(pixels[box.slices])
        picture.save(still, "WEBP", quality=self._reel.quality, method=METHOD, exact=False)
        head = _three(box.x // 2, box.y // 2, box.width - 1, box.height - 1, end - start)
        self._chunk(b"ANMF", head + bytes((REPLACE,)) + b"".join(_parts(still.getvalue())))

    def finish(self) -> None:
        """As `Encoder.finish`."""
        size = self._file.tell()
        self._file.seek(4)
        self._file.write(struct.pack("<I", size - 8))
        self._file.seek(size)

    def _chunk(self, kind: bytes, content: bytes) -> None:
        self._file.write(kind + struct.pack("<I", len(content)) + content + bytes(len(content) % 2))


def _three(*numbers: int) -> bytes:
    """Numbers of three bytes each."""
    return b"".join(number.to_bytes(3, "little") for number in numbers)


def _parts(still: bytes) -> Iterator[bytes]:
    """The chunks of a still WebP that an animation's frame consists of."""
    at = 12
    while at < len(still):
        (size,) = struct.unpack_from("<I", still, at + 4)
        end = at + 8 + size + size % 2
        if still[at : at + 4] in PARTS:
            yield still[at:end]
        at = end
