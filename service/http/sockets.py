"""Limits the bytes that are read from a socket at once, and those that the system keeps unsent."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import Any, cast

from .. import limits
from .protocol import BoundedProtocol

# Bytes that are taken in at once. Nothing more is read of a body until the application asks for it.
READ_BYTES = 64 * 1024


class PiecewiseReader(asyncio.BufferedProtocol):
    """Receives for a protocol, at most `READ_BYTES` at once; by default, the loop reads 256 KiB."""

    # Shared by all connections: bytes are passed on before more are read.
    _buffer = memoryview(bytearray(READ_BYTES))

    def __init__(self, protocol: type[BoundedProtocol], **arguments: Any) -> None:
        """Make the protocol as uvicorn would."""
        self._protocol = protocol(**arguments)
        self.connection_made = self._protocol.connection_made  # type: ignore[assignment, method-assign]
        self.connection_lost = self._protocol.connection_lost  # type: ignore[method-assign]
        self.pause_writing = self._protocol.pause_writing  # type: ignore[method-assign]
        self.resume_writing = self._protocol.resume_writing  # type: ignore[method-assign]
        self.eof_received = self._protocol.eof_received  # type: ignore[method-assign]

    def get_buffer(self, sizehint: int) -> memoryview:
        """The buffer for the bytes that arrive next."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Pass on the bytes that have arrived."""
        self._protocol.data_received(bytes(self._buffer[:nbytes]))


def piecewise(protocol: type[BoundedProtocol]) -> type[asyncio.Protocol]:
    """Make the protocol that uvicorn is given, which reads in pieces."""
    return cast("type[asyncio.Protocol]", partial(PiecewiseReader, protocol))


def leave_little_unsent(listener: socket.socket) -> None:
    """Limit the response bytes that the system buffers for connections of `listener`, if supported."""
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, limits.UNSENT_BYTES)
