"""Name look-ups in threads of their own."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult

THREADS = 16


class SystemResolver(AbstractResolver):
    """The system's resolver; names that never get an answer hold up nothing else."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolver")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Every address of `host`, in the system's order of preference."""
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, _look_up, host, port, family)
        return [answer(host, address, port) for address in found]

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
