"""The guard between the HTTP client and the network."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import ip_address

from aiohappyeyeballs import AddrInfoType
from aiohttp.abc import AbstractResolver, ResolveResult

from .addresses import Address
from .refusals import ForbiddenError


class Guard(AbstractResolver):
    """Blocks name resolution and sockets for addresses that `permits` refuses.

    `resolve` rejects a host if any of its addresses is forbidden. The client calls `socket` with the exact
    address that it then passes to `connect`, literal or resolved, so nothing can change in between.
    """

    def __init__(self, resolver: AbstractResolver, permits: Callable[[Address], bool]) -> None:
        self._resolver = resolver
        self._permits = permits

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Resolve a host; raises `ForbiddenError` unless all of its addresses are permitted."""
        found = await self._resolver.resolve(host, port, family)
        for one in found:
            self._check(one["host"])
        if not found:
            raise OSError("no addresses")
        return found

    def socket(self, info: AddrInfoType) -> socket.socket:
        """Create a socket for the address in `info`; raises `ForbiddenError` unless it is permitted."""
        family, kind, proto, _, target = info
        self._check(str(target[0]))
        return socket.socket(family, kind, proto)

    async def close(self) -> None:
        """Close the wrapped resolver."""
        await self._resolver.close()

    def _check(self, text: str) -> None:
        try:
            # Standard notation only: the system might interpret or resolve anything else differently.
            permitted = self._permits(ip_address(text))
        except ValueError:
            permitted = False
        if not permitted:
            raise ForbiddenError(f"{text} is not an address on the public internet")
