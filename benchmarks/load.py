"""Load on a server on this machine: the responses to many requests, and their times."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import uvloop

HEAD = (
    b"POST /api/v1/mockup?output=raw HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
)
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
# Most requests under way at once, however slow the responses are.
MOST = 600
PAUSE_S = 0.005
# Seconds after which a response is given up.
MOST_S = 3600.0


@dataclass
class Tally:
    """Responses by status, with the seconds that each took; status 0 is a broken connection.

    `late` has the seconds by which this program itself woke up late, because no CPU was free.
    """

    seconds: float = 0.0
    spent: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    late: list[float] = field(default_factory=list)

    @property
    def statuses(self) -> Counter[int]:
        """Responses by status."""
        return Counter({status: len(spent) for status, spent in self.spent.items()})

    @property
    def rate(self) -> float:
        """Pictures per second."""
        return len(self.spent[200]) / self.seconds if self.seconds else 0.0

    def quantile(self, status: int, share: float) -> float:
        """The quantile `share` of the times of responses with `status`; NaN without any."""
        return quantile(self.spent[status], share)


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that `share` of the values do not exceed; NaN without any."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


Make = Callable[[int], tuple[str, Any]]


def offer(address: str, make: Make, rate: float, seconds: float) -> Tally:
    """Send `rate` requests per second, regardless of responses; `make(n)` returns key and body."""

    async def work(callers: Callers) -> None:
        start = time.perf_counter()
        number = 0
        while (now := time.perf_counter() - start) < seconds:
            while number < rate * now and callers.busy < MOST:
                callers.send(number)
                number += 1
            before = time.perf_counter()
            await asyncio.sleep(PAUSE_S)
            callers.tally.late.append(max(0.0, time.perf_counter() - before - PAUSE_S))
        while callers.busy:
            await asyncio.sleep(PAUSE_S)

    return uvloop.run(tallied(address, make, work))


def call(address: str, make: Make, callers: int, seconds: float) -> Tally:
    """Run `callers` that each send a request as soon as their last one was answered."""

    async def work(calling: Callers) -> None:
        until = time.perf_counter() + seconds

        async def caller(number: int) -> None:
            while time.perf_counter() < until:
                await calling.ask(number)
                number += callers

        await asyncio.gather(*(caller(number) for number in range(callers)))

    return uvloop.run(tallied(address, make, work))


async def tallied(address: str, make: Make, work: Callable[[Callers], Awaitable[None]]) -> Tally:
    parts = urlsplit(address)
    host = parts.hostname or ""
    if not ipaddress.ip_address(host).is_loopback:
        raise ValueError(f"{address} is not on this machine")
    callers = Callers(host, parts.port or 80, parts.netloc.encode(), make)
    start = time.perf_counter()
    async with asyncio.timeout(MOST_S):
        await work(callers)
    callers.tally.seconds = time.perf_counter() - start
    callers.close()
    return callers.tally


class Callers:
    """Connections that are reused, and the responses on them.

    A request creates no task and allocates nothing, so that the load leaves the CPUs to the server.
    """

    def __init__(self, host: str, port: int, name: bytes, make: Make) -> None:
        self.tally = Tally()
        self.busy = 0
        self._address = host, port
        self._name = name
        self._make = make
        self._requests: dict[tuple[str, int], tuple[Any, bytes]] = {}
        self._idle = deque[Connection]()
        self._opening = set[asyncio.Task[None]]()

    def send(self, number: int, done: Callable[[], object] | None = None) -> None:
        """Send request `number` on a free or a new connection; calls `done` once it is answered."""
        self.busy += 1
        answer = Answer(self, time.perf_counter(), done)
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closing():
                connection.ask(self._request(number), answer)
                return
        task = asyncio.ensure_future(self._open(number, answer))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def ask(self, number: int) -> None:
        """Send request `number`, and wait until it is answered."""
        answered = asyncio.Event()
        self.send(number, answered.set)
        await answered.wait()

    def free(self, connection: Connection) -> None:
        """Mark the connection as free."""
        self._idle.append(connection)

    def close(self) -> None:
        for connection in self._idle:
            connection.close()

    async def _open(self, number: int, answer: Answer) -> None:
        try:
            loop = asyncio.get_running_loop()
            _, connection = await loop.create_connection(lambda: Connection(self), *self._address)
        except OSError:
            answer.came(0)
        else:
            connection.ask(self._request(number), answer)

    def _request(self, number: int) -> bytes:
        key, body = self._make(number)
        kept, request = self._requests.get((key, id(body)), (None, b""))
        if kept is not body:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            request = HEAD % (self._name, key.encode(), len(data)) + data
            self._requests[key, id(body)] = body, request
        return request


@dataclass(slots=True)
class Answer:
    """A response that is awaited."""

    callers: Callers
    start: float
    done: Callable[[], object] | None

    def came(self, status: int) -> None:
        self.callers.busy -= 1
        self.callers.tally.spent[status].append(time.perf_counter() - self.start)
        if self.done is not None:
            self.done()


class Connection(asyncio.Protocol):
    """One of the callers' connections, with one request at a time."""

    def __init__(self, callers: Callers) -> None:
        self._callers = callers
        self._buffer = bytearray()
        self._answer: Answer | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._transport.abort()

    def ask(self, request: bytes, answer: Answer) -> None:
        self._answer = answer
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0 or self._answer is None:
            return
        length = LENGTH.search(self._buffer, 0, end + 2)
        if length is None:
            # A response without a length has no recognisable end.
            self.close()
        elif len(self._buffer) >= end + 4 + int(length[1]):
            status, answer = int(self._buffer[9:12]), self._answer
            self._buffer.clear()
            self._answer = None
            self._callers.free(self)
            answer.came(status)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None:
            answer, self._answer = self._answer, None
            answer.came(0)


def taking_turns(keys: Sequence[str], bodies: Sequence[Any]) -> Make:
    """Keys and bodies in turn."""
    return lambda number: (keys[number % len(keys)], bodies[number % len(bodies)])
