"""A full queue refuses requests before doing any work for them, in the documented order of checks if
possible."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.requests import Request

from service.accounts.database import Database
from service.accounts.store import Caller
from service.api import admission
from tests.api.application import Application, application
from tests.support.waiting import soon

UNKNOWN = "sk_live_" + "x" * 43


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Application]:
    with application(tmp_path, rate_limit=5) as made:
        yield made


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every use of the database fail."""

    def forbidden(*_: object) -> None:
        raise AssertionError("the database was asked")

    for name in ("read", "first"):
        monkeypatch.setattr(Database, name, forbidden)


async def test_known_keys_are_refused_without_look_up_or_count(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = app.key()
    assert (await app.send({"nonsense": 1}, key=key)).status == 400
    app.fill()
    with monkeypatch.context() as patch:
        forbid(patch)
        for _ in range(6):
            reply = await app.send({"nonsense": 1}, key=key)
            assert (reply.status, reply.headers["x-ratelimit-remaining"]) == (503, "4")
            assert reply.json["error"]["code"] == "SERVER_BUSY"
            assert int(reply.headers["retry-after"]) >= 1
            assert {"x-request-id", "x-ratelimit-reset", "x-content-type-options"} <= set(reply.headers)
    app.empty()
    assert [(await app.send({"nonsense": 1}, key=key)).status for _ in range(4)] == [400] * 4
    app.fill()
    forbid(monkeypatch)
    assert (await app.send(key=key)).json["code"] == "RATE_LIMITED"


async def test_unused_keys_are_not_looked_up(app: Application, monkeypatch: pytest.MonkeyPatch) -> None:
    key = app.key()
    app.fill()
    forbid(monkeypatch)
    for given in [key, UNKNOWN] * 6:
        reply = await app.send(key=given)
        assert (reply.status, reply.headers["x-ratelimit-remaining"]) == (503, "5"), "not counted"


@pytest.mark.parametrize(("key", "code"), [("", "MISSING_AUTH"), ("nonsense", "INVALID_API_KEY")])
async def test_malformed_keys_are_401_and_later_429(
    app: Application, monkeypatch: pytest.MonkeyPatch, key: str, code: str
) -> None:
    app.fill()
    forbid(monkeypatch)
    replies = [await app.send(key=key) for _ in range(6)]
    assert [reply.status for reply in replies] == [401] * 5 + [429]
    assert replies[0].json["error"]["code"] == code
    assert replies[0].headers["www-authenticate"] == "Bearer"


async def test_an_oversized_body_is_refused_by_its_length(tmp_path: Path) -> None:
    with application(tmp_path, max_body_bytes=1024) as app:
        app.fill()
        assert (await app.send({"x": "y" * 2000}, key=UNKNOWN)).status == 413


async def test_a_revoked_key_is_forgotten(app: Application) -> None:
    key, accounts = app.key(), app.app.state.services.accounts
    assert (await app.send(key=key)).status == 200
    assert accounts.recall(key) is not None
    accounts.keys.revoke(key)
    assert (await app.send(key=key)).status == 401
    assert accounts.recall(key) is None


async def test_requests_are_accepted_once_there_is_room(app: Application) -> None:
    key = app.key()
    app.fill()
    assert (await app.send(key=key)).status == 503
    app.empty()
    assert (await app.send(key=key)).status == 200
    assert (await app.send(key=UNKNOWN)).status == 401
    assert app.app.state.services.queue.occupied == 0


async def test_other_operations_continue(app: Application) -> None:
    key = app.key()
    app.fill()
    for _ in range(20):
        assert (await app.send(key=key, method="GET", path="/api/v1/projects")).status == 200


async def test_one_user_is_refused_while_others_are_not(app: Application) -> None:
    key, other = app.key(), app.key()
    accounts, queue = app.app.state.services.accounts, app.app.state.services.queue
    user = accounts.authenticate(key).owner
    accounts.authenticate(other)
    with ExitStack() as slots:
        while not queue.is_full(user):
            slots.enter_context(queue.slot(user))
        assert (await app.send(key=key)).status == 503
        assert (await app.send(key=other)).status == 200
    assert (await app.send(key=key)).status == 200


async def test_a_refusal_is_a_complete_response(app: Application) -> None:
    key = app.key()
    inside = await app.send(key=key)
    app.fill()
    late = await app.send(key=key)
    assert late.status == 503
    assert set(late.headers) > set(inside.headers) - {"server-timing", "cache-control"}
    assert app.app.state.services.metrics.registry.get_sample_value("mockup_refusal_seconds_count") == 1


async def test_a_free_slot_lets_one_request_in_and_no_crowd(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server lets only one request in, even if the checks of that request take long."""
    keys, checked = [app.key() for _ in range(8)], []
    services = app.app.state.services
    for key in keys:
        services.accounts.authenticate(key)
    admit, open_gate = admission.admit, asyncio.Event()

    async def slow(request: Request) -> Caller:
        checked.append(request)
        await open_gate.wait()
        return await admit(request)

    monkeypatch.setattr(admission, "admit", slow)
    with ExitStack() as slots:
        for number in range(services.queue.capacity - 1):
            slots.enter_context(services.queue.slot(f"user:{number}"))
        sent = [asyncio.ensure_future(app.send(key=key)) for key in keys]
        await soon(lambda: sum(one.done() for one in sent) == len(keys) - 1)
        open_gate.set()
        replies = await asyncio.gather(*sent)
    assert sorted(reply.status for reply in replies) == [200] + [503] * (len(keys) - 1)
    assert len(checked) == 1
