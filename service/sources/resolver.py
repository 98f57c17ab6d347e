"""Name look-ups in dedicated threads."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

from aiohttp.abc import AbstractResolver, ResolveResult

from ..concurrency.fair_shares import FairShares
from ..limits import LOOKUPS
from .lookup_user import user


class SystemResolver(AbstractResolver):
    """The system's resolver; names that never resolve do not delay other users' look-ups."""

    def __init__(self, threads: int = LOOKUPS) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="resolver")
        self._shares = FairShares(threads)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """All addresses of `host`, in the system's order of preference."""
        loop = asyncio.get_running_loop()
        share = await self._shares.reserve(user.get(), 1)

        def ended(_: Future[list[str]]) -> None:
            with suppress(RuntimeError):  # the loop has closed
                loop.call_soon_threadsafe(share.release)

        looking = self._threads.submit(_look_up, host, port, family)
        # The thread stays busy until the system replies, even if the fetch has been abandoned.
        looking.add_done_callback(ended)
        return [resolved(host, address, port) for address in await asyncio.wrap_future(looking)]

    async def close(self) -> None:
        """Shut down without waiting for look-ups."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def resolved(host: str, address: str, port: int) -> ResolveResult:
    """An address in the HTTP client's format."""
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
    # Keep the zone in the text, so that the guard sees and refuses it.
    return [
        f"{info[4][0]}%{info[4][3]}" if len(info[4]) == 4 and info[4][3] else str(info[4][0])
        for info in infos
    ]
