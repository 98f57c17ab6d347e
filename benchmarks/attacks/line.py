"""An attacker's connection to a server on this machine, and the bounds of an attack."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import itertools
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import uvloop

# Limits on all attacks of a run together; more bytes per second would merely flood the network.
MOST_LINES = 600
MOST_BYTES_S = 32 * 2**20
MOST_S = 600.0
# Seconds between an attacker's connections, and before the next one if a connection was refused.
PAUSE_S = 0.02
# Seconds between checks whether an attack was ended.
LOOKED_S = 0.05
# Pseudo-statuses of a connection that the server closed without a response, and of one still open at the end.
ENDED, HELD = 0, -1


@dataclass(frozen=True)
class Target:
    """A server, keys of users with access, and one of a user without."""

    address: str
    keys: tuple[str, ...] = ()
    free: str = ""

    @property
    def place(self) -> tuple[str, int]:
        """Host and port; raises ValueError for any other machine than this."""
        parts = urlsplit(self.address)
        if not ipaddress.ip_address(parts.hostname or "").is_loopback:
            raise ValueError(f"{self.address} is not on this machine")
        return parts.hostname or "", parts.port or 80


@dataclass
class Bounds:
    """The connections and bytes that a run may still use."""

    lines: int = MOST_LINES
    sent: int = 0
    began: float = field(default_factory=time.monotonic)

    async def pay(self, size: int) -> None:
        """Wait until another `size` bytes are within the limit for the elapsed time."""
        self.sent += size
        while (due := self.began + self.sent / MOST_BYTES_S) > time.monotonic():
            await asyncio.sleep(due - time.monotonic())


class Line:
    """A connection from a loopback address that only this attacker uses."""

    def __init__(self, target: Target, bounds: Bounds, number: int, turn: int, source: str) -> None:
        self.target = target
        self.number = number
        self.turn = turn
        self._bounds = bounds
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._got = bytearray()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setblocking(False)
        # A small buffer, so that unread bytes stay with the server.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def key(self) -> str:
        """The key of one of the target's users; each line uses another."""
        return self.target.keys[self.number % len(self.target.keys)]

    async def open(self) -> None:
        if self._bounds.lines <= 0:
            raise OSError("no lines are left")
        self._bounds.lines -= 1
        try:
            self._socket.bind((self._source, 0))
            await self._loop.sock_connect(self._socket, self.target.place)
        except BaseException:
            self.close()
            raise

    async def send(self, data: bytes) -> None:
        """Send everything as fast as the server takes it; raises OSError if the server has closed the
        connection."""
        view = memoryview(data)
        for at in range(0, len(view), 2**20):
            piece = view[at : at + 2**20]
            await self._bounds.pay(len(piece))
            await self._loop.sock_sendall(self._socket, piece)

    async def trickle(self, data: bytes, size: int = 1, pause: float = 0.0) -> None:
        """Send it in pieces of `size` bytes, each in its own packet."""
        for at in range(0, len(data), size):
            await self.send(data[at : at + size])
            await asyncio.sleep(pause)

    async def status(self) -> int:
        """Read the next response and return its status, or `ENDED` if there is none."""
        while (end := self._got.find(b"\r\n\r\n")) < 0:
            if not await self._receive():
                return ENDED
        head = bytes(self._got[:end]).lower()
        status = int(head[9:12])
        length = head.partition(b"\r\ncontent-length:")[2].split(b"\r\n")[0]
        size = end + 4 + int(length or b"0")
        while len(self._got) < size:
            if not await self._receive():
                return ENDED
        del self._got[:size]
        return status

    async def rest(self) -> bytes:
        """Everything received until the server closes the connection."""
        with contextlib.suppress(ConnectionError):
            while await self._receive():
                pass
        return bytes(self._got)

    async def held(self) -> int:
        """Read nothing, and keep the connection until it is closed."""
        while True:
            await asyncio.sleep(0.25)
            with contextlib.suppress(BlockingIOError):
                # Detect the end behind unread data, without reading that.
                if not self._socket.recv(1, socket.MSG_PEEK):
                    return ENDED
            if self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                return ENDED

    async def some(self) -> int:
        """Read at most a packet; returns the number of bytes, 0 at the end."""
        return len(await self._loop.sock_recv(self._socket, 4096))

    def close(self) -> None:
        if self._socket.fileno() >= 0:
            self._socket.close()
            self._bounds.lines += 1

    async def _receive(self) -> bool:
        piece = await self._loop.sock_recv(self._socket, 2**16)
        self._got += piece
        return bool(piece)


@dataclass(frozen=True)
class Attack:
    """An attack by `lines` connections that each repeat `play`, which returns the response's status."""

    name: str
    lines: int
    play: Callable[[Line], Awaitable[int]]


Found = dict[str, Counter[int]]


def run(
    attacks: Sequence[Attack], target: Target, seconds: float, ended: Callable[[], bool] = lambda: False
) -> Found:
    """Run all `attacks` at once for some seconds or until `ended`; returns the statuses of the responses."""
    target.place  # noqa: B018 (raises where the server is elsewhere)
    return uvloop.run(_all(attacks, target, min(seconds, MOST_S), ended))


async def _all(attacks: Sequence[Attack], target: Target, seconds: float, ended: Callable[[], bool]) -> Found:
    bounds, found = Bounds(), {attack.name: Counter[int]() for attack in attacks}
    until = asyncio.get_running_loop().time() + seconds
    # Each attack has its own source address.
    playing = asyncio.gather(
        *(
            _play(attack, target, bounds, number, f"127.0.1.{index + 1}", until, found[attack.name])
            for index, attack in enumerate(attacks)
            for number in range(attack.lines)
        )
    )
    while not playing.done() and not ended():
        await asyncio.wait([playing], timeout=LOOKED_S)
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    return found


async def _play(
    attack: Attack,
    target: Target,
    bounds: Bounds,
    number: int,
    source: str,
    until: float,
    seen: Counter[int],
) -> None:
    loop = asyncio.get_running_loop()
    for turn in itertools.count():
        if loop.time() >= until:
            return
        line = Line(target, bounds, number, turn, source)
        try:
            async with asyncio.timeout_at(until):
                await line.open()
                seen[await attack.play(line)] += 1
        except TimeoutError:
            seen[HELD] += 1
        except OSError:
            seen[ENDED] += 1
        finally:
            line.close()
        await asyncio.sleep(PAUSE_S)
