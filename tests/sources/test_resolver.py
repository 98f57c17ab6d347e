"""Look-ups that never end, in the resolver's real threads; only the system's look-up function is replaced."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from service.clock import Clock
from service.config import Config
from service.errors import MockupError
from service.sources import lookup_user
from service.sources.refusals import FAILED
from service.sources.remote import Fetcher
from service.sources.resolver import SystemResolver
from tests.sources.wire import IMAGE, PUBLIC, Wire, picture, site
from tests.support.waiting import PATIENCE_S, soon


class System:
    """A fake system look-up: names that contain `hang` get no answer until `end` is set."""

    def __init__(self) -> None:
        self.end = threading.Event()
        self.begun = threading.Semaphore(0)
        self.asked: list[str] = []

    def __call__(self, host: str, port: int, family: int, kind: int) -> list[Any]:
        self.asked.append(host)
        self.begun.release()
        if "hang" in host:
            assert self.end.wait(PATIENCE_S)
            raise socket.gaierror(socket.EAI_AGAIN, "no answer")
        return [(socket.AF_INET, kind, 6, "", (PUBLIC, port))]


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    system = System()
    monkeypatch.setattr(socket, "getaddrinfo", system)
    yield system
    system.end.set()


async def begun(system: System, number: int) -> None:
    for _ in range(number):
        assert await asyncio.to_thread(system.begun.acquire, timeout=PATIENCE_S)


def test_hanging_look_ups_delay_no_other_user(wire: Wire, system: System) -> None:
    """Look-ups outnumber threads, and their callers have given up, but new look-ups are still answered."""

    async def scenario() -> None:
        async with site(picture()) as here:
            wire.routes = {PUBLIC: here.place}
            names = SystemResolver(16)
            hasty = Fetcher(Config(fetch_connections=400, fetch_connect_s=0.3), names)
            fetcher = Fetcher(Config(fetch_connections=400, fetch_connect_s=60, fetch_total_s=60), names)
            hanging = [hasty.fetch(f"http://hang{n}.example/", Clock(PATIENCE_S), "bob") for n in range(100)]
            failures = await asyncio.gather(*hanging, return_exceptions=True)
            assert all(isinstance(one, MockupError) and one.message == FAILED for one in failures)
            await soon(lambda: len(system.asked) >= 8)
            assert len(system.asked) == 8, "half of the threads, still looking"
            for user in ("ada", "carol"):
                fetched = await asyncio.gather(
                    *(fetcher.fetch("http://public.example/", Clock(PATIENCE_S), user) for _ in range(20))
                )
                assert fetched == [IMAGE] * 20
            system.end.set()
            await begun(system, len(system.asked))
            assert await fetcher.fetch("http://public.example/", Clock(PATIENCE_S), "bob") == IMAGE
            for one in (hasty, fetcher):
                await one.close()

    asyncio.run(scenario())


def test_every_address_comes_with_its_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        (socket.AF_INET, 1, 6, "", (PUBLIC, 80)),
        (socket.AF_INET6, 1, 6, "", ("2a00::1", 80, 0, 0)),
        (socket.AF_INET6, 1, 6, "", ("fe80::1", 80, 0, 3)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: found)

    async def scenario() -> list[str]:
        system = SystemResolver()
        addresses = await system.resolve("public.example", 80)
        await system.close()
        return [one["host"] for one in addresses]

    assert asyncio.run(scenario()) == [PUBLIC, "2a00::1", "fe80::1%3"]


def test_a_loop_that_ends_before_its_look_up(system: System) -> None:
    async def scenario() -> None:
        looking = asyncio.create_task(SystemResolver(2).resolve("hang.example"))
        await begun(system, 1)
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)

    asyncio.run(scenario())
    system.end.set()
    assert lookup_user.user.get() == ""
