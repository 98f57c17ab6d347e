"""The HTTP client's session, which connects through the guard.

Loading aiohttp takes about a tenth of a second, so only this module and those that it imports load it.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping

import aiohttp
from aiohttp.abc import AbstractResolver

from .addresses import Address
from .guard import Guard
from .resolver import SystemResolver


class Session:
    """A client that connects to permitted addresses only; use it on one event loop."""

    def __init__(
        self,
        headers: Mapping[str, str],
        connect_s: float,
        permits: Callable[[Address], bool],
        names: AbstractResolver | None,
        tls: ssl.SSLContext | bool,
    ) -> None:
        """Prepare without connecting; a connection must be established within `connect_s`.

        `names` and `tls` replace the system's resolver and authorities.
        """
        self._guard = Guard(names or SystemResolver(), permits)
        connector = aiohttp.TCPConnector(
            resolver=self._guard,
            socket_factory=self._guard.socket,
            use_dns_cache=False,
            force_close=True,
            limit=0,
            ssl=tls,
        )
        self.client = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=None, connect=connect_s),
            auto_decompress=False,
            trust_env=False,
        )

    async def close(self) -> None:
        """Close the connections, and the resolver with its threads."""
        await self.client.close()
        await self._guard.close()

    def distrusts(self, error: BaseException) -> bool:
        """Whether a connection failed because the host's certificate could not be verified."""
        return isinstance(error, aiohttp.ClientConnectorCertificateError)
