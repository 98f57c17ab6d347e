"""The responses that servers may send, and the requests they get."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from service.clock import CancelledError, Clock
from service.config import Config
from service.errors import Code, MockupError, busy
from service.sources import authorities
from service.sources.refusals import FAILED, RefusedError
from service.sources.remote import Fetcher
from tests.sources.wire import IMAGE, PUBLIC, Answer, Names, Site, Wire, config, picture, redirect, site
from tests.support.waiting import PATIENCE_S, soon

LIMIT = 64 * 1024
# Long time-outs, so that a slow machine is not taken for a slow server.
UNHURRIED: dict[str, object] = {"fetch_connect_s": PATIENCE_S, "fetch_total_s": PATIENCE_S}


def fetch(
    wire: Wire,
    respond: bytes | Answer,
    *,
    url: str = "http://public.example/a.png",
    clock: Clock | None = None,
    charge: Callable[[int], object] = int,
    **limits: object,
) -> tuple[bytes, Site]:
    async def scenario() -> tuple[bytes, Site]:
        async with site(respond) as here:
            wire.routes = {PUBLIC: here.place}
            given = UNHURRIED | {"max_source_bytes": LIMIT} | limits
            fetcher = Fetcher(config(**given), Names(public_example=[PUBLIC]))
            try:
                return await fetcher.fetch(url, clock or Clock(PATIENCE_S), "ada", charge=charge), here
            finally:
                await fetcher.close()

    return asyncio.run(scenario())


def unhurried(**given: object) -> Config:
    return config(**UNHURRIED | given)


async def test_fetched_and_failed_screenshots_are_counted(wire: Wire) -> None:
    async with site(picture()) as here:
        wire.routes = {PUBLIC: here.place}
        fetcher = Fetcher(unhurried(), Names(public_example=[PUBLIC]))
        assert (fetcher.fetched, fetcher.failed) == (0, 0)
        try:
            for _ in range(2):
                await fetcher.fetch("http://public.example/a.png", Clock(PATIENCE_S), "ada")
            with pytest.raises(MockupError):
                await fetcher.fetch("http://unknown.example/a.png", Clock(PATIENCE_S), "ada")
        finally:
            await fetcher.close()
    assert (fetcher.fetched, fetcher.failed) == (2, 1)


def refused(wire: Wire, respond: bytes | Answer, **limits: object) -> None:
    with pytest.raises(MockupError) as failure:
        fetch(wire, respond, **limits)  # type: ignore[arg-type]
    assert failure.value.code is Code.INVALID_REQUEST
    assert failure.value.message == FAILED
    assert [(detail.path, detail.message) for detail in failure.value.details] == [("screenshot.src", FAILED)]
    # The cause contains neither the HTTP client's own error nor its text, which may quote the URL.
    cause = failure.value.__cause__
    assert isinstance(cause, RefusedError)
    assert cause.__cause__ is None
    assert "://" not in str(cause)


def chunked(*pieces: bytes) -> bytes:
    body = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        picture(),
        picture(IMAGE, "Content-Type: text/html"),
        picture(IMAGE, "Content-Encoding: identity"),
        picture(IMAGE, "Set-Cookie: a=b", "Connection: keep-alive"),
        chunked(IMAGE),
        chunked(IMAGE[:3], IMAGE[3:]),
        b"HTTP/1.0 200 OK\r\n\r\n" + IMAGE,
        b"HTTP/1.1 100 Continue\r\n\r\n" + picture(),
    ],
)
def test_valid_responses_are_accepted(wire: Wire, answer: bytes) -> None:
    assert fetch(wire, answer)[0] == IMAGE


def test_the_largest_body(wire: Wire) -> None:
    assert len(fetch(wire, picture(b"x" * LIMIT))[0]) == LIMIT
    refused(wire, picture(b"x" * (LIMIT + 1)))
    refused(wire, chunked(b"x" * LIMIT, b"x"))
    refused(wire, b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * (LIMIT + 1))


@pytest.mark.parametrize(
    "status",
    [101, 201, 202, 203, 204, 205, 206, 226, 299, 300, 304, 400, 401, 403, 404, 407, 418, 429, 500, 503, 999],
)
def test_other_statuses(wire: Wire, status: int) -> None:
    refused(wire, picture(IMAGE, status=f"{status} Whatever"))


@pytest.mark.parametrize(
    "coding", ["gzip", "deflate", "br", "zstd", "x-gzip", "identity, gzip", "GZIP", "unknown"]
)
def test_encoded_bodies(wire: Wire, coding: str) -> None:
    refused(wire, picture(gzip.compress(IMAGE), f"Content-Encoding: {coding}"))
    refused(wire, picture(gzip.compress(IMAGE), "Content-Encoding: identity", f"Content-Encoding: {coding}"))


def test_a_gzip_bomb_is_not_unpacked(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(bytes(LIMIT * 10))
    assert len(bomb) < LIMIT
    refused(wire, picture(bomb, "Content-Encoding: gzip"))
    # Without the header, the gzip data is handled as any other file, and the decoder checks it later.
    assert fetch(wire, picture(bomb))[0] == bomb


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        picture(IMAGE) + b"more than was announced",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + IMAGE,
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n" + IMAGE,
        b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n" + IMAGE,
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 1000 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nA: " + b"b" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 " + b"b" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 302 Found\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n" + IMAGE,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    ],
)
def test_broken_answers(wire: Wire, answer: bytes) -> None:
    refused(wire, answer)


def test_received_pieces_are_charged_one_by_one(wire: Wire) -> None:
    sizes: list[int] = []
    data, _ = fetch(wire, picture(bytes(LIMIT)), charge=sizes.append)
    assert sum(sizes) == len(data) == LIMIT


def test_a_refused_charge_ends_the_fetch(wire: Wire) -> None:
    def charge(size: int) -> None:
        raise busy()

    with pytest.raises(MockupError) as caught:
        fetch(wire, picture(bytes(LIMIT)), charge=charge)
    assert caught.value.code is Code.SERVER_BUSY


def test_a_silent_server(wire: Wire) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        await reader.read()

    refused(wire, respond, fetch_total_s=0.2)


def test_a_slow_body(wire: Wire) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)

    refused(wire, respond, fetch_total_s=0.3)


@pytest.mark.parametrize(
    "head", [b"\r\n", b"Content-Length: 100\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"]
)
def test_an_endless_answer(wire: Wire, head: bytes) -> None:
    sent = [0]

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: str) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n" + head)
        piece = b"x" * 4096
        framed = b"1000\r\n" + piece + b"\r\n" if b"chunked" in head else piece
        while not writer.is_closing():
            writer.write(framed)
            sent[0] += len(framed)
            await writer.drain()

    refused(wire, respond)
    # The kernel buffered whatever was sent beyond the limit.
    assert sent[0] < 64 * 2**20


def test_endless_informational_answers(wire: Wire) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        while not writer.is_closing():
            writer.write(b"HTTP/1.1 102 Processing\r\n\r\n")
            await writer.drain()
            await asyncio.sleep(0.001)

    refused(wire, respond, fetch_total_s=0.3)


def test_the_renders_deadline_comes_first(wire: Wire) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        await reader.read()

    with pytest.raises(MockupError) as failure:
        fetch(wire, respond, clock=Clock(0.2))
    assert failure.value.code is Code.RENDER_TIMEOUT


def test_a_leaving_caller_ends_the_fetch(wire: Wire) -> None:
    clock = Clock()
    clock.cancel()
    with pytest.raises(CancelledError):
        fetch(wire, picture(), clock=clock)
    assert wire.attempts == []


def test_requests_contain_only_necessary_headers(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine public.example login a password b\n")
    monkeypatch.setenv("NETRC", str(netrc))

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        first = "GET /a.png" in head
        writer.write(
            picture(b"", "Location: /b.png", "Set-Cookie: a=b; Path=/", status="302 Found")
            if first
            else picture()
        )

    body, here = fetch(wire, respond, url="http://public.example/a.png?token=x#fragment")
    assert body == IMAGE
    assert {address for address, _ in wire.attempts} == {PUBLIC}
    for head, target in zip(here.requests, ["/a.png?token=x", "/b.png"], strict=True):
        line, *fields = head.strip().split("\r\n")
        assert line == f"GET {target} HTTP/1.1"
        headers = dict(one.lower().split(": ", 1) for one in fields)
        assert headers.pop("user-agent").startswith("mockup/")
        assert headers == {
            "host": "public.example",
            "accept": "image/png,image/jpeg,image/webp,image/gif,*/*;q=0.1",
            "accept-encoding": "identity",
            "connection": "close",
        }


TARGETS = [
    "/a.png?sig=A%21b*%27()&u=https%3A%2F%2Fx.y",
    "/b%2Fc%2f%7Ed/~e//f/?g=%40@&h[]=[]&i=%5b%5D+%20+&j",
    "/k;l=1,2/$m&n=o?p?q=/r&&s==%25%zz'\"<>{}|^`",
    "/t?",
]


@pytest.mark.parametrize("target", TARGETS)
def test_an_address_is_sent_as_it_was_given(wire: Wire, target: str) -> None:
    """A signature covers the exact URL, so requests and redirects must not change it."""
    redirected = [target, f"http://public.example{target}", f"//public.example{target}"]

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        writer.write(redirect(redirected.pop(0)) if redirected else picture())

    body, here = fetch(wire, respond, url=f"http://public.example{target}#fragment")
    assert body == IMAGE
    assert [head.split("\r\n")[0] for head in here.requests] == [f"GET {target} HTTP/1.1"] * 4


def test_characters_outside_ascii_are_sent_in_utf8(wire: Wire) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        line = "Location: /\u00fc?\u65e5=%e6\r\n".encode()
        writer.write(b"HTTP/1.1 302 Found\r\n" + line + b"\r\n" if "%C3%A9" in head else picture())

    body, here = fetch(wire, respond, url="http://public.example/\u00e9%c3?%E9=\u20ac")
    assert body == IMAGE
    assert [head.split()[1] for head in here.requests] == [
        "/%C3%A9%c3?%E9=%E2%82%AC",
        "/%C3%BC?%E6%97%A5=%e6",
    ]


def test_an_announced_excess_is_refused_at_once(wire: Wire, capsys: pytest.CaptureFixture[str]) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (LIMIT + 1))
        await reader.read()

    refused(wire, respond)
    assert "Content-Length over the limit" in capsys.readouterr().out


def test_failed_connections_are_refused(wire: Wire, capsys: pytest.CaptureFixture[str]) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        """This function must not be called, because the handshake fails."""

    refused(wire, respond, url="https://public.example/", fetch_connect_s=0.2, fetch_total_s=600)
    assert "ConnectionTimeoutError" in capsys.readouterr().out


def test_nothing_secret_is_logged(wire: Wire, capsys: pytest.CaptureFixture[str]) -> None:
    for answer in (
        picture(status="404 No"),
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 302 F\r\nLocation: http://x y/?s3cret\r\n\r\n",
    ):
        with pytest.raises(MockupError) as failure:
            fetch(wire, answer, url="http://public.example/s3cret?token=s3cret")
        assert "s3cret" not in str(failure.value.details)
    logged = "".join(capsys.readouterr())
    assert "public.example" in logged
    assert "s3cret" not in logged


@pytest.mark.parametrize(("users", "expected"), [("a", 2), ("ab", 2), ("abc", 3)])
def test_the_number_of_parallel_fetches_is_limited(wire: Wire, users: str, expected: int) -> None:
    """The number of fetches at once never exceeds the limit, and a free place goes first to a user who has
    none."""
    now, most = [0], [0]
    full = asyncio.Event()

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        now[0] += 1
        most[0] = max(most[0], now[0])
        if now[0] == expected:
            full.set()
        await full.wait()
        await asyncio.sleep(0.01)
        now[0] -= 1
        writer.write(picture())

    async def scenario() -> None:
        async with site(respond) as here:
            wire.routes = {PUBLIC: here.place}
            fetcher = Fetcher(unhurried(fetch_connections=3), Names(public_example=[PUBLIC]))
            url = "http://public.example/"
            await asyncio.gather(*(fetcher.fetch(url, Clock(PATIENCE_S), user) for user in users * 6))
            await fetcher.close()

    asyncio.run(scenario())
    assert most[0] == expected


def test_slow_servers_of_one_user_keep_nobody_else_waiting(wire: Wire) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        if "/slow" in head:
            await reader.read()
        writer.write(picture())

    async def scenario() -> None:
        async with site(respond) as here:
            wire.routes = {PUBLIC: here.place}
            fetcher = Fetcher(unhurried(fetch_connections=8), Names(public_example=[PUBLIC]))
            slow = [
                asyncio.create_task(fetcher.fetch("http://public.example/slow", Clock(PATIENCE_S), "bob"))
                for _ in range(40)
            ]
            await soon(lambda: len(here.requests) == 4)
            assert await fetcher.fetch("http://public.example/", Clock(PATIENCE_S), "ada") == IMAGE
            assert not any(one.done() for one in slow)
            for one in slow:
                one.cancel()
            await asyncio.gather(*slow, return_exceptions=True)
            assert await fetcher.fetch("http://public.example/", Clock(PATIENCE_S), "bob") == IMAGE
            await fetcher.close()

    asyncio.run(scenario())


@asynccontextmanager
async def occupied(wire: Wire, **given: object) -> AsyncIterator[tuple[Fetcher, Site, asyncio.Event]]:
    """A fetcher whose only connection is taken until the event is set, and the site to which it leads."""
    let_go = asyncio.Event()

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        await let_go.wait()
        writer.write(picture())

    async with site(respond) as here:
        wire.routes = {PUBLIC: here.place}
        fetcher = Fetcher(unhurried(fetch_connections=1, **given), Names(public_example=[PUBLIC]))
        first = asyncio.create_task(fetcher.fetch("http://public.example/", Clock(PATIENCE_S), "ada"))
        await soon(lambda: here.requests)
        yield fetcher, here, let_go
        assert await first == IMAGE
        await fetcher.close()


@pytest.mark.parametrize("comes", [True, False])
def test_waiting_for_a_connection_does_not_count(wire: Wire, comes: bool) -> None:
    """Waiting for a connection takes time neither from the server's limit nor from the render's, but has a
    limit of its own."""

    async def scenario() -> None:
        async with occupied(wire, queue_timeout_s=60 if comes else 0.2) as (fetcher, _, let_go):
            begun = time.perf_counter()
            clock = Clock(PATIENCE_S, started=begun - 5)
            second = asyncio.create_task(fetcher.fetch("http://public.example/", clock, "bob"))
            if comes:
                for _ in range(10):
                    await asyncio.sleep(0)
                waiting = time.perf_counter()
                await asyncio.sleep(0.3)
                waited = time.perf_counter() - waiting
                let_go.set()
                assert await second == IMAGE
                assert 5 <= clock.elapsed <= 5 + time.perf_counter() - begun - waited, "the wait is taken out"
            else:
                with pytest.raises(MockupError) as failure:
                    await second
                assert (failure.value.code, failure.value.retry_after) == (Code.SERVER_BUSY, 1)
                let_go.set()

    asyncio.run(scenario())


def test_a_call_waits_for_a_connection_no_longer_than_for_its_answer(wire: Wire) -> None:
    """A call that may have been lost is repeated, so it must not wait long for a connection."""

    async def scenario() -> None:
        async with occupied(wire) as (fetcher, here, let_go):
            call = fetcher.post("http://public.example/", b"", {}, "bob", 0.1)
            with pytest.raises(RefusedError):
                await asyncio.wait_for(call, 10)
            assert len(here.requests) == 1
            let_go.set()

    asyncio.run(scenario())


def test_a_cancelled_fetch_closes_its_connection(wire: Wire) -> None:
    async def scenario() -> None:
        gone = asyncio.Event()
        begun = asyncio.Event()

        async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
            begun.set()
            await reader.read()
            gone.set()

        async with site(respond) as here:
            wire.routes = {PUBLIC: here.place}
            fetcher = Fetcher(unhurried(), Names(public_example=[PUBLIC]))
            task = asyncio.create_task(fetcher.fetch("http://public.example/", Clock(PATIENCE_S), "ada"))
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.wait_for(gone.wait(), PATIENCE_S)
            await fetcher.close()

    asyncio.run(scenario())


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for public.example, and its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl")
    folder = tmp_path_factory.mktemp("tls")
    command = [
        openssl,
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
    ]
    command += ["-subj", "/CN=public.example", "-addext", "subjectAltName=DNS:public.example"]
    command += ["-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "key.pem").read_text() + (folder / "certificate.pem").read_text())
    return both


async def by_tls(wire: Wire, certificate: Path, host: str, trusted: bool, times: int = 1) -> list[object]:
    """The results of fetches from a server with this certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(picture())
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    wire.routes = {PUBLIC: server.sockets[0].getsockname()}
    tls = ssl.create_default_context(cafile=certificate) if trusted else True
    fetcher = Fetcher(unhurried(), Names(public_example=[PUBLIC], other_example=[PUBLIC]), tls)
    found: list[object] = []
    try:
        for _ in range(times):
            found += await asyncio.gather(
                fetcher.fetch(f"https://{host}/", Clock(PATIENCE_S), "ada"), return_exceptions=True
            )
    finally:
        await fetcher.close()
        server.close()
    return found


@pytest.mark.parametrize(
    ("host", "trusted", "works"),
    [("public.example", True, True), ("public.example", False, False), ("other.example", True, False)],
)
def test_certificates_are_verified(
    wire: Wire, certificate: Path, host: str, trusted: bool, works: bool
) -> None:
    (found,) = asyncio.run(by_tls(wire, certificate, host, trusted))
    assert found == IMAGE if works else isinstance(found, MockupError)
    assert {address for address, _ in wire.attempts} == {PUBLIC}


@pytest.mark.parametrize("present", [True, False])
def test_a_machine_without_authorities_is_reported_once(
    wire: Wire, certificate: Path, monkeypatch: pytest.MonkeyPatch, present: bool
) -> None:
    monkeypatch.setattr(authorities, "found", lambda: "somewhere" if present else "")
    with capture_logs() as logged:
        found = asyncio.run(by_tls(wire, certificate, "public.example", trusted=False, times=3))
    for failure in found:
        assert isinstance(failure, MockupError)
        assert failure.message == FAILED
        assert [detail.message for detail in failure.details] == [FAILED], "callers read nothing of it"
    told = [line for line in logged if line.get("reason") == authorities.MISSING]
    assert len(told) == (0 if present else 1)
    assert sum(line["event"] == "fetch failed" for line in logged) == 3
