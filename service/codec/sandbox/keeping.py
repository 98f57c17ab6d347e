"""A decoder with a cache: it returns the pixels of a picture decoded earlier, or decodes and publishes
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...arrays import U8
from ...clock import Clock
from ...processes.packing import opened
from ..decode import decoded_size
from ..picture import Header
from ..raw import RequestedSize
from .client import Sandboxed

ArrayShape = tuple[int, int, int]


class KeepingDecoder:
    """As `Sandboxed`, but returns cached pixels of screenshots that were decoded before."""

    def __init__(self, decoder: Sandboxed, publish: Callable[[int, U8], None]) -> None:
        """`publish` gets a screenshot's number and the pixels to cache, which it copies."""
        self._decoder = decoder
        self._publish = publish
        self._known: Sequence[U8 | None] = ()
        self._keep: Sequence[bool] = ()

    def expect(self, known: Sequence[U8 | None] = (), keep: Sequence[bool] = ()) -> None:
        """Begin a picture with its screenshots' cached pixels; `keep` says which others to publish."""
        self._known, self._keep = known, keep

    def decode(
        self,
        data: bytes | memoryview,
        header: Header,
        requested: RequestedSize,
        clock: Clock,
        number: int = 0,
    ) -> U8:
        """The cached pixels of the picture's screenshot `number`, if they have the size to which it must be
        decoded; otherwise, the file is decoded."""
        known = self._known[number] if number < len(self._known) else None
        if known is not None and known.shape[1::-1] == decoded_size(header, requested):
            return known
        pixels = self._decoder.decode(data, header, requested, clock)
        if known is not None or (number < len(self._keep) and self._keep[number]):
            self._publish(number, pixels)
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


def mapped(fd: int, shape: ArrayShape) -> U8:
    """The pixels of `shape` in sealed memory, read-only; the descriptor is closed."""
    return np.frombuffer(opened(fd), np.uint8).reshape(shape)
