"""Requests in numbers, to a server on this machine: what was answered, and after how long."""

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
# Requests under way at once, however slow the answers are.
MOST = 600
PAUSE_S = 0.005
# Answers that have not come by then will not come.
MOST_S = 3600.0


@dataclass
class Tally:
    """Answers by status, with seconds each took; 0 stands for a connection that broke.

    `late` has the seconds by which this program itself woke up too late, for want of a CPU.
    """

    seconds: float = 0.0
    spent: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    late: list[float] = field(default_factory=list)

    @property
    def statuses(self) -> Counter[int]:
        """Answers by status."""
        return Counter({status: len(spent) for status, spent in self.spent.items()})

    @property
    def rate(self) -> float:
        """Pictures a second."""
        return len(self.spent[200]) / self.seconds if self.seconds else 0.0

    def quantile(self, status: int, share: float) -> float:
        """The time within which `share` of the answers with `status` came; nan without any."""
        return quantile(self.spent[status], share)


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that `share` of the values do not exceed; nan without any."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


Make = Callable[[int], tuple[str, Any]]


def offer(address: str, make: Make, rate: float, seconds: float) -> Tally:
    """Send `rate` requests a second whether or not earlier ones were answered; `make(n)` is key and body."""
    late: list[float] = []

    async def work(ask: Callable[[int], Awaitable[None]]) -> None:
        tasks: set[asyncio.Task[None]] = set()
        start = time.perf_counter()
        number = 0
        while (now := time.perf_counter() - start) < seconds:
            while number < rate * now and len(tasks) < MOST:
                task = asyncio.ensure_future(ask(number))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                number += 1
            before = time.perf_counter()
            await asyncio.sleep(PAUSE_S)
            late.append(max(0.0, time.perf_counter() - before - PAUSE_S))
        await asyncio.gather(*tasks)

    tally = uvloop.run(tallied(address, make, work))
    tally.late = late
    return tally


def call(address: str, make: Make, callers: int, seconds: float) -> Tally:
    """`callers` that each send a request as soon as their last one was answered."""

    async def work(ask: Callable[[int], Awaitable[None]]) -> None:
        until = time.perf_counter() + seconds

        async def caller(number: int) -> None:
            while time.perf_counter() < until:
                await ask(number)
                number += callers

        await asyncio.gather(*(caller(number) for number in range(callers)))

    return uvloop.run(tallied(address, make, work))


async def tallied(
    address: str, make: Make, work: Callable[[Callable[[int], Awaitable[None]]], Awaitable[None]]
) -> Tally:
    parts = urlsplit(address)
    host = parts.hostname or ""
    if not ipaddress.ip_address(host).is_loopback:
        raise ValueError(f"{address} is not on this machine")
    tally, idle = Tally(), deque[Connection]()
    loop = asyncio.get_running_loop()

    async def ask(number: int) -> None:
        key, body = make(number)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = HEAD % (parts.netloc.encode(), key.encode(), len(data)) + data
        start, connection = time.perf_counter(), None
        try:
            connection = idle.pop() if idle else None
            if connection is None or connection.is_closing():
                _, connection = await loop.create_connection(Connection, host, parts.port or 80)
            status = await connection.ask(request)
            idle.append(connection)
        except OSError:
            status = 0
            if connection is not None:
                connection.close()
        tally.spent[status].append(time.perf_counter() - start)

    start = time.perf_counter()
    async with asyncio.timeout(MOST_S):
        await work(ask)
    tally.seconds = time.perf_counter() - start
    for connection in idle:
        connection.close()
    return tally


class Connection(asyncio.Protocol):
    """A connection that is used again: little but bytes, so that the load leaves the CPUs to the server."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._answer: asyncio.Future[int] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._transport.abort()

    async def ask(self, request: bytes) -> int:
        """The status of the answer, once all of it is there."""
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0 or self._answer is None or self._answer.done():
            return
        length = LENGTH.search(self._buffer, 0, end + 2)
        if length is None:
            self._answer.set_exception(OSError("an answer without its length"))
        elif len(self._buffer) >= end + 4 + int(length[1]):
            self._answer.set_result(int(self._buffer[9:12]))
            self._buffer.clear()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError("the server hung up"))


def taking_turns(keys: Sequence[str], bodies: Sequence[Any]) -> Make:
    """Keys and bodies in turn."""
    return lambda number: (keys[number % len(keys)], bodies[number % len(bodies)])
