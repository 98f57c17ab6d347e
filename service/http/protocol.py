"""HTTP connections with deadlines: what uvicorn's protocol leaves to a proxy in front of it.

A connection is idle, sending a request's head, sending its body, or served. The first three end at a
deadline, however slowly bytes trickle in; an answer must be taken at a least rate. Heads are bounded in size
and connections in number: the next one beyond takes the place of the one that has kept us waiting longest.
What the door turns away at its head is answered here, and never becomes a task.
"""

from __future__ import annotations

import asyncio
import math
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import SimpleNamespace
from typing import Any, cast

import orjson
import structlog
from starlette.responses import Response
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from service.config import Config
from service.segments import DESCRIPTOR_BYTES

log = structlog.get_logger(__name__)

# Descriptors for what is neither a client's connection nor a plate: files, renderers, fetches, the database.
RESERVED_FILES = 256
Door = Callable[[Scope], Response | None]
# In the place of uvicorn's request and answer for what was answered at the head.
ANSWERED: Any = SimpleNamespace(response_complete=True, message_event=asyncio.Event())


@dataclass(frozen=True, slots=True)
class Limits:
    """What a connection may take; times in seconds, sizes in bytes."""

    header_s: float = 10.0
    body_s: float = 30.0
    idle_s: float = 10.0
    head_bytes: int = 64 * 1024
    connections: int = 2048
    least_rate: float = 1024.0


class Phase(Enum):
    """What a connection is doing."""

    IDLE = "idle"
    HEAD = "slow headers"
    BODY = "slow body"
    SERVED = "served"


class TimedHttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with `limits`, and a `door` that may turn requests away at their head."""

    limits = Limits()
    door: Door | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._phase = Phase.IDLE
        self._since = self.loop.time()
        self._due = math.inf
        self._patience = 0.0
        self._deadline: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._begun = False
        self._overhead = 0
        self._delivered = 0

    # From the transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected; when there are too many, the longest waiting one goes."""
        if len(self.connections) >= self.limits.connections and not self._make_room():
            transport.abort()
            return
        super().connection_made(transport)
        self._enter(Phase.IDLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, and its timers with it."""
        for timer in (self._deadline, self._writing):
            if timer is not None:
                timer.cancel()
        if self.transport is not None:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        if self.transport is None or self.transport.is_closing():
            return
        if self._phase is Phase.IDLE:
            self._enter(Phase.HEAD)
        self._overhead += len(data)
        super().data_received(data)
        # The head, and the framing and trailers of a chunked body: neither has an end of its own.
        if self._overhead > self.limits.head_bytes + 8 * self._delivered:
            self.send_400_response("The request's head is too large")

    def pause_writing(self) -> None:
        """The client is slow to take its answer."""
        super().pause_writing()
        self._watch_writing()

    def resume_writing(self) -> None:
        """The client has caught up."""
        super().resume_writing()
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    # From the parser

    def on_message_begin(self) -> None:
        """The first byte of a head, perhaps right behind the request before."""
        super().on_message_begin()
        self._begun = True
        if self._phase is Phase.IDLE:
            self._enter(Phase.HEAD)

    def on_headers_complete(self) -> None:
        """The head is there; what follows, if anything, is the body."""
        self._begun = False
        # From here on it is the server that the client waits for.
        self.scope["state"]["received"] = time.perf_counter()
        self._enter(Phase.BODY)
        if not self._turned_away():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._overhead -= len(body)
        self._delivered += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The whole request is there."""
        self._overhead = self._delivered = 0
        super().on_message_complete()
        # An answer may have been given before the body was through.
        self._enter(Phase.IDLE if self.cycle is not None and self.cycle.response_complete else Phase.SERVED)

    # From the answer

    def on_response_complete(self) -> None:
        """The answer is written; another request may follow."""
        super().on_response_complete()
        self._watch_writing()
        if self._phase is Phase.SERVED and self.timeout_keep_alive_task is not None:
            self._enter(Phase.HEAD if self._begun else Phase.IDLE)
        # Ours is exact and counts from the same moment.
        self._unset_keepalive_if_required()

    def _turned_away(self) -> bool:
        # Behind an answer that is still on its way, or when the connection ends with this one, it goes the
        # long way to the same words.
        if self.door is None or not (self.cycle is None or self.cycle.response_complete):
            return False
        if self.parser.get_http_version() != "1.1" or not self.parser.should_keep_alive():
            return False
        self.scope["method"] = self.parser.get_method().decode("ascii")
        self.scope["path"] = self.url.partition(b"?")[0].decode("latin-1")
        answer = self.door(cast(Scope, self.scope))
        if answer is None:
            return False
        lines = [STATUS_LINE[answer.status_code]]
        for name, value in (*self.server_state.default_headers, *answer.raw_headers):
            lines += (name, b": ", value, b"\r\n")
        self.transport.write(b"".join((*lines, b"\r\n", answer.body)))
        self._watch_writing()
        self.cycle = ANSWERED
        self.server_state.total_requests += 1
        return True

    def send_400_response(self, msg: str) -> None:
        """Tell of a request that is no HTTP, in the shape of all errors, and hang up."""
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:
            # In the middle of another answer there is no room for this one.
            self.transport.abort()
            return
        error = {"code": "INVALID_REQUEST", "message": msg}
        body = orjson.dumps({"success": False, "error": error})
        head = (
            b"content-type: application/json\r\nx-content-type-options: nosniff\r\n"
            b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
        )
        self.transport.write(STATUS_LINE[400] + head + body)
        self._watch_writing()
        self.transport.close()

    # Deadlines

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
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
        if self._phase is not Phase.IDLE:
            log.info("connection closed", reason=self._phase.value, client=self.client and self.client[0])
        # Closing waits until all is written; the watch sees to those who do not take it.
        self._watch_writing()
        self.transport.close()

    def _make_room(self) -> bool:
        waiting = [one for one in self.connections if isinstance(one, TimedHttpProtocol) and one.is_waiting]
        if not waiting:
            log.warning("connection refused", reason="too many connections", open=len(self.connections))
            return False
        longest = min(waiting, key=lambda one: one._since)
        self.connections.discard(longest)
        longest.transport.abort()
        return True

    @property
    def is_waiting(self) -> bool:
        """Whether the next step is the client's: we are reading, and owe no answer to an earlier request."""
        return self._phase is not Phase.SERVED and not self.flow.read_paused and not self.pipeline

    def _watch_writing(self) -> None:
        if self._writing is None and self.transport.get_write_buffer_size():
            self._writing = self.loop.call_later(
                self.limits.body_s, self._check_writing, self.transport.get_write_buffer_size()
            )

    def _check_writing(self, before: int) -> None:
        self._writing = None
        left = self.transport.get_write_buffer_size()
        if left and before - left < self.limits.least_rate * self.limits.body_s:
            log.info("connection closed", reason="answer not taken", client=self.client and self.client[0])
            self.transport.abort()
        else:
            self._watch_writing()


def timed_protocol(config: Config, door: Door | None = None) -> type[TimedHttpProtocol]:
    """The protocol with the configured limits, and who is asked at each request's head."""
    limits = Limits(
        header_s=config.header_timeout_s,
        body_s=config.body_timeout_s,
        idle_s=config.idle_timeout_s,
        connections=room_for(config.max_connections, config.cache_bytes // DESCRIPTOR_BYTES),
    )
    opening = staticmethod(door) if door else None
    return type("ConfiguredHttpProtocol", (TimedHttpProtocol,), {"limits": limits, "door": opening})


def room_for(connections: int, plates: int) -> int:
    """As many of `connections` as there may be open files for beside so many plates' and the reserved ones.

    Raises the process' soft limit if need be.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    reserved = RESERVED_FILES + plates
    wanted = connections + reserved
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, soft - reserved))
