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

    def warm(self) -> None:
        """Make ready now what would else be made for the first screenshot."""
        ...

    def trim(self) -> None:
        """Give back memory that is not in use."""
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

    def warm(self) -> None:
        """Nothing to make ready."""

    def trim(self) -> None:
        """Nothing to give back."""

    def close(self) -> None:
        """Nothing to let go of."""
