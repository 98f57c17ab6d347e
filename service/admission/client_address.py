"""The client's address; `X-Forwarded-For` counts only when it comes from a trusted proxy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

Address = IPv4Address | IPv6Address
UNKNOWN = "unknown"


class TrustedProxies:
    """The networks whose `X-Forwarded-For` is trusted."""

    def __init__(self, networks: Iterable[str]) -> None:
        """Parse addresses and networks; raises ValueError for anything else."""
        self._networks = [ip_network(text.strip(), strict=False) for text in networks]

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._networks)

    def are_peer(self, scope: Mapping[str, Any]) -> bool:
        """Whether the connection of a request in ASGI comes from one of them."""
        peer = scope["client"]
        address = _parse(peer[0]) if peer else None
        return address is not None and self._trusts(address)

    def owner(self, scope: Mapping[str, Any]) -> str:
        """The owner who is charged for a request until its user is known: the client address."""
        return f"address:{self.client_address(scope)}"

    def client_address(self, scope: Mapping[str, Any]) -> str:
        """The nearest address that is not a trusted proxy's; for IPv6 its /64 network.

        `scope` is the request's in ASGI: its `client` is the peer as host and port, or None, and its
        `headers` are pairs of bytes.
        """
        peer = scope["client"]
        if peer is None or (address := _parse(peer[0])) is None:
            return UNKNOWN
        if self._trusts(address):
            lists = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
            hops = b",".join(lists).decode("latin-1").split(",") if lists else []
            while hops and self._trusts(address):
                forwarded = _parse(hops.pop())
                if forwarded is None:
                    break
                address = forwarded
        if isinstance(address, IPv6Address):
            return str(IPv6Network((address, 64), strict=False))
        return str(address)


def _parse(text: str) -> Address | None:
    text = text.strip()
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
