"""Which IP addresses belong to the public internet, according to our own table.

`ipaddress.is_global` is not used: it follows the registries' "globally reachable" column, which includes
relays, multicast and translation prefixes that can lead to private networks, and changes with Python's patch
releases. The ranges are those of the IANA special-purpose registries (RFC 6890 and its
successors) and the addresses of cloud metadata services.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

FORBIDDEN_V4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network; Linux connects 0.0.0.0 to itself
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # carrier-grade NAT; a cloud's metadata at 100.100.100.200
            "127.0.0.0/8",  # loopback
            "168.63.129.16/32",  # a cloud's host agent, on an otherwise public address
            "169.254.0.0/16",  # link-local; most clouds' metadata at 169.254.169.254
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments; a cloud's metadata at 192.0.0.192
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112, answers for private reverse zones
            "192.52.193.0/24",  # multicast tunnelling relays
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarking
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)

# Everything outside global unicast is forbidden as a whole: loopback, unspecified, IPv4-mapped, -compatible
# and -translated, local-use NAT64 (64:ff9b:1::/48), discard, SRv6, unique local, link-local, multicast.
GLOBAL_UNICAST = IPv6Network("2000::/3")

FORBIDDEN_V6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID, drone identifiers
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, carries any IPv4 address
            "2620:4f:8000::/48",  # AS112
            "3ffe::/16",  # the former 6bone
            "3fff::/20",  # documentation
        ),
    )
)

# NAT64 (RFC 6052) maps every IPv4 host to such an address.
NAT64 = IPv6Network("64:ff9b::/96")

# Interface identifiers of ISATAP (RFC 5214), which carry an IPv4 address under any prefix.
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)


def is_public(address: Address) -> bool:
    """Whether `address` is an ordinary host on the public internet; when in doubt, it is not."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in FORBIDDEN_V4)
    if address.scope_id is not None:
        return False
    if address in NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
    if (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP:
        return False
    return address in GLOBAL_UNICAST and not any(address in network for network in FORBIDDEN_V6)
