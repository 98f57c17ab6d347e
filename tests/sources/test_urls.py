"""Every hostile URL, with a canary server on loopback and a recorder that stands in for the network."""

from __future__ import annotations

import asyncio

import pytest
from yarl import URL

from service.clock import Clock
from service.config import Config
from service.errors import Code, MockupError
from service.sources import remote
from service.sources.location import parse
from service.sources.refusals import FAILED
from service.sources.remote import Fetcher
from tests.sources.urls import BROKEN, ELSEWHERE, LOOPBACK, NAMES, REACHED
from tests.sources.wire import PUBLIC, Names, Wire, canary, config
from tests.support.looped import looped

HOSTILE = [*LOOPBACK, *BROKEN, *ELSEWHERE]


def names() -> Names:
    resolver = Names()
    resolver.table = dict(NAMES)
    return resolver


async def refused(url: str, wire: Wire, allowed: frozenset[str] = frozenset()) -> MockupError:
    """Fetch a URL. Checks that the canary saw nothing, and the recorder only `allowed` addresses."""
    wire.attempts.clear()
    async with canary() as bird:
        fetcher = Fetcher(config(fetch_ports=frozenset({80, 443, bird.port})), names())
        try:
            with pytest.raises(MockupError) as failure:
                await fetcher.fetch(url.replace("{port}", str(bird.port)), Clock(20), "ada")
        finally:
            await fetcher.close()
        assert {host for host, _ in wire.attempts} <= allowed
        assert bird.seen == 0
        return failure.value


async def reached(url: str, wire: Wire) -> bool:
    async with canary() as bird:
        fetcher = Fetcher(config(fetch_ports=frozenset({80, 443, bird.port})), names())
        try:
            await fetcher.fetch(url.replace("{port}", str(bird.port)), Clock(20), "ada")
        except MockupError:
            pass
        finally:
            await fetcher.close()
        return bool(wire.attempts)


def test_the_table_is_long_and_without_repetition() -> None:
    assert len(HOSTILE) >= 120
    assert len(set(HOSTILE)) == len(HOSTILE)


@looped("url", HOSTILE)
def test_hostile_urls_connect_nowhere(url: str, wire: Wire) -> None:
    failure = asyncio.run(refused(url, wire))
    assert failure.code is Code.INVALID_REQUEST
    ((path, told),) = [(detail.path, detail.message) for detail in failure.details]
    assert path == "screenshot.src"
    # The error names a fault of the URL itself; any other failure gets the same text, FAILED.
    assert failure.message == (FAILED if told == FAILED else f"The screenshot's URL {told}")
    assert told == FAILED or not is_well_formed(url)


@looped("url", HOSTILE)
def test_the_guard_holds_without_the_strict_parser(
    url: str, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "parse", URL)
    # Some URLs put this machine's name into the user part, in front of a public host.
    asyncio.run(refused(url, wire, allowed=frozenset({PUBLIC})))


def test_the_recorder_is_below_the_guard(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    """Without the guard, these URLs do reach the connection, so the tests above would notice a missing
    guard."""
    monkeypatch.setattr(remote, "is_public", lambda address: True)
    missed = []
    for url in filter(is_well_formed, [*LOOPBACK, *ELSEWHERE]):
        wire.attempts.clear()
        if not asyncio.run(reached(url, wire)):
            missed.append(URL(url.replace("{port}", "80")).host)
    # These hosts have no address, or one in an unusual form.
    assert missed == ["odd.example", "zone.example", "empty.example", "unknown.example"]


def is_well_formed(url: str) -> bool:
    try:
        parse(url.replace("{port}", "80"))
    except ValueError:
        return False
    return True


def test_the_canary_notices_requests() -> None:
    async def visit() -> int:
        async with canary() as bird:
            fetcher = Fetcher(config(allow_private_sources=True), names())
            for host in ("127.0.0.1", "127.1.2.3", "localhost", "[::ffff:127.0.0.1]"):
                assert await fetcher.fetch(f"http://{host}:{bird.port}/", Clock(20), "ada") == b"abc"
            await fetcher.close()
            return bird.seen

    assert asyncio.run(visit()) == 4


@pytest.mark.parametrize(("url", "address"), REACHED.items())
def test_the_public_internet_is_reached(url: str, address: str, wire: Wire) -> None:
    assert asyncio.run(reached(url, wire))
    assert wire.attempts == [(address, 80)]


@pytest.mark.parametrize("port", [1, 22, 25, 81, 6379, 8080, 65535])
def test_other_ports_are_refused(port: int, wire: Wire) -> None:
    asyncio.run(refused(f"http://public.example:{port}/", wire))


def test_denied_networks(wire: Wire) -> None:
    async def visit(*urls: str) -> None:
        fetcher = Fetcher(Config.model_validate({"fetch_denied": "93.184.0.0/16, 2606:4700::/32"}), names())
        for url in urls:
            with pytest.raises(MockupError):
                await fetcher.fetch(url, Clock(20), "ada")
        await fetcher.close()

    asyncio.run(visit("http://93.184.215.14/", "http://public.example/", "http://public6.example/"))
    assert wire.attempts == []
    asyncio.run(visit("http://8.8.8.8/"))
    assert wire.attempts == [("8.8.8.8", 80)]
