"""Redirects, and DNS answers that change or mix addresses: the address of every hop is checked at the time of
connecting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from aiohttp.abc import AbstractResolver

from service.clock import Clock
from service.errors import MockupError
from service.sources.refusals import FAILED
from service.sources.remote import Fetcher
from tests.sources.wire import (
    IMAGE,
    PUBLIC,
    PUBLIC_V6,
    Names,
    Rebinding,
    Wire,
    canary,
    config,
    picture,
    redirect,
    site,
)

OTHER = "8.8.8.8"


async def fetch(url: str, resolver: AbstractResolver, *ports: int) -> bytes:
    fetcher = Fetcher(config(fetch_ports=frozenset({80, 443, *ports})), resolver)
    try:
        return await fetcher.fetch(url, Clock(20), "ada")
    finally:
        await fetcher.close()


def names() -> Names:
    return Names(
        public_example=[PUBLIC],
        other_example=[OTHER],
        private_example=["10.0.0.1"],
        loop_example=["127.0.0.1"],
    )


def run_redirect(
    wire: Wire, target: str, status: int = 302, resolver: AbstractResolver | None = None
) -> bytes:
    """Fetch from a public host that redirects to `target` and from another one that serves a picture."""

    async def scenario() -> bytes:
        async with canary() as bird:
            answer = redirect(target.replace("{port}", str(bird.port)), status)
            async with site(answer) as first, site(picture()) as second:
                wire.routes = {PUBLIC: first.place, OTHER: second.place, PUBLIC_V6: second.place}
                try:
                    return await fetch("http://public.example/", resolver or names(), bird.port)
                finally:
                    assert bird.seen == 0

    return asyncio.run(scenario())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("target", ["http://other.example/a", "//other.example/a", "http://8.8.8.8/"])
def test_redirects_to_public_places_are_followed(wire: Wire, status: int, target: str) -> None:
    assert run_redirect(wire, target, status) == IMAGE
    assert wire.attempts == [(PUBLIC, 80), (OTHER, 80)]


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/",
        "//127.0.0.1:{port}/",
        "http://127.1:{port}/",
        "http://2130706433:{port}/",
        "http://0x7f000001:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://localhost:{port}/",
        "http://loop.example:{port}/",
        "http://loop.example/",
        "http://private.example/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://other.example:6379/",
        "http://user:secret@other.example/",
        "https://127.0.0.1:{port}/",
        "file:///etc/hostname",
        "data:image/png;base64,AAAA",
        "ftp://other.example/",
        "gopher://127.0.0.1:{port}/",
        "javascript:1",
        "",
        "http://other.example:99999999/",
        "http://\xff\xfe/",
    ],
)
def test_redirects_to_forbidden_hosts_are_refused(wire: Wire, target: str) -> None:
    with pytest.raises(MockupError) as failure:
        run_redirect(wire, target)
    assert failure.value.details[0].message == FAILED
    assert wire.attempts == [(PUBLIC, 80)]


@pytest.mark.parametrize("status", [300, 304, 305, 306])
def test_other_statuses_are_no_redirects(wire: Wire, status: int) -> None:
    with pytest.raises(MockupError):
        run_redirect(wire, "http://other.example/", status)
    assert wire.attempts == [(PUBLIC, 80)]


def test_a_loop_ends(wire: Wire) -> None:
    with pytest.raises(MockupError):
        run_redirect(wire, "http://public.example/")
    assert wire.attempts == [(PUBLIC, 80)] * 4


@pytest.mark.parametrize(("hops", "arrives"), [(0, True), (3, True), (4, False), (50, False)])
def test_at_most_three_redirects_are_followed(wire: Wire, hops: int, arrives: bool) -> None:
    async def scenario() -> bytes:
        left = [hops]

        async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
            left[0] -= 1
            writer.write(redirect(f"/{left[0]}") if left[0] >= 0 else picture())

        async with site(respond) as here:
            wire.routes = {PUBLIC: here.place}
            return await fetch("http://public.example/", names())

    if arrives:
        assert asyncio.run(scenario()) == IMAGE
    else:
        with pytest.raises(MockupError):
            asyncio.run(scenario())
    assert len(wire.attempts) == min(hops, 3) + 1


@pytest.mark.parametrize(
    "second", [["127.0.0.1"], ["::1"], ["10.0.0.1"], ["169.254.169.254"], [PUBLIC, "127.0.0.1"]]
)
def test_a_name_that_changes_between_hops(wire: Wire, second: list[str]) -> None:
    resolver = Rebinding([PUBLIC], second)
    with pytest.raises(MockupError):
        run_redirect(wire, "http://public.example:{port}/again", resolver=resolver)
    assert wire.attempts == [(PUBLIC, 80)]
    assert resolver.asked == ["public.example", "public.example"]


def test_a_name_is_resolved_once_per_connection(wire: Wire) -> None:
    """The connection uses the address that was checked, because a second look-up could return another."""
    resolver = Rebinding([PUBLIC], ["127.0.0.1"])
    with pytest.raises(MockupError):
        asyncio.run(fetch("http://public.example/", resolver))
    assert resolver.asked == ["public.example"]
    assert wire.attempts == [(PUBLIC, 80)]


def test_a_name_is_resolved_again_for_each_fetch(wire: Wire) -> None:
    async def scenario() -> Rebinding:
        resolver = Rebinding([PUBLIC], ["127.0.0.1"])
        async with site(picture()) as here:
            wire.routes = {PUBLIC: here.place}
            fetcher = Fetcher(config(), resolver)
            assert await fetcher.fetch("http://public.example/", Clock(20), "ada") == IMAGE
            with pytest.raises(MockupError):
                await fetcher.fetch("http://public.example/", Clock(20), "ada")
            await fetcher.close()
        return resolver

    assert asyncio.run(scenario()).asked == ["public.example"] * 2
    assert wire.attempts == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "bad", ["127.0.0.1", "::1", "10.0.0.1", "fd00::1", "::ffff:127.0.0.1", "127.1", "x", "", "2a00::1%lo"]
)
@pytest.mark.parametrize("arrange", [lambda good, bad: [*good, bad], lambda good, bad: [bad, *good]])
def test_mixed_answers_fail_as_a_whole(
    wire: Wire, bad: str, arrange: Callable[[list[str], str], list[str]]
) -> None:
    resolver = Names(mixed_example=arrange([PUBLIC, PUBLIC_V6], bad))
    with pytest.raises(MockupError):
        asyncio.run(fetch("http://mixed.example/", resolver))
    assert wire.attempts == []


@pytest.mark.parametrize("bad", ["127.0.0.1", "::1", "10.0.0.1", "::ffff:169.254.169.254", "127.1"])
def test_sockets_are_guarded_without_the_resolver(
    wire: Wire, bad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last check is of the very address that is passed to `connect`."""

    async def unguarded(self: object, host: str, port: int = 0, family: int = 0) -> object:
        return await Names(mixed_example=[bad]).resolve("mixed.example", port)

    monkeypatch.setattr("service.sources.guard.Guard.resolve", unguarded)
    with pytest.raises(MockupError):
        asyncio.run(fetch("http://mixed.example/", names()))
    assert wire.attempts == []


def test_the_next_address_is_tried(wire: Wire) -> None:
    async def scenario() -> bytes:
        async with site(picture()) as here:
            wire.routes = {OTHER: here.place}
            return await fetch("http://two.example/", Names(two_example=[PUBLIC, OTHER]))

    assert asyncio.run(scenario()) == IMAGE
    assert wire.attempts[-1] == (OTHER, 80)
