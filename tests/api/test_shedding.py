"""Floods while the queue is full: refused unseen, with every header that an answer has."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.api.shedding import BURST
from tests.api.application import application

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a_flood_is_refused_unseen(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        workers, key = app.app.state.parts.workers, app.key()
        looked_at = await app.send({"nonsense": 1}, key=key)
        assert looked_at.status == 400
        workers._held = workers.capacity
        replies = [await app.send({"nonsense": 1}, key=key) for _ in range(int(BURST) + 40)]
        assert {reply.status for reply in replies[: int(BURST)]} == {400}, "the order of checks holds"
        shed = [reply for reply in replies if reply.status != 400]
        assert shed
        for reply in shed:
            assert reply.status == 503
            assert reply.json["error"]["code"] == "SERVER_BUSY"
            assert int(reply.headers["retry-after"]) >= 1
            assert reply.headers["x-ratelimit-limit"] == "60"
            assert {"x-request-id", "x-ratelimit-reset", "x-content-type-options"} <= set(reply.headers)
        workers._held = 0
        assert (await app.send(key=key)).status == 200


async def test_other_operations_go_on(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        workers, key = app.app.state.parts.workers, app.key()
        workers._held = workers.capacity
        for _ in range(int(BURST) + 20):
            assert (await app.send(key=key, method="GET", path="/api/v1/projects")).status == 200
        workers._held = 0
