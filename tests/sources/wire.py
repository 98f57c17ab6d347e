"""A fake network: no packet of these tests leaves loopback, whatever the guard does."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from service.config import Config
from service.sources.resolver import resolved
from tests.support.waiting import PATIENCE_S

Sockaddr = tuple[Any, ...]
LOOPBACKS = ("127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.254", "::1")
PUBLIC = "93.184.215.14"
PUBLIC_V6 = "2606:4700:4700::1111"
IMAGE = b"\x89PNG\r\n\x1a\n and so on"
_DEFAULTS = Config()


def config(**given: object) -> Config:
    """The default configuration changed by `given`. It ignores the environment, which would be slow to
    read."""
    return _DEFAULTS.model_copy(update=given)


def stays_here(host: str) -> bool:
    """Whether connecting to `host` really cannot leave this machine."""
    try:
        ip = ip_address(host)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return ip.is_loopback or ip.is_unspecified


@dataclass
class Wire:
    """A recorder that replaces `socket.connect`, below all tested code."""

    attempts: list[tuple[str, int]] = field(default_factory=list)
    routes: dict[str, tuple[str, int]] = field(default_factory=dict)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = socket.socket.connect

        def connect(sock: socket.socket, address: Sockaddr) -> None:
            host, port = address[:2]
            self.attempts.append((host, port))
            if host in self.routes:
                # The socket is still an IPv6 one, so it connects to the IPv4 server by a mapped address.
                here, there = self.routes[host]
                mapped = f"::ffff:{here}" if sock.family == socket.AF_INET6 else here
                real(sock, (mapped, there))
            elif stays_here(host):
                real(sock, address)
            else:
                raise ConnectionRefusedError(f"recorded: {host}")

        def never(*args: object, **kwargs: object) -> None:
            raise AssertionError(f"a test asked the system: {args}")

        monkeypatch.setattr(socket.socket, "connect", connect)
        monkeypatch.setattr(socket.socket, "connect_ex", never)
        monkeypatch.setattr(socket.socket, "sendto", never)
        monkeypatch.setattr(socket, "getaddrinfo", never)
        monkeypatch.setattr(socket, "create_connection", never)


class Names(AbstractResolver):
    """A fake resolver that reads unusual IPv4 notations as the system's does."""

    def __init__(self, **table: list[str]) -> None:
        self.asked: list[str] = []
        self.table = {name.replace("_", "."): addresses for name, addresses in table.items()}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        self.asked.append(host)
        addresses = self.table.get(host.rstrip("."))
        if addresses is None:
            try:
                addresses = [socket.inet_ntoa(socket.inet_aton(host.rstrip(".")))]
            except (OSError, ValueError):
                raise socket.gaierror(socket.EAI_NONAME, "unknown name") from None
        return [resolved(host, address, port) for address in addresses]

    async def close(self) -> None:
        pass


class Rebinding(Names):
    """Returns each of `answers` in turn, and then the last one again and again."""

    def __init__(self, *answers: list[str]) -> None:
        super().__init__()
        self.answers = list(answers)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        self.asked.append(host)
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [resolved(host, address, port) for address in addresses]


@dataclass
class Canary:
    """A real server on every loopback address, which no fetch may reach."""

    port: int = 0
    seen: int = 0


@asynccontextmanager
async def canary() -> AsyncIterator[Canary]:
    bird = Canary()

    async def answer_picture(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        bird.seen += 1
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        await finish(writer)

    async with asyncio.timeout(PATIENCE_S):
        sockets = bind_all()
        bird.port = sockets[0].getsockname()[1]
        servers = [await asyncio.start_server(answer_picture, sock=sock) for sock in sockets]
        try:
            yield bird
        finally:
            await close_all(servers)


Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], Awaitable[None]]


@dataclass
class Site:
    """A server on 127.0.0.1 whose responses `respond` writes; `requests` has the heads it received."""

    port: int = 0
    requests: list[str] = field(default_factory=list)

    @property
    def place(self) -> tuple[str, int]:
        return "127.0.0.1", self.port


@asynccontextmanager
async def site(respond: bytes | Answer) -> AsyncIterator[Site]:
    here = Site()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            here.requests.append(head)
            if isinstance(respond, bytes):
                writer.write(respond)
            else:
                await respond(reader, writer, head)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            await finish(writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    here.port = server.sockets[0].getsockname()[1]
    try:
        yield here
    finally:
        await close_all([server])


async def finish(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def close_all(servers: list[asyncio.Server]) -> None:
    for server in servers:
        server.close()
    # Let handlers notice that their clients are gone.
    await asyncio.sleep(0)


def bind_all() -> list[socket.socket]:
    """Sockets on all loopback addresses with the same port; IPv6 ones only if the machine has IPv6."""
    for _ in range(20):
        sockets: list[socket.socket] = []
        port = 0
        try:
            for host in LOOPBACKS:
                family = socket.AF_INET6 if ":" in host else socket.AF_INET
                try:
                    one = socket.socket(family, socket.SOCK_STREAM)
                    sockets.append(one)
                    one.bind((host, port))
                except OSError:
                    if family == socket.AF_INET:
                        raise
                    sockets.pop().close()
                    continue
                port = one.getsockname()[1]
            return sockets
        except OSError:
            for one in sockets:
                one.close()
    raise OSError("no port is free on all loopback addresses")


def picture(body: bytes = IMAGE, *headers: str, status: str = "200 OK") -> bytes:
    """A complete response with its Content-Length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def redirect(target: str, status: int = 302) -> bytes:
    return picture(b"", f"Location: {target}", status=f"{status} Found")
