"""What decodes screenshots: an interface."""

from __future__ import annotations

from typing import Protocol

from service.arrays import U8
from service.clock import Clock
from service.codec.picture import Header
from service.codec.raw import Wanted


class Decoder(Protocol):
    """Turns a screenshot whose header was read into pixels; safe to use from several threads."""

    def decode(self, data: bytes | memoryview, header: Header, wanted: Wanted, clock: Clock) -> U8:
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
