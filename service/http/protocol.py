"""HTTP connections with limits that uvicorn's protocol leaves to a proxy.

A connection is idle, sending a request's head, sending its body, or being served. The first three have a
deadline, no matter how bytes trickle in; a response must be read at a minimum rate. Heads, headers, pipelined
bytes and the size of a read are bounded, so a connection by itself costs little memory. The application,
which knows the user, charges for everything beyond that. When there are too many connections, a new one
replaces the one that has been waiting for its client longest, among those of the client address with the most
connections.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections import Counter
from collections.abc import Callable
from enum import Enum
from typing import Any, cast

import h11
import orjson
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from .. import limits
from ..admission.client_address import TrustedProxies
from ..admission.memory import MemoryPlan
from ..config import Config
from ..logs import anonymous
from .connection_limits import ConnectionLimits, limits_of

log = structlog.get_logger(__name__)

_ERRORS = logging.getLogger("uvicorn.protocol")
_ERRORS.setLevel(logging.ERROR)
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_CHUNKED = re.compile(rb"\ntransfer-encoding\s*:", re.IGNORECASE)
_LENGTH = re.compile(rb"\ncontent-length\s*:", re.IGNORECASE)
_OLD = re.compile(rb"\A\s*\S* \S* HTTP/1\.0")
_OTHER = re.compile(rb"\A\s*\S* \S* HTTP/[02-9]")
# Chunked bodies are parsed in pieces of this size, each checked before the next.
_PIECE, _LEAST_PIECE = 16 * 1024, 512


class Phase(Enum):
    """The state of a connection."""

    IDLE = "idle"
    HEAD = "slow headers"
    BODY = "slow body"
    SERVED = "served"
    ENDING = "slow end"


class Parser(h11.Connection):
    """h11's parser, counting the body bytes that it delivers."""

    delivered = 0

    def next_event(self) -> Any:
        """See h11."""
        event = super().next_event()
        if type(event) is h11.Data:
            self.delivered += len(event.data)
        return event

    def send(self, event: Any) -> Any:
        """See h11, but pieces of a body are passed on as they are rather than copied."""
        if type(event) is not h11.Data:
            return super().send(event)
        parts = self.send_with_data_passthrough(event) or [b""]
        return parts[0] if len(parts) == 1 else b"".join(parts)


class ResponseTransport:
    """The transport that uvicorn sends a response through; `close` lets the client read it first."""

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        self._transport = transport
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.close = close


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP protocol with `limits`; `proxies` are trusted to name their clients' addresses."""

    limits = ConnectionLimits()
    proxies = TrustedProxies(())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Malformed requests are too common for a warning each.
        self.logger = _ERRORS
        self.conn: Parser = Parser(h11.SERVER, self.limits.head_bytes)
        #: The connection's state.
        self.phase = Phase.IDLE
        #: The time, by the loop's clock, at which the connection entered that state.
        self.since = self.loop.time()
        #: The client address of the last request, or the peer's before the first.
        self.owner = ""
        self._due = math.inf
        self._patience = 0.0
        self._deadline: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        # The bytes of an incomplete head.
        self._head = bytearray()
        # Bytes that arrived after the request being served.
        self._ahead = bytearray()
        # Body bytes still to come; None for chunked bodies, whose length is unknown.
        self._left: int | None = None
        self._received = 0
        # Whether pipelined bytes were left unread.
        self._overran = False
        # The number of bytes that were read and dropped after the response.
        self._discarded = 0

    # From the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected; if there are too many, close one that is waiting for its client."""
        if len(self.connections) >= self.limits.connections and not self._make_room():
            transport.abort()
            return
        super().connection_made(transport)
        self.owner = self.proxies.owner({"client": self.client, "headers": ()})
        self.limit_buffer(limits.BUFFERED_BYTES)
        self._enter(Phase.IDLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed; release its timers and bytes."""
        for timer in (self._deadline, self._writing):
            if timer is not None:
                timer.cancel()
        self._head.clear()
        self._ahead.clear()
        if self.transport is not None:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        if self.transport is None or self.transport.is_closing():
            return
        if self.phase is Phase.ENDING:
            self._discard(len(data))
        elif self.phase is Phase.SERVED:
            self._keep_ahead(data)
        elif self.phase is Phase.BODY:
            self._parse_body(data)
        else:
            if self.phase is Phase.IDLE:
                self._enter(Phase.HEAD)
            self._head += data
            self._parse_head(len(data))

    def pause_writing(self) -> None:
        """The client reads its response slowly."""
        super().pause_writing()
        self.since = self.loop.time()
        self._watch_writing()

    def resume_writing(self) -> None:
        """The client has caught up."""
        super().resume_writing()
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    def limit_buffer(self, size: int) -> None:
        """Make the application wait while more than `size` bytes of a response are unsent; 0 means any."""
        if not self.transport.is_closing():
            self.transport.set_write_buffer_limits(size, 0)

    # Requests

    def _parse_head(self, new: int) -> None:
        """Pass a complete head to the parser, and the rest on as body or pipelined bytes."""
        end = _END_OF_HEAD.search(self._head, max(0, len(self._head) - new - 2))
        size = end.end() if end else len(self._head)
        if size > self.limits.head_bytes:
            self._refuse(431, f"The request's head is larger than {self.limits.head_bytes} bytes")
            return
        # Two more lines: the request line and the empty line at the end.
        if self._head.count(b"\n", 0, size) > self.limits.headers + 2:
            self._refuse(431, f"The request has more than {self.limits.headers} headers")
            return
        if end is None:
            return
        head, rest = bytes(self._head[:size]), bytes(self._head[size:])
        if _OTHER.match(head):
            self._refuse(400, "This server speaks HTTP/1.1")
            return
        if _CHUNKED.search(head) and (_LENGTH.search(head) or _OLD.search(head)):
            # A proxy may disagree about where the body ends (RFC 9112, 6.1 and 6.3).
            self._refuse(400, "The length of the request's body is given in two ways")
            return
        self._head = bytearray()
        before = self.cycle
        self._unset_keepalive_if_required()
        self.conn.receive_data(head)
        self.handle_events()
        if self.transport.is_closing() or self.cycle is before:
            return
        # From now on, the server has to act.
        self.owner = self.proxies.owner(self.cycle.scope)
        self.cycle.scope["state"] |= {
            "received": time.perf_counter(),
            "abort": self.transport.abort,
            "limit_buffer": self.limit_buffer,
        }
        self.cycle.transport = cast("asyncio.Transport", ResponseTransport(self.transport, self._finish))
        self._left = next((int(value) for name, value in self.headers if name == b"content-length"), None)
        self._received = self.conn.delivered = 0
        if not self.cycle.more_body:
            self._enter(Phase.SERVED)
            self._keep_ahead(rest)
            return
        self._enter(Phase.BODY)
        # Paused until the application reads the body.
        self.flow.pause_reading()
        self._parse_body(rest)

    def _parse_body(self, data: bytes) -> None:
        if not data:
            # The parser would take an empty piece for the end of the connection.
            return
        if self._left is not None:
            piece, rest = data[: self._left], data[self._left :]
            self._left -= len(piece)
            self._parse_piece(piece)
            if not self._left:
                self._body_ended(rest)
            return
        at = 0
        while at < len(data):
            # Pieces are no larger than the framing that may still come, since framing takes longest to parse.
            piece = data[at : at + max(_LEAST_PIECE, min(_PIECE, self._framing_left()))]
            at += len(piece)
            self._received += len(piece)
            self._parse_piece(piece)
            if self.transport.is_closing():
                return
            if self._framing_left() < 0:
                self._refuse(400, "The body's chunks are too small")
                return
            if not self.cycle.more_body or self.conn.their_state is h11.IDLE:
                # The parser has already received the bytes that follow.
                self._body_ended(self.conn.trailing_data[0] + data[at:], last=True)
                return

    def _framing_left(self) -> int:
        """Bytes that chunk sizes and trailers, which are otherwise unbounded, may still take."""
        delivered = self.conn.delivered
        return self.limits.framing_bytes + delivered // 64 - (self._received - delivered)

    def _parse_piece(self, piece: bytes) -> None:
        self.conn.receive_data(piece)
        self.handle_events()

    def _body_ended(self, rest: bytes, last: bool = False) -> None:
        """The body is complete; after a `last` one, pipelined requests are not served."""
        if self.transport.is_closing():
            return
        if self.cycle.response_complete:
            # The response was sent before the body was complete.
            self._enter(Phase.IDLE)
            if rest and last:
                self.transport.close()
            elif rest:
                self.loop.call_soon(self.data_received, rest)
            return
        self._enter(Phase.SERVED)
        if rest and last:
            self.cycle.keep_alive = False
        self._keep_ahead(rest)

    def _keep_ahead(self, data: bytes) -> None:
        """Buffer pipelined bytes up to the limit; beyond it, the request being served is the last."""
        if not data or not self.cycle.keep_alive:
            return
        if len(self._ahead) + len(data) > self.limits.ahead_bytes:
            self._ahead.clear()
            self._overran = True
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        self._ahead += data

    def on_response_complete(self) -> None:
        """The response is complete; another request may follow."""
        super().on_response_complete()
        # Our own idle deadline replaces uvicorn's.
        self._unset_keepalive_if_required()
        if self.transport.is_closing():
            return
        self._watch_writing()
        if self.phase is Phase.SERVED and self.cycle.response_complete:
            self._enter(Phase.IDLE)
            if self._ahead:
                ahead, self._ahead = bytes(self._ahead), bytearray()
                self.loop.call_soon(self.data_received, ahead)

    def _unsupported_upgrade_warning(self) -> None:
        """Decline an upgrade silently by serving the request (RFC 9110, 7.8)."""

    def send_400_response(self, msg: str) -> None:
        """The parser could not read the request."""
        self._refuse(400, "The request is not valid HTTP")

    def _refuse(self, status: int, message: str) -> None:
        """Send an error in the usual format and close the connection."""
        if self.transport.is_closing():
            return
        self._head.clear()
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            # An error cannot be sent in the middle of another response.
            self.transport.abort()
            return
        error = {"code": "INVALID_REQUEST", "message": message}
        body = orjson.dumps({"success": False, "error": error})
        head = (
            b"HTTP/1.1 %d %s\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\n"
            b"connection: close\r\ncontent-length: %d\r\n\r\n"
        )
        reason = b"Bad Request" if status == 400 else b"Request Header Fields Too Large"
        self.transport.write(head % (status, reason, len(body)) + body)
        self._watch_writing()
        self._finish()

    # Closing

    def _finish(self) -> None:
        """Close once everything is written.

        Closing at once would reset a client that is still sending, and it would lose the response. Its bytes
        are therefore read and dropped first, within limits.
        """
        if self.transport.is_closing() or self.phase is Phase.ENDING:
            return
        if not (self._overran or self.phase in (Phase.HEAD, Phase.BODY)):
            self.transport.close()
            return
        if self.phase is not Phase.BODY:
            self._left = None
        self._head.clear()
        self._enter(Phase.ENDING)
        self.transport.write_eof()
        self.flow.resume_reading()

    def _discard(self, size: int) -> None:
        self._discarded += size
        if self._left is not None:
            self._left -= size
        if (self._left is not None and self._left <= 0) or self._discarded > self.limits.discarded_bytes:
            self.transport.close()

    # Deadlines

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.since = self.loop.time()
        limits = self.limits
        if phase is Phase.SERVED or self.transport.is_closing():
            # A timer that is still running finds nothing to do.
            self._due = math.inf
            return
        if phase is Phase.IDLE:
            self._patience = limits.idle_s
        else:
            self._patience = limits.header_s if phase is Phase.HEAD else limits.body_s
        self._due = self.since + self._patience
        # Phases change more often than they expire: keep a timer that fires early enough and check again
        # then.
        if self._deadline is None or self._deadline.when() > self._due:
            self._arm()

    def _arm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_at(self._due, self._expired)

    def _expired(self) -> None:
        self._deadline = None
        if math.isinf(self._due):
            return
        now = self.loop.time()
        if not self.is_waiting:
            # The server has to act next, so the client's time begins only after that.
            self._due = now + self._patience
        if now < self._due:
            self._arm()
            return
        if self.phase is not Phase.IDLE:
            self._log_close(self.phase.value)
        # Closing waits until everything is written; the watch ends clients that do not read.
        self._watch_writing()
        self.transport.close()

    @property
    def is_waiting(self) -> bool:
        """Whether the client has to act next: send more, or read what was sent."""
        if self.flow.write_paused:
            return True
        return self.phase is not Phase.SERVED and not self.flow.read_paused

    def _make_room(self) -> bool:
        ours = [one for one in self.connections if isinstance(one, BoundedProtocol)]
        by_owner = Counter(one.owner for one in ours)
        waiting = [one for one in ours if one.is_waiting]
        if not waiting:
            if anonymous.allows():
                log.warning("connection refused", reason="too many connections", open=len(self.connections))
            return False
        most = max(by_owner[one.owner] for one in waiting)
        # Close several at a time, since scanning all connections takes a moment.
        crowd = sorted((one for one in waiting if by_owner[one.owner] == most), key=lambda one: one.since)
        for one in crowd[: max(1, self.limits.connections // 64)]:
            self.connections.discard(one)
            one.transport.abort()
        return True

    def _log_close(self, reason: str) -> None:
        if anonymous.allows():
            log.info("connection closed", reason=reason, client=self.client and self.client[0])

    def _watch_writing(self) -> None:
        if self._writing is None and self.transport.get_write_buffer_size():
            self._writing = self.loop.call_later(
                self.limits.body_s, self._check_writing, self.transport.get_write_buffer_size()
            )

    def _check_writing(self, before: int) -> None:
        self._writing = None
        left = self.transport.get_write_buffer_size()
        if left and before - left < self.limits.least_rate * self.limits.body_s:
            self._log_close("response not read")
            self.transport.abort()
        else:
            self._watch_writing()


def bounded_protocol(config: Config, plan: MemoryPlan) -> type[BoundedProtocol]:
    """The protocol with the configured limits."""
    configured = {"limits": limits_of(config, plan), "proxies": TrustedProxies(config.trusted_proxies)}
    return type("ConfiguredProtocol", (BoundedProtocol,), configured)
