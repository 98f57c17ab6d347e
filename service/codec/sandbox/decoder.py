"""What decodes screenshots: an interface, and the plain form of it for tools and tests."""

from __future__ import annotations

from typing import Protocol

from service.clock import Clock
from service.codec.decode import decode
from service.codec.picture import Header
from service.codec.raw import Pixels, Wanted


class Decoder(Protocol):
    """Turns a screenshot whose header was read into pixels; safe to use from several threads."""

    def decode(self, data: bytes, header: Header, wanted: Wanted, clock: Clock) -> Pixels:
        """As `service.codec.decode.decode`, within the time of `clock`."""
        ...

    def close(self) -> None:
        """Let go of processes and memory."""
        ...


class InProcess:
    """Decodes right here: for trusted pictures alone."""

    def decode(self, data: bytes, header: Header, wanted: Wanted, clock: Clock) -> Pixels:
        """As `service.codec.decode.decode`, without a way to stop midway."""
        clock.check()
        return decode(data, header, wanted)

    def close(self) -> None:
        """Nothing to let go of."""
