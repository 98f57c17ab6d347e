from __future__ import annotations

import pytest

from service.admission.client_address import TrustedProxies


def client(peer: str | None, *forwarded: str, trusted: tuple[str, ...] = ("10.0.0.0/8", "127.0.0.1")) -> str:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    scope = {"type": "http", "headers": headers, "client": None if peer is None else (peer, 1)}
    return TrustedProxies(trusted).client_address(scope)


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("192.0.2.1", (), "192.0.2.1"),
        ("192.0.2.1", ("198.51.100.7",), "192.0.2.1"),  # this peer is not a proxy, so its header is ignored
        ("10.1.2.3", ("198.51.100.7",), "198.51.100.7"),
        ("10.1.2.3", ("1.1.1.1, 198.51.100.7",), "198.51.100.7"),  # the caller itself added the first address
        ("10.1.2.3", ("198.51.100.7, 10.9.9.9",), "198.51.100.7"),
        ("10.1.2.3", ("198.51.100.7", "10.9.9.9"), "198.51.100.7"),
        ("10.1.2.3", ("10.4.4.4",), "10.4.4.4"),
        ("10.1.2.3", ("198.51.100.7, unknown",), "10.1.2.3"),
        ("10.1.2.3", ("",), "10.1.2.3"),
        ("::ffff:10.1.2.3", ("198.51.100.7",), "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", (), "2001:db8:1:2::/64"),
        ("10.1.2.3", ("2001:db8:1:2::9",), "2001:db8:1:2::/64"),
        (None, (), "unknown"),
    ],
)
def test_client(peer: str | None, forwarded: tuple[str, ...], expected: str) -> None:
    assert client(peer, *forwarded) == expected


def test_nobody_is_trusted_by_default() -> None:
    assert client("127.0.0.1", "198.51.100.7", trusted=()) == "127.0.0.1"


def test_invalid_networks_are_refused() -> None:
    with pytest.raises(ValueError, match="everyone"):
        TrustedProxies(["everyone"])


@pytest.mark.parametrize(
    ("peer", "expected"), [("10.1.2.3", True), ("192.0.2.1", False), ("unix", False), (None, False)]
)
def test_only_known_peers_are_proxies(peer: str | None, expected: bool) -> None:
    scope = {"client": None if peer is None else (peer, 1)}
    assert TrustedProxies(["10.0.0.0/8"]).are_peer(scope) is expected
