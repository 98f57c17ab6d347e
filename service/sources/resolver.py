"""Name look-ups in threads of their own."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar

from aiohttp.abc import AbstractResolver, ResolveResult

from service.sources.shares import Shares

# Nothing can end a look-up before the system gives it up, after half a minute perhaps, so there are many; an
# idle thread takes some 20 kB.
THREADS = 128

# For whom names are looked up; the HTTP client has no argument for it.
user: ContextVar[str] = ContextVar("user", default="")


class SystemResolver(AbstractResolver):
    """The system's resolver; names that never get an answer hold up nobody else's."""

    def __init__(self, threads: int = THREADS) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="resolver")
        self._shares = Shares(threads)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Every address of `host`, in the system's order of preference."""
        loop, asking = asyncio.get_running_loop(), user.get()
        await self._shares.take(asking)

        def ended(_: Future[list[str]]) -> None:
            with suppress(RuntimeError):  # the loop is gone, and the shares with it
                loop.call_soon_threadsafe(self._shares.give_back, asking)

        looking = self._threads.submit(_look_up, host, port, family)
        # The thread is taken until the system answers, also when nobody waits for that any more.
        looking.add_done_callback(ended)
        return [answer(host, address, port) for address in await asyncio.wrap_future(looking)]

    async def close(self) -> None:
        """Wait for nobody."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def answer(host: str, address: str, port: int) -> ResolveResult:
    """One address in the form the HTTP client takes."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(
        hostname=host,
        host=address,
        port=port,
        family=family,
        proto=socket.IPPROTO_TCP,
        flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
    )


def _look_up(host: str, port: int, family: socket.AddressFamily) -> list[str]:
    infos = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
    # A zone is kept in the text, so that the guard sees and refuses it.
    return [
        f"{info[4][0]}%{info[4][3]}" if len(info[4]) == 4 and info[4][3] else str(info[4][0])
        for info in infos
    ]
