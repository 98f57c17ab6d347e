"""The rate limit counts requests that the service was able to process, valid or not, and refunds all
others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from service.api import films
from service.clock import Clock
from service.errors import Code, MockupError, busy
from service.films.messages import Begun
from service.limits import FRAMES_A_RENDER
from tests.api.application import Application, application
from tests.api.test_films import asked


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


@pytest.mark.parametrize(("limit", "status"), [(10, 503), (1, 429)])
async def test_all_renders_of_a_refused_film_are_refunded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, status: int
) -> None:
    """If a film's further renders are refused, the render that admitted it is refunded, too."""
    with application(tmp_path, rate_limit=limit) as app:
        key, accounts = app.key(), app.app.state.services.accounts
        app.studio.forks = object()
        (tmp_path / "recording").write_bytes(b"recorded")
        (user,) = accounts.users.list()
        size = {"width": 96, "height": 160, "length": 5.0, "fps": 25}
        recording = accounts.recordings.save(user.id, tmp_path / "recording", **size)

        async def checked(*_: Any) -> Begun:
            return Begun(5 * FRAMES_A_RENDER, 25, 160, 120)

        def submit(*_: Any) -> None:
            raise busy()

        monkeypatch.setattr(films, "result", checked)
        monkeypatch.setattr(accounts.films, "submit", submit)
        for _ in range(2):
            reply = await app.send(asked(str(recording.id)), key=key, path="/api/v1/films")
            assert (reply.status, reply.headers["x-ratelimit-remaining"]) == (status, str(limit)), reply.body
        assert (await app.send(key=key)).headers["x-ratelimit-remaining"] == str(limit - 1)
