"""Requests in numbers, to a server on this machine: what was answered, and after how long."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import aiohttp

MOCKUP = "/api/v1/mockup?output=raw"
# Requests under way at once, however slow the answers are.
MOST = 600


@dataclass
class Tally:
    """Answers by status, with seconds each took; 0 stands for a connection that broke."""

    seconds: float = 0.0
    spent: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))

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
        spent = sorted(self.spent[status])
        return spent[min(len(spent) - 1, int(share * len(spent)))] if spent else float("nan")


Make = Callable[[int], tuple[str, Any]]


def offer(address: str, make: Make, rate: float, seconds: float) -> Tally:
    """Send `rate` requests a second whether or not earlier ones were answered; `make(n)` is key and body."""

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
            await asyncio.sleep(0.005)
        await asyncio.gather(*tasks)

    return asyncio.run(tallied(address, make, work))


def call(address: str, make: Make, callers: int, seconds: float) -> Tally:
    """`callers` that each send a request as soon as their last one was answered."""

    async def work(ask: Callable[[int], Awaitable[None]]) -> None:
        until = time.perf_counter() + seconds

        async def caller(number: int) -> None:
            while time.perf_counter() < until:
                await ask(number)
                number += callers

        await asyncio.gather(*(caller(number) for number in range(callers)))

    return asyncio.run(tallied(address, make, work))


async def tallied(
    address: str, make: Make, work: Callable[[Callable[[int], Awaitable[None]]], Awaitable[None]]
) -> Tally:
    host = urlsplit(address).hostname or ""
    if not ipaddress.ip_address(host).is_loopback:
        raise ValueError(f"{address} is not on this machine")
    tally = Tally()
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), timeout=timeout, trust_env=False
    ) as session:

        async def ask(number: int) -> None:
            key, body = make(number)
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
            start = time.perf_counter()
            try:
                async with session.post(address + MOCKUP, data=data, headers=headers) as answer:
                    await answer.read()
                    status = answer.status
            except (aiohttp.ClientError, TimeoutError):
                status = 0
            tally.spent[status].append(time.perf_counter() - start)

        start = time.perf_counter()
        await work(ask)
        tally.seconds = time.perf_counter() - start
    return tally


def taking_turns(keys: Sequence[str], bodies: Sequence[Any]) -> Make:
    """Keys and bodies in turn."""
    return lambda number: (keys[number % len(keys)], bodies[number % len(bodies)])
