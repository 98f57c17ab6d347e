"""A decoder whose pixels are kept: it takes those of an earlier picture, and hands on those it decodes."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from service.arrays import U8
from service.clock import Clock
from service.codec.decode import decoded_size
from service.codec.picture import Header
from service.codec.raw import Wanted
from service.codec.sandbox.client import Sandboxed
from service.processes.packing import opened
from service.processes.segments import sealed

Shape = tuple[int, int, int]
MOST = 4 * 2**20  # bytes of halves that are kept


class KeepingDecoder:
    """As `Sandboxed`, except for screenshots that come decoded."""

    def __init__(self, decoder: Sandboxed, publish: Callable[[Shape, int], None]) -> None:
        """`publish` is given the shape of pixels to be kept, and a descriptor of a copy, which is its own."""
        self._decoder = decoder
        self._publish = publish
        self._known: U8 | None = None
        self._keep = False
        self._halving = False
        self._halves: dict[int, U8] = {}  # of the last screenshot that had any, by how often it was halved
        self._serial: int | None = None  # of that screenshot

    def expect(self, known: U8 | None = None, *, keep: bool = False, serial: int | None = None) -> None:
        """Begin a picture with its screenshot's pixels, if they are known; publish others if `keep`.

        With a `serial`, which stands for known pixels for ever, they may come halved.
        """
        self._known, self._keep, self._halving = known, keep, serial is not None
        if serial is not None and serial != self._serial:
            self._serial, self._halves = serial, {}

    def decode(self, data: bytes | memoryview, header: Header, wanted: Wanted, clock: Clock) -> U8:
        """The known pixels if they are what the file is decoded to, which is decoded otherwise.

        Halved as often as leaves them no smaller than `wanted`, if they may be.
        """
        known = self._known
        if known is not None and known.shape[1::-1] == decoded_size(header, wanted):
            return self._halved(known, wanted) if self._halving and wanted and known.shape[2] == 3 else known
        pixels = self._decoder.decode(data, header, wanted, clock)
        if self._keep or known is not None:
            # A copy, since the decoder may hold on to the memory that it wrote to.
            shape = (pixels.shape[0], pixels.shape[1], pixels.shape[2])
            self._publish(shape, sealed(pixels.reshape(-1).data))
        return pixels

    def _halved(self, known: U8, wanted: tuple[int, int]) -> U8:
        height, width = known.shape[:2]
        spare = min(width // max(wanted[0], 1), height // max(wanted[1], 1))
        times = max(spare.bit_length() - 1, 0)
        found = known
        for step in range(1, times + 1):
            half = self._halves.get(step)
            if half is None:
                # Of whole pairs, which OpenCV has a fast path for; an odd row is less than half a pixel.
                even = found[: found.shape[0] // 2 * 2, : found.shape[1] // 2 * 2]
                size = (even.shape[1] // 2, even.shape[0] // 2)
                half = np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)
                if sum(one.nbytes for one in self._halves.values()) + half.nbytes <= MOST:
                    self._halves[step] = half
            found = half
        return found

    def warm(self) -> None:
        """As `Sandboxed.warm`."""
        self._decoder.warm()

    def trim(self) -> None:
        """As `Sandboxed.trim`."""
        self._halves = {}
        self._decoder.trim()

    def close(self) -> None:
        """As `Sandboxed.close`."""
        self._decoder.close()


def mapped(fd: int, shape: Shape) -> U8:
    """The pixels of `shape` in sealed memory, read-only; the descriptor is closed."""
    return np.frombuffer(opened(fd), np.uint8).reshape(shape)
