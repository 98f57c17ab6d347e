"""The guard between the HTTP client and the network."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import ip_address

from aiohappyeyeballs import AddrInfoType
from aiohttp.abc import AbstractResolver, ResolveResult

from service.sources.addresses import Address


class ForbiddenError(OSError):
    """An address that screenshots are never fetched from."""


class Guard(AbstractResolver):
    """Lets no name resolve to, and no socket be made for, an address that `permits` refuses.

    `resolve` fails a host as a whole when any of its addresses is forbidden. `socket` is called by the client
    with the very address it hands to `connect` next, literal or resolved, so nothing can change in between.
    """

    def __init__(self, resolver: AbstractResolver, permits: Callable[[Address], bool]) -> None:
        self._resolver = resolver
        self._permits = permits

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The host's addresses, all of them permitted; raises `ForbiddenError` otherwise."""
        found = await self._resolver.resolve(host, port, family)
        for one in found:
            self._check(one["host"])
        if not found:
            raise OSError("no addresses")
        return found

    def socket(self, info: AddrInfoType) -> socket.socket:
        """A socket for the address in `info`, permitted; raises `ForbiddenError` otherwise."""
        family, kind, proto, _, target = info
        self._check(str(target[0]))
        return socket.socket(family, kind, proto)

    async def close(self) -> None:
        """Close the resolver behind."""
        await self._resolver.close()

    def _check(self, text: str) -> None:
        try:
            # Only the usual notation: anything else the system would read, or resolve, in its own way.
            permitted = self._permits(ip_address(text))
        except ValueError:
            permitted = False
        if not permitted:
            raise ForbiddenError(f"forbidden address: {text}")
