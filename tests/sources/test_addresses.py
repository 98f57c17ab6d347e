from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.sources.addresses import is_public
from tests.support.looped import looped

# This copy was made from the registries' tables independently of the code's, so that an error in either is
# found.
RESERVED_V4 = [
    (ip_network("0.0.0.0/8"), "RFC 791"),
    (ip_network("10.0.0.0/8"), "RFC 1918"),
    (ip_network("100.64.0.0/10"), "RFC 6598"),
    (ip_network("127.0.0.0/8"), "RFC 1122"),
    (ip_network("168.63.129.16/32"), "host agent"),
    (ip_network("169.254.0.0/16"), "RFC 3927"),
    (ip_network("172.16.0.0/12"), "RFC 1918"),
    (ip_network("192.0.0.0/24"), "RFC 6890"),
    (ip_network("192.0.2.0/24"), "RFC 5737"),
    (ip_network("192.31.196.0/24"), "RFC 7535"),
    (ip_network("192.52.193.0/24"), "RFC 7450"),
    (ip_network("192.88.99.0/24"), "RFC 7526"),
    (ip_network("192.168.0.0/16"), "RFC 1918"),
    (ip_network("192.175.48.0/24"), "RFC 7534"),
    (ip_network("198.18.0.0/15"), "RFC 2544"),
    (ip_network("198.51.100.0/24"), "RFC 5737"),
    (ip_network("203.0.113.0/24"), "RFC 5737"),
    (ip_network("224.0.0.0/4"), "RFC 1112"),
    (ip_network("240.0.0.0/4"), "RFC 1112"),
]
RESERVED_V6 = [
    (ip_network("::/3"), "everything below global unicast"),
    (ip_network("2001::/23"), "RFC 2928"),
    (ip_network("2001:db8::/32"), "RFC 3849"),
    (ip_network("2002::/16"), "RFC 3056"),
    (ip_network("2620:4f:8000::/48"), "RFC 7534"),
    (ip_network("3ffe::/16"), "RFC 3701"),
    (ip_network("3fff::/20"), "RFC 9637"),
    (ip_network("4000::/2"), "unassigned, SRv6"),
    (ip_network("8000::/1"), "unassigned, RFC 4193, RFC 4291"),
]
NAT64 = ip_network("64:ff9b::/96")

EDGES = [
    int(edge) + step
    for network, _ in [*RESERVED_V4, *RESERVED_V6, (NAT64, "")]
    for edge in (network.network_address, network.broadcast_address)
    for step in (-1, 0, 1)
]


def expected(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network, _ in RESERVED_V4)
    if ip in NAT64:
        return expected(IPv4Address(ip.packed[-4:]))
    if ip.packed[8:12] in (b"\x00\x00\x5e\xfe", b"\x02\x00\x5e\xfe"):
        return False
    return not any(ip in network for network, _ in RESERVED_V6)


numbers_v4 = st.integers(0, 2**32 - 1) | st.sampled_from([edge for edge in EDGES if 0 <= edge < 2**32])
unicast_v6 = st.integers(0x2000 << 112, (0x4000 << 112) - 1)
numbers_v6 = (
    st.integers(0, 2**128 - 1)
    | unicast_v6
    | st.sampled_from([edge for edge in EDGES if 0 <= edge < 2**128])
    | numbers_v4.map(lambda v4: int(NAT64.network_address) + v4)
    | st.builds(
        lambda prefix, kind, v4: (prefix >> 64 << 64) | (kind << 32) | v4,
        unicast_v6,
        st.sampled_from([0x5EFE, 0x0200_5EFE]),
        numbers_v4,
    )
)


@given(numbers_v4.map(IPv4Address))
@settings(max_examples=500)
def test_ipv4_against_the_reference(ip: IPv4Address) -> None:
    assert is_public(ip) == expected(ip)


@pytest.mark.long(seconds=2)
@given(numbers_v6.map(IPv6Address))
@example(IPv6Address("64:ff9b::a9fe:a9fe"))
@settings(max_examples=1000)
def test_ipv6_against_the_reference(ip: IPv6Address) -> None:
    assert is_public(ip) == expected(ip)


@looped("number", sorted(set(EDGES)))
def test_every_edge(number: int) -> None:
    if 0 <= number < 2**32:
        assert is_public(IPv4Address(number)) == expected(IPv4Address(number))
    if 0 <= number < 2**128:
        assert is_public(IPv6Address(number)) == expected(IPv6Address(number))


@given(numbers_v4.map(IPv4Address) | numbers_v6.map(IPv6Address))
@settings(max_examples=500)
def test_never_more_than_the_standard_library(ip: IPv4Address | IPv6Address) -> None:
    """Addresses that Python calls private or reserved are never public; NAT64 counts as its IPv4 address."""
    if is_public(ip) and ip not in NAT64:
        assert ip.is_global
        assert not any((ip.is_private, ip.is_multicast, ip.is_reserved, ip.is_loopback))


@looped(
    "text",
    [
        # The standard library of some or all supported Python versions calls these addresses global.
        "224.0.0.1",
        "239.255.255.250",
        "192.88.99.1",
        "192.31.196.1",
        "168.63.129.16",
        "::ffff:8.8.8.8",
        "::8.8.8.8",
        "64:ff9b:1::a00:1",
        "64:ff9b::10.0.0.1",
        "2002:a00:1::1",
        "2001:20::1",
        "2606:4700::5efe:10.0.0.1",
        "3fff::1",
        "5f00::1",
        "fec0::1",
        "ff0e::1",
    ],
)
def test_addresses_misjudged_by_is_global_are_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


def test_a_zone_is_never_public() -> None:
    assert is_public(IPv6Address("2a00::1"))
    assert not is_public(IPv6Address("2a00::1%eth0"))
