"""HTTP connections with bounds: what uvicorn's protocol leaves to a proxy in front of it.

A connection is idle, sending a request's head, sending its body, or served. The first three end at a
deadline, however slowly bytes trickle in; an answer must be taken at a least rate. Heads, headers and what
runs ahead of the request being served are bounded, and all bytes kept are charged to the client's address.
Beyond the most connections, the next takes the place of the one that has kept us waiting longest, of the
address that has most of them.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import resource
import socket
import time
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import Any

import h11
import orjson
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from service.admission.budget import Budget, Reservation
from service.admission.memory import Plan
from service.admission.owners import client_owner
from service.config import Config
from service.errors import MockupError
from service.logs import anonymous
from service.processes.segments import DESCRIPTOR_BYTES

log = structlog.get_logger(__name__)

_ERRORS = logging.getLogger("uvicorn.protocol")
_ERRORS.setLevel(logging.ERROR)
# Descriptors for what is neither a client's connection nor a plate: files, renderers, fetches, the database.
RESERVED_FILES = 256
# What the system may keep of an answer that its client does not take.
UNSENT_BYTES = 128 * 1024
# What waits in the process for it, before it is charged.
UNCHARGED_BYTES = 32 * 1024
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_CHUNKED = re.compile(rb"\ntransfer-encoding\s*:", re.IGNORECASE)
_LENGTH = re.compile(rb"\ncontent-length\s*:", re.IGNORECASE)
_OLD = re.compile(rb"\A\s*\S* \S* HTTP/1\.0")
_OTHER = re.compile(rb"\A\s*\S* \S* HTTP/[02-9]")
# Chunked bodies are parsed in pieces of this size; each is looked at before the next.
_PIECE, _LEAST_PIECE = 16 * 1024, 512


@dataclass(frozen=True, slots=True)
class Limits:
    """What a connection may take; times in seconds, sizes in bytes."""

    header_s: float = 10.0
    body_s: float = 30.0
    idle_s: float = 10.0
    head_bytes: int = 32 * 1024
    headers: int = 100
    framing_bytes: int = 8 * 1024
    ahead_bytes: int = 4 * 1024
    connections: int = 2048
    least_rate: float = 1024.0


class Phase(Enum):
    """What a connection is doing."""

    IDLE = "idle"
    HEAD = "slow headers"
    BODY = "slow body"
    SERVED = "served"


class Parser(h11.Connection):
    """h11's parser, counting the bytes of bodies that it delivers."""

    delivered = 0

    def next_event(self) -> Any:
        """As in h11."""
        event = super().next_event()
        if type(event) is h11.Data:
            self.delivered += len(event.data)
        return event


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP protocol with `limits`, its bytes charged to `budget`."""

    limits = Limits()
    budget = Budget(math.inf)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # What strangers send is not worth a warning each.
        self.logger = _ERRORS
        self.conn: Parser = Parser(h11.SERVER, self.limits.head_bytes)
        self._application, self.app = self.app, self._served
        #: What it is doing.
        self.phase = Phase.IDLE
        self._since = self.loop.time()
        self._due = math.inf
        self._patience = 0.0
        self._deadline: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        # A head that is not complete; what came behind the request being served.
        self._head = bytearray()
        self._ahead = bytearray()
        # Bytes of the body that are still to come; None in chunks, whose number is not known.
        self._left: int | None = None
        self._received = 0
        self._kept: Reservation | None = None
        # What of answers waits in the process for the client to take it.
        self._unsent: Reservation | None = None

    # From the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected; when there are too many, one that keeps us waiting goes."""
        if len(self.connections) >= self.limits.connections and not self._make_room():
            transport.abort()
            return
        super().connection_made(transport)
        # More than that is charged.
        transport.set_write_buffer_limits(UNCHARGED_BYTES)
        self._kept = self.budget.take(self.owner)
        self._enter(Phase.IDLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, and its timers and bytes with it."""
        for timer in (self._deadline, self._writing):
            if timer is not None:
                timer.cancel()
        self._head.clear()
        self._ahead.clear()
        for held in (self._kept, self._unsent):
            if held is not None:
                held.release()
        self._kept = self._unsent = None
        if self.transport is not None:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        if self.transport is None or self.transport.is_closing():
            return
        if self.phase is Phase.SERVED:
            self._keep_ahead(data)
        elif self.phase is Phase.BODY:
            self._parse_body(data)
        else:
            if self.phase is Phase.IDLE:
                self._enter(Phase.HEAD)
            self._head += data
            self._parse_head(len(data))
        self._charge()

    def pause_writing(self) -> None:
        """The client is slow to take its answer."""
        super().pause_writing()
        self._since = self.loop.time()
        self._watch_writing()
        if self._unsent is None:
            size = self.transport.get_write_buffer_size()
            self._unsent = self.budget.hold(self.owner, size, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has caught up."""
        super().resume_writing()
        if self._unsent is not None:
            self._unsent.release()
            self._unsent = None
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    # Requests

    def _parse_head(self, new: int) -> None:
        """Hand a head to the parser once it is complete, and what follows it to whoever it belongs to."""
        end = _END_OF_HEAD.search(self._head, max(0, len(self._head) - new - 2))
        size = end.end() if end else len(self._head)
        if size > self.limits.head_bytes:
            self._refuse(431, f"The request's head is larger than {self.limits.head_bytes} bytes")
            return
        # A line for the request itself and an empty one at the end.
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
            # Others on the way may see the body end elsewhere (RFC 9112, 6.1 and 6.3).
            self._refuse(400, "The length of the request's body is given in two ways")
            return
        self._head = bytearray()
        before = self.cycle
        self._unset_keepalive_if_required()
        self.conn.receive_data(head)
        self.handle_events()
        if self.transport.is_closing() or self.cycle is before:
            return
        # From here on it is the server that the client waits for.
        self.cycle.scope["state"]["received"] = time.perf_counter()
        self.cycle.scope["state"]["abort"] = self.transport.abort
        self._left = next((int(value) for name, value in self.headers if name == b"content-length"), None)
        self._received = self.conn.delivered = 0
        if not self.cycle.more_body:
            self._enter(Phase.SERVED)
            self._keep_ahead(rest)
            return
        self._enter(Phase.BODY)
        # Until the application asks for it.
        self.flow.pause_reading()
        self._parse_body(rest)

    def _parse_body(self, data: bytes) -> None:
        if not data:
            # To the parser that would be the connection's end.
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
            # No more at once than might all be framing, which takes the parser longest.
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
                # What follows has gone into the parser already.
                self._body_ended(self.conn.trailing_data[0] + data[at:], last=True)
                return

    def _framing_left(self) -> int:
        """What chunks' sizes and trailers, which have no end of their own, may still take."""
        delivered = self.conn.delivered
        return self.limits.framing_bytes + delivered // 64 - (self._received - delivered)

    def _parse_piece(self, piece: bytes) -> None:
        self.conn.receive_data(piece)
        self.handle_events()

    def _body_ended(self, rest: bytes, last: bool = False) -> None:
        """The body is through; where it is the `last`, nothing more is served that came behind it."""
        if self.transport.is_closing():
            return
        if self.cycle.response_complete:
            # It was answered before its body was through.
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
        """What comes before its turn is kept up to a bound; beyond, the request being served is the last."""
        if not data or not self.cycle.keep_alive:
            return
        if len(self._ahead) + len(data) > self.limits.ahead_bytes:
            self._ahead.clear()
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        self._ahead += data

    async def _served(self, scope: Any, receive: Any, send: Any) -> None:
        """The application, with the bytes that it takes no longer charged to the connection."""

        async def received() -> Any:
            message = await receive()
            self._charge()
            return message

        await self._application(scope, received, send)

    def on_response_complete(self) -> None:
        """The answer is written; another request may follow."""
        super().on_response_complete()
        # Ours is exact and counts from the same moment.
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
        """An offer to upgrade is declined by answering the request, as RFC 9110 has it."""

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP."""
        self._refuse(400, "The request is not valid HTTP")

    def _refuse(self, status: int, message: str) -> None:
        """Tell of a request that goes no further, in the shape of all errors, and hang up."""
        if self.transport.is_closing():
            return
        self._head.clear()
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            # In the middle of another answer there is no room for this one.
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
        self.transport.close()

    # Bytes

    @property
    def owner(self) -> str:
        """The owner that the connection's bytes are charged to."""
        return client_owner(self.client)

    def _charge(self) -> None:
        if self._kept is None:
            return
        held = len(self._head) + len(self._ahead)
        if self.cycle is not None and not self.cycle.response_complete:
            held += len(self.cycle.body)
        more = held - self._kept.size
        if more > 0:
            try:
                self._kept.grow(more)
            except MockupError:
                self._tell("too many bytes kept")
                self.transport.abort()
        elif more:
            self._kept.resize(held)

    # Deadlines

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self._since = self.loop.time()
        limits = self.limits
        if phase is Phase.SERVED or self.transport.is_closing():
            # A timer that still runs finds nothing to do.
            self._due = math.inf
            return
        if phase is Phase.IDLE:
            self._patience = limits.idle_s
        else:
            self._patience = limits.header_s if phase is Phase.HEAD else limits.body_s
        self._due = self._since + self._patience
        # Phases change more often than they end: a timer that is early enough is left to look again.
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
            # The next step is ours, and the client's time has not begun.
            self._due = now + self._patience
        if now < self._due:
            self._arm()
            return
        if self.phase is not Phase.IDLE:
            self._tell(self.phase.value)
        # Closing waits until all is written; the watch sees to those who do not take it.
        self._watch_writing()
        self.transport.close()

    @property
    def is_waiting(self) -> bool:
        """Whether the next step is the client's: to send more, or to take what was sent."""
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
        # Several at a time, since looking through all of them takes a moment.
        crowd = sorted((one for one in waiting if by_owner[one.owner] == most), key=lambda one: one._since)
        for one in crowd[: max(1, self.limits.connections // 64)]:
            self.connections.discard(one)
            one.transport.abort()
        return True

    def _tell(self, reason: str) -> None:
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
            self._tell("answer not taken")
            self.transport.abort()
        else:
            self._watch_writing()


def bounded_protocol(config: Config, plan: Plan, budget: Budget) -> type[BoundedProtocol]:
    """The protocol with the configured limits, its bytes charged to `budget`."""
    limits = Limits(
        header_s=config.header_timeout_s,
        body_s=config.body_timeout_s,
        idle_s=config.idle_timeout_s,
        connections=room_for(plan.connections, plan.plates // DESCRIPTOR_BYTES),
    )
    return type("ConfiguredProtocol", (BoundedProtocol,), {"limits": limits, "budget": budget})


def leave_little_unsent(listener: socket.socket) -> None:
    """Bound what the system keeps of answers on connections of `listener`, where it can be bounded."""
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)


def room_for(connections: int, plates: int) -> int:
    """As many of `connections` as there may be open files for beside so many plates' and the reserved ones.

    Raises the process' soft limit if need be. Where even the hard limit is low, a quarter of it is left for
    everything else.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    reserved = RESERVED_FILES + plates
    wanted = connections + reserved
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, max(soft - reserved, soft // 4)))
