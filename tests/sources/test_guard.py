"""The guard passes look-ups on to the resolver; other files test the addresses that it refuses."""

from __future__ import annotations

import asyncio
import socket

from service.sources.guard import Guard
from tests.sources.wire import PUBLIC, Names


def test_a_lookup_without_a_port_requests_no_port() -> None:
    (found,) = asyncio.run(Guard(Names(public_example=[PUBLIC]), lambda _: True).resolve("public.example"))
    assert (found["host"], found["port"], found["family"]) == (PUBLIC, 0, socket.AF_INET)
