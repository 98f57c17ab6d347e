"""The client's address; `X-Forwarded-For` counts only when it comes from a trusted proxy."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.requests import HTTPConnection

Address = IPv4Address | IPv6Address


class TrustedProxies:
    """The networks whose `X-Forwarded-For` is trusted."""

    def __init__(self, networks: Iterable[str]) -> None:
        """Parse addresses and networks; raises ValueError for anything else."""
        self._networks = [ip_network(text.strip(), strict=False) for text in networks]

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._networks)

    def are_peer(self, connection: HTTPConnection) -> bool:
        """Whether a connection comes from one of them."""
        address = _parse(connection.client.host) if connection.client else None
        return address is not None and self._trusts(address)

    def client_address(self, connection: HTTPConnection) -> str:
        """The nearest address that is not a trusted proxy's; for IPv6 its /64 network."""
        if connection.client is None or (address := _parse(connection.client.host)) is None:
            return "unknown"
        lists = connection.headers.getlist("x-forwarded-for")
        hops = [hop for value in lists for hop in value.split(",")]
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
