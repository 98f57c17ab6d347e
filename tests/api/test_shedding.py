"""While the queue is full: refused without any work, in the documented order as far as that goes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.accounts.database import Database
from tests.api.application import Application, application

pytestmark = pytest.mark.anyio
UNKNOWN = "sk_live_" + "x" * 43


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Application]:
    with application(tmp_path, rate_limit=5) as made:
        yield made


def fill(app: Application) -> None:
    queue = app.app.state.parts.queue
    queue._held = queue.capacity


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever asks the database fail."""

    def read(_: Database) -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(Database, "read", read)


async def test_known_keys_are_counted_and_refused_unseen(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = app.key()
    assert (await app.send({"nonsense": 1}, key=key)).status == 400
    fill(app)
    forbid(monkeypatch)
    replies = [await app.send({"nonsense": 1}, key=key) for _ in range(6)]
    assert [reply.status for reply in replies] == [503] * 4 + [429] * 2
    assert [reply.headers["x-ratelimit-remaining"] for reply in replies] == ["3", "2", "1", "0", "0", "0"]
    for reply in replies[:4]:
        assert reply.json["error"]["code"] == "SERVER_BUSY"
        assert int(reply.headers["retry-after"]) >= 1
        assert {"x-request-id", "x-ratelimit-reset", "x-content-type-options"} <= set(reply.headers)
    assert replies[5].json["code"] == "RATE_LIMITED"


async def test_keys_that_nobody_used_lately_are_not_looked_up(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = app.key()
    fill(app)
    forbid(monkeypatch)
    for given in [key, UNKNOWN] * 6:
        reply = await app.send(key=given)
        assert (reply.status, reply.headers["x-ratelimit-remaining"]) == (503, "5"), "not counted"


@pytest.mark.parametrize(("key", "code"), [("", "MISSING_AUTH"), ("nonsense", "INVALID_API_KEY")])
async def test_what_is_no_key_is_401_until_it_is_429(
    app: Application, monkeypatch: pytest.MonkeyPatch, key: str, code: str
) -> None:
    fill(app)
    forbid(monkeypatch)
    replies = [await app.send(key=key) for _ in range(6)]
    assert [reply.status for reply in replies] == [401] * 5 + [429]
    assert replies[0].json["error"]["code"] == code
    assert replies[0].headers["www-authenticate"] == "Bearer"


async def test_too_large_a_body_is_told_by_its_length(tmp_path: Path) -> None:
    with application(tmp_path, max_body_bytes=1024) as app:
        fill(app)
        assert (await app.send({"x": "y" * 2000}, key=UNKNOWN)).status == 413


async def test_a_revoked_key_is_forgotten(app: Application) -> None:
    key, accounts = app.key(), app.app.state.parts.accounts
    assert (await app.send(key=key)).status == 200
    assert accounts.recall(key) is not None
    accounts.keys.revoke(key)
    assert (await app.send(key=key)).status == 401
    assert accounts.recall(key) is None


async def test_once_there_is_room_all_is_as_usual(app: Application) -> None:
    key = app.key()
    fill(app)
    assert (await app.send(key=key)).status == 503
    app.app.state.parts.queue._held = 0
    assert (await app.send(key=key)).status == 200
    assert (await app.send(key=UNKNOWN)).status == 401
    assert not app.app.state.parts.queue._arriving


async def test_other_operations_go_on(app: Application) -> None:
    key = app.key()
    fill(app)
    for _ in range(20):
        assert (await app.send(key=key, method="GET", path="/api/v1/projects")).status == 200


async def test_a_place_is_kept_from_the_head_on(tmp_path: Path) -> None:
    with application(tmp_path, render_threads=1, queue_size=1) as app:
        parts = app.app.state.parts
        keys = [app.key() for _ in range(3)]
        for key in keys:
            parts.accounts.authenticate(key)
        replies = await asyncio.gather(*(app.send(key=key) for key in keys))
        # The third is refused although nobody has a seat yet when it comes.
        assert [reply.status for reply in replies] == [200, 200, 503]
        assert parts.metrics.registry.get_sample_value("mockup_refusal_seconds_count") == 1
        assert (await app.send(key=keys[2])).status == 200


async def test_no_more_come_in_at_once_than_there_is_room_for(tmp_path: Path) -> None:
    with application(tmp_path, render_threads=1, queue_size=1) as app:
        door = app.app.state.door

        def knock(path: str = "/api/v1/mockup", method: str = "POST") -> int:
            scope = {
                "type": "http",
                "method": method,
                "path": path,
                "headers": [],
                "client": ("127.0.0.1", 1),
            }
            answer = door.turn_away(scope | {"state": {}})
            return 200 if answer is None else int(answer.status_code)

        assert [knock() for _ in range(4)] == [200, 200, 401, 401]
        assert knock("/api/v1/projects") == knock(method="GET") == 200
        await asyncio.sleep(0)
        assert knock() == 200, "those two would have their places by now"
        fill(app)
        assert knock() == 401


async def test_the_door_gives_the_whole_answer(app: Application) -> None:
    key = app.key()
    app.app.state.parts.accounts.authenticate(key)
    inside = await app.send(key=key)
    fill(app)
    headers = [(b"authorization", b"Bearer " + key.encode()), (b"x-request-id", b"mine")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/mockup", "client": ("127.0.0.1", 1)}
    answer = app.app.state.door.turn_away(scope | {"headers": headers, "state": {}})
    told = {name.decode(): value.decode() for name, value in answer.raw_headers}
    assert (answer.status_code, told["x-request-id"]) == (503, "mine")
    assert told["content-length"] == str(len(answer.body))
    late = await app.send(key=key)
    assert set(told) == set(late.headers) > set(inside.headers) - {"server-timing", "cache-control"}
