"""The deadlines of connections, with a real uvicorn on loopback and short limits."""

from __future__ import annotations

import asyncio
import json
import math
import resource
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest
import uvicorn
import uvloop

from service.admission import memory
from service.admission.client_address import TrustedProxies
from service.api.sending import Sending
from service.concurrency.fair_shares import FairShares
from service.config import Config
from service.http.connection_limits import ConnectionLimits, room_for
from service.http.protocol import BoundedProtocol, Phase, bounded_protocol
from service.http.sockets import piecewise
from tests.support.waiting import PATIENCE_S, soon

SHORT = ConnectionLimits(header_s=1.0, body_s=1.2, idle_s=1.0, connections=500)
# Clients that send in time may have seemed slow if the event loop was blocked for longer than these seconds.
HELD_S = 0.2
TRIALS = 20
LATE_S = 1.5  # later than every deadline
LONG = ConnectionLimits(header_s=600, body_s=600, idle_s=600)
# A slow client costs this process two descriptors, one for each end of the connection.
SLOW = room_for(1000 * 2, 0) // 2
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
FORWARDED = [(b"x-forwarded-for", b"198.51.100.7")]
RELEASE = threading.Event()
T = TypeVar("T")
Scenario = Callable[[], Awaitable[None]]


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Responds with the length of the body. `/early` responds before the body, and `/large` at length."""
    if scope["path"] == "/unread":
        await asyncio.sleep(LATE_S)
    size, more = 0, scope["path"] != "/early"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message["body"])
        more = message["more_body"]
    if scope["path"] == "/late":
        await asyncio.sleep(LATE_S)
    while scope["path"] == "/held" and not RELEASE.is_set():
        await asyncio.sleep(0.01)
    body = bytes(16 * 2**20) if scope["path"] == "/large" else str(size).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


class Running:
    def __init__(self, server: uvicorn.Server, port: int) -> None:
        self.server = server
        self.port = port

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def flooded(self, flood: bytes) -> bytes:
        """The server's response to `flood`, which is sent until the server hangs up.

        If the connection is reset, asyncio's streams discard data that arrived before; the socket itself does
        not.
        """
        loop = asyncio.get_running_loop()
        with socket.socket() as sock:
            sock.setblocking(False)
            await loop.sock_connect(sock, ("127.0.0.1", self.port))

            async def send() -> None:
                with suppress(OSError):
                    await loop.sock_sendall(sock, flood)

            sending = asyncio.create_task(send())
            told = b""
            with suppress(ConnectionError):
                while piece := await loop.sock_recv(sock, 2**16):
                    told += piece
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            return told

    async def sees(self, writer: asyncio.StreamWriter, phase: Phase) -> None:
        """Wait until the server has put the client of `writer` in `phase`, and until the server's clock has
        moved on."""
        client = writer.get_extra_info("sockname")[:2]
        while not any(
            isinstance(one, BoundedProtocol) and one.client == client and one.phase is phase
            for one in self.server.server_state.connections
        ):
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.005)


@asynccontextmanager
async def running(limits: ConnectionLimits, budget: FairShares | None = None) -> AsyncIterator[Running]:
    proxies = TrustedProxies(["127.0.0.1"])
    protocol = piecewise(type("Limited", (BoundedProtocol,), {"limits": limits, "proxies": proxies}))
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    services = SimpleNamespace(budget=budget or FairShares(math.inf))
    state = SimpleNamespace(services=services, proxies=proxies)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        scope["app"] = SimpleNamespace(state=state)
        await Sending(app)(scope, receive, send)

    config = uvicorn.Config(
        application, http=protocol, ws="none", lifespan="off", log_config=None, access_log=False
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield Running(server, listener.getsockname()[1])
    finally:
        server.should_exit = server.force_exit = True
        await task
        listener.close()


@pytest.fixture
def run() -> Callable[[Scenario], None]:
    """Run a scenario on the service's event loop, and repeat it if the machine was too busy.

    Clients and server share the loop, so the scenario notices whenever either is delayed.
    """

    def inner(scenario: Scenario) -> None:
        for trial in range(TRIALS):
            held = [0.0]
            try:
                with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                    runner.run(watched(scenario, held))
            except (AssertionError, OSError, asyncio.IncompleteReadError):
                if held[0] < HELD_S or trial == TRIALS - 1:
                    raise
            else:
                return

    return inner


async def watched(scenario: Scenario, held: list[float]) -> None:
    """Run the scenario, and set `held[0]` to the longest time in seconds for which the loop was blocked."""
    loop = asyncio.get_running_loop()

    async def watch() -> None:
        while True:
            before = loop.time()
            await asyncio.sleep(0.01)
            held[0] = max(held[0], loop.time() - before - 0.01)

    watching = asyncio.create_task(watch())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await scenario()
    finally:
        watching.cancel()


async def ends(reader: asyncio.StreamReader) -> bytes:
    """The data that arrives before the server hangs up."""
    told = b""
    with suppress(ConnectionError):
        while piece := await reader.read(2**16):
            told += piece
    return told


async def answer(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return await reader.readexactly(length)


async def trickle(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Send byte by byte until the server closes the connection; a whole head takes longer than the server
    permits."""
    for byte in data:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.06)


async def together(*jobs: Coroutine[Any, Any, T]) -> list[T]:
    """The results of all jobs, once all have ended; raises the first error."""
    done = await asyncio.gather(*jobs, return_exceptions=True)
    for one in done:
        if isinstance(one, BaseException):
            raise one
    return cast("list[T]", done)


SILENT = [
    b"",
    b"G",
    b"\r\n",
    b"GET / HTTP/1.1\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nA: ",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc",
    b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nTrailer: ",
]


@pytest.mark.long(seconds=2)
def test_silent_connections_are_closed(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(SHORT) as server:

            async def silent(head: bytes) -> bytes:
                reader, writer = await server.open()
                writer.write(head)
                told = await ends(reader)
                writer.close()
                return told

            told = await together(*map(silent, SILENT))
            assert dict(zip(SILENT, told, strict=True)) == dict.fromkeys(SILENT, b"")
            assert server.connections == 0

    run(scenario)


# Data that is sent at once, and data that then trickles for longer than all deadlines together.
TRICKLES = [
    (b"", b"\r\n" * 2000),
    (b"", b"GET /" + b"a" * 2000),
    (b"GET / HTTP/1.1\r\n", b"A: b\r\n" * 500),
    (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n", b"a" * 5000),
    (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n" * 500),
    (b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n", b"a" * 5000),
    (GET, GET * 200),
]


@pytest.mark.long(seconds=2)
def test_trickling_bytes_extend_no_deadline(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(SHORT) as server:

            async def trickling(head: bytes, rest: bytes) -> None:
                reader, writer = await server.open()
                writer.write(head)
                sending = asyncio.create_task(trickle(writer, rest))
                told = await ends(reader)
                writer.close()
                sending.cancel()
                (ended,) = await asyncio.gather(sending, return_exceptions=True)
                assert ended is not None, (head, "all of it was taken")
                # If the request was complete, it was answered, and the server sent nothing else.
                assert told.count(b"HTTP/1.1 200") == (b"early" in head or head == GET), (head, told)
                assert told.count(b"HTTP/1.1") <= 1, (head, told)

            await together(*(trickling(head, rest) for head, rest in TRICKLES))

    run(scenario)


EARLY = b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"


DEADLINES = [
    (ConnectionLimits(header_s=600, body_s=600, idle_s=0.5), b"", b""),
    (ConnectionLimits(header_s=0.5, body_s=600, idle_s=600), b"", b"G"),
    (ConnectionLimits(header_s=600, body_s=0.5, idle_s=600), b"", EARLY.replace(b"early", b"")),
    (ConnectionLimits(header_s=600, body_s=600, idle_s=0.5), GET, b""),
    (ConnectionLimits(header_s=0.5, body_s=600, idle_s=600), GET, b"\r\n"),
    (ConnectionLimits(header_s=600, body_s=0.5, idle_s=600), GET, EARLY.replace(b"early", b"")),
    # The application responds before the body has arrived; the deadline for the body does not change.
    (ConnectionLimits(header_s=600, body_s=0.5, idle_s=600), EARLY, b"abc"),
    (ConnectionLimits(header_s=600, body_s=600, idle_s=0.5), EARLY, b"123456789"),
    (ConnectionLimits(header_s=0.5, body_s=600, idle_s=600), EARLY, b"123456789G"),
    (ConnectionLimits(header_s=0.5, body_s=600, idle_s=600), GET + b"G", b""),
]


@pytest.mark.long(seconds=2)
def test_each_deadline_applies_by_itself(run: Callable[[Scenario], None]) -> None:
    async def waits(limits: ConnectionLimits, before: bytes, after: bytes) -> None:
        async with running(limits) as server:
            reader, writer = await server.open()
            if before:
                writer.write(before)
                assert await answer(reader) == b"0", (limits, before)
            writer.write(after)
            assert await ends(reader) == b"", (limits, before, after)
            writer.close()

    async def scenario() -> None:
        await together(*(waits(*one) for one in DEADLINES))

    run(scenario)


@pytest.mark.long(seconds=2)
def test_prompt_clients_stay(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(SHORT) as server:
            reader, writer = await server.open()
            # All requests together take longer than any of the deadlines.
            for size in range(8):
                writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size)
                await asyncio.sleep(0.2)
                writer.write(b"a" * size)
                assert await answer(reader) == str(size).encode()
            writer.close()

    run(scenario)


@pytest.mark.long(seconds=4)
def test_time_spent_by_the_server_does_not_count(run: Callable[[Scenario], None]) -> None:
    """Work that takes longer than any deadline, with pipelined requests behind it."""

    async def scenario() -> None:
        async with running(SHORT) as server:
            reader, writer = await server.open()
            late = GET.replace(b"/ ", b"/late ")
            writer.write(late + late + b"GET / HT")
            for _ in range(2):
                assert await answer(reader) == b"0"
            writer.write(b"TP/1.1\r\nHost: x\r\n\r\n")
            assert await answer(reader) == b"0"
            assert await ends(reader) == b""
            writer.close()

    run(scenario)


@pytest.mark.long(seconds=3)
def test_reading_late_does_not_count(run: Callable[[Scenario], None]) -> None:
    """The deadline does not run while the application leaves a body unread, or while a body waits behind an
    unanswered request."""

    async def scenario() -> None:
        async with running(SHORT) as server:
            reader, writer = await server.open()
            size = 4 * 2**20
            writer.write(
                b"POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size + bytes(size)
            )
            assert await answer(reader) == str(size).encode()
            writer.write(
                GET.replace(b"/ ", b"/late ") + b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"
            )
            assert await answer(reader) == b"0"
            writer.write(b"abc")
            assert await answer(reader) == b"3"
            writer.close()

    run(scenario)


@pytest.mark.long(seconds=2)
def test_unread_responses_are_aborted(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(SHORT) as server:
            sock = socket.create_connection(("127.0.0.1", server.port))
            sock.sendall(GET.replace(b"/ ", b"/large "))
            await soon(lambda: server.connections)
            await soon(lambda: not server.connections)
            sock.close()

    run(scenario)


@pytest.mark.long(seconds=2)
def test_slowly_read_responses_are_completed(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(SHORT) as server:
            reader, writer = await server.open()
            writer.write(GET.replace(b"/ ", b"/large "))
            got = 0
            while piece := await reader.read(2**20):
                got += len(piece)
                # All together, this takes longer than any of the deadlines.
                await asyncio.sleep(0.03)
                if got > 16 * 2**20:
                    break
            assert got > 16 * 2**20
            writer.close()

    run(scenario)


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize(
    "flood",
    [
        b"GET /" + b"a" * 2**20,
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 100_000,
        b"GET / HTTP/1.1\r\nA: " + b"b" * 2**20,
        b"\r\n" * 2**19,
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"A: b\r\n" * 100_000,
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"a" * 2**20,
        b"GET /late HTTP/1.1\r\nHost: x\r\n\r\n" + b"GET /" + b"a" * 2**20,
    ],
)
def test_heads_are_bounded(flood: bytes, run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(LONG) as server:
            told = await server.flooded(flood)
            # A request that precedes the flood is answered, and then the connection ends.
            served = b"/late" in flood
            assert told.startswith(b"HTTP/1.1 200 " if served else (b"HTTP/1.1 400 ", b"HTTP/1.1 431 "))
            assert told.count(b"HTTP/1.1 ") == 1

    run(scenario)


LAST = b"POST /early HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"


@pytest.mark.parametrize(
    "flood",
    [LAST % 2**24 + bytes(2**24), b"POST /early HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 2**23, GET * 2**18],
    ids=["body", "head", "pipeline"],
)
def test_a_client_that_still_sends_can_read_the_last_response(
    flood: bytes, run: Callable[[Scenario], None]
) -> None:
    async def scenario() -> None:
        async with running(LONG) as server:
            reader, writer = await server.open()
            writer.write(flood)
            # The client sends everything before it reads, so a reset would lose the response.
            await writer.drain()
            assert (await ends(reader)).startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 431 "))
            writer.close()
            await soon(lambda: not server.connections)

    run(scenario)


@pytest.mark.parametrize(
    ("limits", "sent"),
    [(ConnectionLimits(discarded_bytes=2**20), 2**22), (ConnectionLimits(body_s=0.5), 3)],
    ids=["bytes", "time"],
)
def test_bytes_after_the_last_response_are_limited(
    limits: ConnectionLimits, sent: int, run: Callable[[Scenario], None]
) -> None:
    async def scenario() -> None:
        async with running(limits) as server:
            _, writer = await server.open()
            writer.write(LAST % 2**30 + bytes(sent))
            await soon(lambda: server.connections)
            await soon(lambda: not server.connections)
            writer.close()

    run(scenario)


def test_small_chunks_are_accepted(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(LONG) as server:
            reader, writer = await server.open()
            writer.write(
                b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + (b"200\r\n" + bytes(512) + b"\r\n") * 5000
            )
            writer.write(b"0\r\n\r\n")
            assert await answer(reader) == b"2560000"
            writer.close()

    run(scenario)


def test_tiny_chunks_are_refused_early(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(LONG) as server:
            head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            told = await server.flooded(head + b"1\r\na\r\n" * 20_000)
            assert told.startswith(b"HTTP/1.1 400 ")

    run(scenario)


@pytest.mark.parametrize(
    "head",
    [
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding:chunked\r\ncontent-length:50\r\n\r\n",
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET / HTTP/2.0\r\nHost: x\r\n\r\n",
    ],
)
def test_ambiguous_lengths_are_refused(head: bytes, run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(LONG) as server:
            reader, writer = await server.open()
            writer.write(head + b"0\r\n\r\n" + GET)
            told = await ends(reader)
            assert told.startswith(b"HTTP/1.1 400 ")
            assert told.count(b"HTTP/1.1 ") == 1
            writer.close()

    run(scenario)


def test_an_unread_response_is_charged(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        budget = FairShares(2**30)
        async with running(LONG, budget) as server:
            reader, writer = await server.open()
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(GET.replace(b"/ ", b"/large "))
            await soon(lambda: budget.held("address:127.0.0.1") >= 2**20)
            writer.transport.resume_reading()  # type: ignore[attr-defined]
            assert len(await answer(reader)) == 16 * 2**20
            await soon(lambda: not budget.used)
            writer.close()

    run(scenario)


def test_the_oldest_unread_response_is_dropped(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(LONG, FairShares(20 * 2**20)) as server:
            lines = [await server.open() for _ in range(2)]
            for _, writer in lines:
                writer.transport.pause_reading()  # type: ignore[attr-defined]
                writer.write(GET.replace(b"/ ", b"/large "))
            await soon(lambda: server.connections == 1)
            for _, writer in lines:
                writer.close()

    run(scenario)


def test_invalid_requests_are_answered_with_400(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(LONG) as server:
            reader, writer = await server.open()
            writer.write(b"\x16\x03\x01 nonsense\r\n\r\n")
            head, _, body = (await ends(reader)).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400 ")
            assert b"content-type: application/json" in head
            assert json.loads(body)["error"]["code"] == "INVALID_REQUEST"
            writer.close()

    run(scenario)


def test_the_longest_waiting_connection_is_closed(run: Callable[[Scenario], None]) -> None:
    async def scenario() -> None:
        async with running(ConnectionLimits(header_s=600, body_s=600, idle_s=600, connections=10)) as server:
            busy_reader, busy = await server.open()
            busy.write(GET.replace(b"/ ", b"/held "))
            await server.sees(busy, Phase.SERVED)
            waiting = []
            for number in range(20):
                reader, writer = await server.open()
                waiting.append((reader, writer))
                writer.write(
                    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n" if number % 2 else b"GET"
                )
                await server.sees(writer, Phase.BODY if number % 2 else Phase.HEAD)
            for reader, _ in waiting[:11]:
                assert await ends(reader) == b""
            assert server.connections == 10
            # The request in progress has kept its connection.
            RELEASE.set()
            assert await answer(busy_reader) == b"0"
            for _, writer in [*waiting, (busy_reader, busy)]:
                writer.close()

    RELEASE.clear()
    run(scenario)


@pytest.mark.parametrize(
    "limits", [LONG, ConnectionLimits(header_s=600, body_s=600, idle_s=600, connections=SLOW // 2)]
)
def test_slow_clients_do_not_keep_good_ones_out(
    limits: ConnectionLimits, run: Callable[[Scenario], None]
) -> None:
    """A thousand clients are slow at various stages; the second case has fewer connections than that."""

    async def scenario() -> None:
        stages = [
            b"",
            b"GET / HT",
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
            b"POST / HTTP/1.1\r\nA: ",
        ]
        async with running(limits) as server:
            slow = []
            for number in range(SLOW):
                slow.append(await server.open())
                slow[-1][1].write(stages[number % len(stages)])

            async def good() -> None:
                reader, writer = await server.open()
                for size in (10, 100_000):
                    writer.write(
                        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size + b"a" * size
                    )
                    assert await answer(reader) == str(size).encode()
                writer.close()

            await asyncio.gather(*(good() for _ in range(20)))
            assert server.connections <= limits.connections
            for _, writer in slow:
                writer.close()

    run(scenario)


def test_the_configuration_is_used() -> None:
    config = Config(
        header_timeout_s=1,
        body_timeout_s=2,
        idle_timeout_s=3,
        max_connections=4,
        trusted_proxies=("192.0.2.1",),
    )
    made = bounded_protocol(config, memory.plan(config, 1))
    assert made.proxies.client_address({"client": ("192.0.2.1", 1), "headers": FORWARDED}) == "198.51.100.7"
    assert made.limits == ConnectionLimits(header_s=1, body_s=2, idle_s=3, connections=4)


@pytest.mark.parametrize(
    ("wanted", "soft", "hard", "room", "raised"),
    [
        (100, 1024, 4096, 100, None),
        (2048, 1024, 4096, 2048, 2304),
        (2048, 1024, 1500, 1244, 1500),
        (2048, 1024, resource.RLIM_INFINITY, 2048, 2304),
        (2048, 64, 64, 16, 64),
    ],
)
def test_connections_leave_room_for_other_files(
    wanted: int, soft: int, hard: int, room: int, raised: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: changes.append(limits[0]))
    assert room_for(wanted, 0) == room
    assert changes == ([raised] if raised else [])


def test_plates_take_room_from_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1500, 1500))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: None)
    assert room_for(2048, 44) == room_for(2048, 0) - 44
