"""Many slow clients take only connections from the server, which goes on serving good clients."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.load import Tally, call, taking_turns
from tests.support import pictures
from tests.support.live import SMALL, Live, running
from tests.support.processes import usage
from tests.support.waiting import soon

pytestmark = pytest.mark.long

SLOW = 150
GOOD = 20
HEADS = (
    b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    b"POST /api/v1/mockup HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n",
    b"",
)


class Crowd:
    """Connections that send a byte now and then."""

    def __init__(self, address: str, count: int) -> None:
        parts = urlsplit(address)
        assert ipaddress.ip_address(parts.hostname or "").is_loopback
        self._host, self._port, self._count = parts.hostname, parts.port, count
        self.connected = 0

    async def run(self) -> None:
        """Trickle until cancelled."""
        await asyncio.gather(*(self._trickle(HEADS[n % len(HEADS)]) for n in range(self._count)))

    async def _trickle(self, head: bytes) -> None:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(self._host, self._port)
            self.connected += 1
            try:
                writer.write(head)
                while True:
                    await asyncio.sleep(0.5)
                    writer.write(b"x" if head else b"")
                    await writer.drain()
            finally:
                writer.close()


def good(live: Live, seconds: float) -> Tally:
    """The responses to good clients."""
    body = {"screenshot_base64": pictures.text(), "settings": SMALL}
    keys = [live.key() for _ in range(GOOD)]
    return call(live.address, taking_turns(keys, [body]), GOOD, seconds)


async def beside(live: Live, slow: int, seconds: float) -> tuple[Tally, int]:
    """The responses to good clients while `slow` others trickle, and how many of the slow ones were
    connected."""
    crowd = Crowd(live.address, slow)
    trickling = asyncio.create_task(crowd.run())
    await soon(lambda: crowd.connected >= slow * 0.9 or trickling.done())
    try:
        return await asyncio.to_thread(good, live, seconds), crowd.connected
    finally:
        trickling.cancel()
        await asyncio.gather(trickling, return_exceptions=True)


@pytest.mark.alone
def test_fast_clients_are_served_while_others_are_slow(tmp_path: Path) -> None:
    with running(tmp_path, RATE_LIMIT="1000") as live:
        before = usage(live.process.pid)
        tally, connected = asyncio.run(beside(live, SLOW, 2.0))
        assert connected >= SLOW * 0.9
        assert set(tally.statuses) == {200}, tally.statuses
        assert tally.statuses[200] >= GOOD
        assert usage(live.process.pid).pss < before.pss + 200 * 2**20
        assert live.send("GET", "/health/ready").status == 200
