"""Decoding without a process of its own: for tools, tests and machines that have nothing better."""

from __future__ import annotations

from service.arrays import U8
from service.clock import Clock
from service.codec.decode import decode
from service.codec.picture import Header
from service.codec.raw import Wanted


class InProcess:
    """Decodes right here: for trusted pictures alone."""

    def decode(self, data: bytes | memoryview, header: Header, wanted: Wanted, clock: Clock) -> U8:
        """As `service.codec.decode.decode`, without a way to stop midway."""
        clock.check()
        return decode(bytes(data), header, wanted)

    def warm(self) -> None:
        """Nothing to make ready."""

    def trim(self) -> None:
        """Nothing to give back."""

    def close(self) -> None:
        """Nothing to let go of."""
