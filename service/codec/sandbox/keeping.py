"""A decoder whose pixels are kept: it takes those of an earlier picture, and hands on those it decodes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from service.arrays import U8
from service.clock import Clock
from service.codec.decode import decoded_size
from service.codec.picture import Header
from service.codec.raw import RequestedSize
from service.codec.sandbox.client import Sandboxed
from service.processes.packing import opened

Shape = tuple[int, int, int]


class KeepingDecoder:
    """As `Sandboxed`, except for screenshots that come decoded."""

    def __init__(self, decoder: Sandboxed, publish: Callable[[U8], None]) -> None:
        """`publish` is given pixels to be kept, of which it makes a copy."""
        self._decoder = decoder
        self._publish = publish
        self._known: U8 | None = None
        self._keep = False

    def expect(self, known: U8 | None = None, *, keep: bool = False) -> None:
        """Begin a picture with its screenshot's pixels, if they are known; publish others if `keep`."""
        self._known, self._keep = known, keep

    def decode(self, data: bytes | memoryview, header: Header, requested: RequestedSize, clock: Clock) -> U8:
        """The known pixels if they are what the file is decoded to, which is decoded otherwise."""
        known = self._known
        if known is not None and known.shape[1::-1] == decoded_size(header, requested):
            return known
        pixels = self._decoder.decode(data, header, requested, clock)
        if self._keep or known is not None:
            self._publish(pixels)
        return pixels

    def warm(self) -> None:
        """As `Sandboxed.warm`."""
        self._decoder.warm()

    def trim(self) -> None:
        """As `Sandboxed.trim`."""
        self._decoder.trim()

    def close(self) -> None:
        """As `Sandboxed.close`."""
        self._decoder.close()


def mapped(fd: int, shape: Shape) -> U8:
    """The pixels of `shape` in sealed memory, read-only; the descriptor is closed."""
    return np.frombuffer(opened(fd), np.uint8).reshape(shape)
