"""Films that are made in the background, and stills: what happens when a client leaves, a fetch fails, or
there is no room."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from service.api import film_stills, film_work, recordings
from service.api.film_work import _Frame, _reported
from service.errors import Detail, refusal
from tests.api.application import application
from tests.api.test_films import asked
from tests.support import pictures
from tests.support.films import submitted
from tests.support.waiting import called_twice, soon

STILLS = {
    "type": "film",
    "screenshot": {"type": "base64", "src": pictures.text()},
    "settings": {"device": "pixel-9-pro", "canvas": {"width": 160, "height": 120}},
    "motion": {"duration": 1},
    "times": [0, 0.5],
}


async def test_stills_are_abandoned_when_their_client_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, begun, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def endless(*_: Any) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(film_stills, "result", endless)
    with application(tmp_path) as app:
        app.studio.forks = object()
        task = asyncio.create_task(app.send(STILLS, key=app.key(), path="/api/v1/films/frames", left=left))
        await soon(lambda: begun.is_set() or task.done())
        assert not task.done(), task.result().body
        left.set()
        assert (await task).status == 0
        await soon(ended.is_set)
        await soon(lambda: not app.app.state.services.queue.running)


async def test_the_recordings_of_a_film_are_fetched_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first error is returned, and ends the other fetches."""
    begun, ended = asyncio.Barrier(3), list[str]()

    async def fetched(services: Any, caller: Any, url: str, path: str) -> None:
        try:
            async with asyncio.timeout(10):
                await begun.wait()
            if url.endswith("/1"):
                raise refusal(Detail(path, "No"))
            await asyncio.Event().wait()
        finally:
            ended.append(path)

    monkeypatch.setattr(recordings, "fetched", fetched)
    sources = [{"type": "url", "src": f"https://example.com/{number}"} for number in range(3)]
    film = asked(devices=[{"recording": one} for one in sources])
    with application(tmp_path) as app:
        app.studio.forks = object()
        reply = await app.send(film, key=app.key(), path="/api/v1/films")
    assert reply.status == 400, reply.body
    paths = [f"devices[{number}].recording.src" for number in range(3)]
    assert [one["path"] for one in reply.json["error"]["details"]] == paths[1:2]
    assert sorted(ended) == paths


async def test_films_are_claimed_again_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_work, "POLL_S", 0.0)
    claim = Mock(side_effect=ValueError("something else"))
    services = Mock(accounts=Mock(films=Mock(claim=claim)), films_wanted=asyncio.Event())
    services.config.films_at_once = 1
    await called_twice(next(film_work.workers(services)), claim)


async def test_a_film_fails_where_its_file_has_no_room(tmp_path: Path) -> None:
    (tmp_path / "uploads").write_bytes(b"a file in place of the folder")
    with application(tmp_path) as app:
        services = app.app.state.services
        films, user = services.accounts.films, services.accounts.users.add("ada@example.com", "pro")
        made = submitted(services.accounts, user)
        await film_work._make(services, object(), films.claim())  # type: ignore[arg-type]
        found = films.find(user.id, made.id)
        assert (found.status, found.outcome["code"]) == ("failed", "SERVER_BUSY")


async def test_progress_is_reported_until_the_film_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film_work, "REPORT_S", 0.01)
    with application(tmp_path) as app:
        services = app.app.state.services
        films, user = services.accounts.films, services.accounts.users.add("ada@example.com", "pro")
        made, at = submitted(services.accounts, user), _Frame()
        work: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        reports = asyncio.create_task(_reported(services, films.claim(), work, at))
        for number in (3, 7):
            at.number = number
            await soon(lambda: reports.done() or films.find(user.id, made.id).frame == at.number)
            assert not reports.done()
        films.cancel(user.id, made.id)
        await soon(reports.done)


@pytest.mark.parametrize("path", ["/api/v1/films", "/api/v1/films/frames"])
async def test_pictures_of_films_are_limited_in_size(tmp_path: Path, path: str) -> None:
    film = {name: value for name, value in STILLS.items() if name != "times" or path.endswith("frames")}
    with application(tmp_path, max_output_pixels=160 * 120 - 1) as app:
        app.studio.forks = object()
        reply = await app.send(film, key=app.key(), path=path)
    assert reply.status == 400
    assert "19199" in reply.body.decode().replace(",", "")
