"""The rate limit counts requests that the service was able to process, valid or not, and refunds all
others."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request

from service.api import admission
from service.clock import Clock
from service.errors import Code, MockupError
from tests.api.application import Application, application


def fail(app: Application, code: Code | None) -> None:
    """Make renders fail with `code`."""

    def work(clock: Clock) -> None:
        if code is not None:
            raise MockupError(code, "No", retry_after=1 if code is Code.SERVER_BUSY else None)

    app.studio.work = work


async def test_a_503_is_not_counted(tmp_path: Path) -> None:
    with application(tmp_path, rate_limit=3) as app:
        key = app.key()
        assert (await app.send(key=key)).headers["x-ratelimit-remaining"] == "2"
        fail(app, Code.SERVER_BUSY)
        for _ in range(10):
            reply = await app.send(key=key)
            assert (reply.status, reply.headers["x-ratelimit-remaining"]) == (503, "2")
        fail(app, None)
        replies = [await app.send(key=key) for _ in range(4)]
        assert [reply.status for reply in replies] == [200, 200, 429, 429]
        assert len({reply.headers["x-ratelimit-reset"] for reply in replies}) == 1


@pytest.mark.parametrize("code", [None, Code.INVALID_REQUEST, Code.RENDER_FAILED, Code.RENDER_TIMEOUT])
async def test_all_other_responses_are_counted(tmp_path: Path, code: Code | None) -> None:
    with application(tmp_path, rate_limit=3) as app:
        key = app.key()
        fail(app, code)
        replies = [await app.send(key=key) for _ in range(4)]
        assert [reply.headers["x-ratelimit-remaining"] for reply in replies] == ["2", "1", "0", "0"]
        assert replies[3].status == 429


async def test_all_renders_of_a_film_are_refunded(tmp_path: Path) -> None:
    with application(tmp_path, rate_limit=10) as app:
        headers = [(b"authorization", f"Bearer {app.key()}".encode())]
        request = Request({"type": "http", "app": app.app, "state": {}, "headers": headers, "client": None})
        caller = await admission.admit(request)
        await admission.count_more(request, caller, 5)
        assert request.state.window.remaining == 4
        await admission.refund(request)
        assert request.state.window.remaining == 10
        await admission.refund(request)
        assert (await admission.peek(request)).remaining == 10
