"""Failures, overload, deadlines and clients that leave, with renderers that the tests control."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

from service.clock import Clock
from service.errors import Code, Detail, MockupError
from tests.api.application import REQUEST, Application, application
from tests.support.waiting import PATIENCE_S, soon


def waiting(let_go: threading.Event) -> Callable[[Clock], None]:
    """Work that ignores its deadline and ends when the test releases it."""

    def work(clock: Clock) -> None:
        assert let_go.wait(PATIENCE_S)

    return work


def held(app: Application) -> int:
    return int(app.app.state.services.queue.occupied)


def running(app: Application) -> int:
    return int(app.app.state.services.queue.running)


async def test_unexpected_errors_are_500_without_their_cause(tmp_path: Path) -> None:
    def work(clock: Clock) -> None:
        raise RuntimeError("the secret cause at /some/path.py")

    with application(tmp_path) as app:
        app.studio.work = work
        reply = await app.send(key=app.key())
        assert reply.status == 500
        assert reply.json == {
            "success": False,
            "error": {"code": "RENDER_FAILED", "message": "The mockup could not be generated"},
        }
        assert {"x-request-id", "x-ratelimit-remaining", "x-content-type-options"} <= set(reply.headers)


async def test_errors_of_the_studio_keep_their_public_message(tmp_path: Path) -> None:
    def work(clock: Clock) -> None:
        detail = Detail("screenshot.src", "is not an image")
        raise MockupError(Code.INVALID_REQUEST, "Unreadable", (detail, Detail("settings.device", "no")))

    with application(tmp_path) as app:
        app.studio.work = work
        reply = await app.send(key=app.key())
        assert reply.status == 400
        assert reply.json["error"]["details"] == [
            {"path": "screenshot_base64", "message": "is not an image"},
            {"path": "settings.device", "message": "no"},
        ]


async def test_a_scenes_error_that_comes_from_the_project_says_so(tmp_path: Path) -> None:
    def work(clock: Clock) -> None:
        raise MockupError(Code.INVALID_REQUEST, "No", (Detail("settings.orientation", "not offered"),))

    with application(tmp_path) as app:
        app.studio.work = work
        key, accounts = app.key(), app.app.state.services.accounts
        user = accounts.authenticate(key).user_id
        project = accounts.projects.save(user, "turned", {"orientation": "landscape"})
        body = {**REQUEST, "projectId": str(project.id)}
        reply = await app.send(body, key=key)
        assert reply.json["error"]["details"][0]["message"] == "not offered (set by the saved project)"
        reply = await app.send({**body, "settings": {"orientation": "portrait"}}, key=key)
        assert reply.json["error"]["details"][0]["message"] == "not offered"


async def test_full_queue_is_busy(tmp_path: Path) -> None:
    let_go = threading.Event()
    with application(tmp_path, render_threads=1, queue_size=1) as app:
        app.studio.work = waiting(let_go)
        tasks = [asyncio.create_task(app.send(key=app.key())) for _ in range(2)]
        await soon(lambda: held(app) == 2)
        reply = await app.send(key=app.key())
        assert reply.status == 503
        assert reply.json["error"]["code"] == "SERVER_BUSY"
        assert int(reply.headers["retry-after"]) >= 1
        ready = await app.send(key="", method="GET", path="/health/ready")
        assert (ready.status, ready.json["checks"]["queue"]) == (503, False)
        let_go.set()
        assert [reply.status for reply in await asyncio.gather(*tasks)] == [200, 200]


async def test_all_queued_renders_of_a_user_are_made(tmp_path: Path) -> None:
    let_go = threading.Event()
    with application(tmp_path, render_threads=1) as app:
        app.studio.work = waiting(let_go)
        key = app.key()
        tasks = [asyncio.create_task(app.send(key=key)) for _ in range(60)]
        await soon(lambda: held(app) == 60)
        another = asyncio.create_task(app.send(key=app.key()))
        await soon(lambda: held(app) == 61)
        let_go.set()
        assert {reply.status for reply in await asyncio.gather(*tasks, another)} == {200}
        assert held(app) == running(app) == 0


async def test_deadline_while_the_thread_is_busy(tmp_path: Path) -> None:
    let_go = threading.Event()
    with application(tmp_path, render_threads=1, render_timeout_s=0.1) as app:
        app.studio.work = waiting(let_go)
        # On a slow machine, the deadline may pass before the work begins.
        while not app.studio.started.acquire(blocking=False):
            reply = await app.send(key=app.key())
            assert (reply.status, reply.json["error"]["code"]) == (504, "RENDER_TIMEOUT")
        assert running(app) == 1
        let_go.set()
        await soon(lambda: running(app) == 0)


async def test_a_client_that_leaves_stops_its_render(tmp_path: Path) -> None:
    stopped = threading.Event()

    def work(clock: Clock) -> None:
        try:
            while True:
                clock.check()
                threading.Event().wait(0.005)
        finally:
            stopped.set()

    with application(tmp_path, render_threads=1, render_timeout_s=600) as app:
        app.studio.work = work
        left = asyncio.Event()
        task = asyncio.create_task(app.send(key=app.key(), left=left))
        await soon(lambda: app.studio.started.acquire(blocking=False))
        left.set()
        async with asyncio.timeout(PATIENCE_S):
            reply = await task
        assert reply.status == 0
        assert stopped.wait(PATIENCE_S)
        await soon(lambda: running(app) == 0)
