"""The pool with real renderers, which the tests kill, stop and abandon at work."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import errno
import gc
import logging
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from service.clock import Clock
from service.codec.sandbox import messages as decoders
from service.config import Config
from service.engine.request import DevicePreview, RenderRequest, ScreenshotId, by_digest
from service.engine.studio import Studio
from service.errors import Code, MockupError
from service.limits import RENDER_ATTEMPTS, RENDERS_AHEAD
from service.processes import supervisor
from service.processes.forks import Child, ForkServer
from service.settings.rendering import Rendering
from service.workers import pool as module
from service.workers import screenshot_cache
from service.workers.fork_server import RENDERER
from service.workers.pending_job import PendingJob
from service.workers.pool import Pool
from tests.codec.forms import FORMS
from tests.render.posing import settings
from tests.support import drawn
from tests.support.pictures import png
from tests.support.processes import children, named, send, stop, tree
from tests.support.requests import prepared
from tests.support.same import same
from tests.support.shared_forks import SharedForks
from tests.support.waiting import PATIENCE_S, soon, until
from tests.support.windows import file, window

pytestmark = pytest.mark.long

SMALL = {"canvas.width": 160, "canvas.height": 120}
# This picture keeps a renderer busy for some tenths of a second, in which it often checks its clock.
SLOW = {"canvas.width": 2400, "canvas.height": 2400, "postProcessing.grain": True}


@cache
def shared() -> SharedForks:
    return SharedForks(decoders.KIND, RENDERER, drawn.KIND)


@pytest.fixture(scope="module", autouse=True)
def ended() -> Iterator[None]:
    """End the fork server of this file's pools after the tests."""
    yield
    if shared.cache_info().currsize:
        shared().end()
        shared.cache_clear()


@asynccontextmanager
async def opened(processes: int = 1, *, apart: bool = False, **options: Any) -> AsyncIterator[Pool]:
    """A pool, with its own fork server if `apart`."""
    pool = Pool(Config(render_threads=processes, **options), None if apart else shared())
    pool.warm()
    try:
        yield pool
    finally:
        pool.close()


async def made(pool: Pool, given: dict[str, Any], data: bytes | None = None, **options: Any) -> Rendering:
    clock = options.pop("clock", None) or Clock(60)
    return await pool.render(prepared(data or png(), settings(given), **options), clock)


def renderers(pool: Pool) -> list[int]:
    return named(pool.fork_server.pid, "renderer")


def number(child: Child) -> int:
    """The pid of the process behind a pidfd; -1 if it has ended."""
    lines = Path(f"/proc/self/fdinfo/{child.pidfd}").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))


def under_way(pool: Pool) -> list[tuple[PendingJob, Child]]:
    """The jobs that renderers are working on, as far as the server knows."""
    pairs = [(sent, pool.renderers.child(sent.owner)) for sent in pool.pending.values()]
    return [(sent, child) for sent, child in pairs if child and child.is_connected and not sent.result.done()]


def at_work_again(pool: Pool) -> set[int]:
    """The renderers that are working on a job after another renderer has died on it."""
    return {number(child) for sent, child in under_way(pool) if sent.attempts > 1}


async def halted(pool: Pool) -> int:
    """Stop a renderer in the middle of a job. Returns its pid, or 0 if no renderer was at work."""
    for sent, child in under_way(pool):
        pid = number(child)
        if not stop(pid):
            continue
        # The renderer may already have sent its reply.
        while child.channel.fileno() >= 0 and select.select([child.channel], [], [], 0)[0]:
            await asyncio.sleep(0)
        if not sent.result.done():
            return pid
        send(pid, signal.SIGCONT)
    return 0


async def caught(pool: Pool, given: dict[str, Any]) -> tuple[asyncio.Future[Rendering], int]:
    """A picture, and the renderer that is stopped in the middle of it."""
    while True:
        job = asyncio.ensure_future(made(pool, given))
        while not job.done():
            if pid := await halted(pool):
                return job, pid
            await asyncio.sleep(0.001)
        await job


def end(pid: int, sent: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal that ends a process, and continue the process so that it dies even if it was stopped."""
    send(pid, sent)
    with contextlib.suppress(ProcessLookupError):
        send(pid, signal.SIGCONT)


async def test_pictures_are_those_of_a_studio() -> None:
    studio = Studio()
    async with opened() as pool:
        for given in (SMALL, SMALL | {"export.format": "jpeg"}, SMALL):
            clock = Clock(60)
            rendering = await made(pool, given, clock=clock)
            expected = studio.render(prepared(png(), settings(given)), Clock())
            assert same(bytes(rendering.data), bytes(expected.data))
            assert rendering.mime == expected.mime
            assert rendering.warnings == expected.warnings
            assert {"plate", "queue", "decode", "warp", "compose", "encode"} <= set(clock.stages)
        text = await made(pool, SMALL, text=True)
        expected = studio.render(prepared(png(), settings(SMALL)), Clock())
        assert base64.b64decode(bytes(text.data)) == expected.data
    studio.close()


async def test_previews() -> None:
    async with opened() as pool:
        first = await pool.draw(DevicePreview("pixel-9-pro"), Clock(60))
        assert bytes(first.data).startswith(b"\x89PNG")
        assert (await pool.draw(DevicePreview("pixel-9-pro"), Clock(60))).data == first.data
        with pytest.raises(MockupError) as caught:
            await pool.draw(DevicePreview("nokia-3310"), Clock(60))
        assert caught.value.code is Code.RENDER_FAILED


async def test_renderers_share_their_plates() -> None:
    async with opened(2) as pool:
        answers = await asyncio.gather(*(made(pool, SMALL) for _ in range(8)))
        assert len({bytes(answer.data) for answer in answers}) == 1
        assert (pool.plates.hits, pool.plates.misses) == (7, 1), "all but one waited for it"
        await asyncio.gather(*(made(pool, SMALL) for _ in range(8)))
        assert (pool.plates.hits, pool.plates.misses) == (15, 1)


async def test_plates_that_do_not_fit_are_not_kept() -> None:
    async with opened(cache_bytes=1000) as pool:
        answers = await asyncio.gather(*(made(pool, SMALL) for _ in range(3)))
        assert len({bytes(answer.data) for answer in answers}) == 1
        assert pool.plates.nbytes == 0


def sent(data: bytes, given: dict[str, Any] = SMALL, id: ScreenshotId | None = None) -> RenderRequest:
    return prepared(data, settings(given), id=id)


async def test_a_screenshot_that_comes_again_is_decoded_once() -> None:
    data, upload = png(600, 1300), ScreenshotId("user:a", "upload", uploaded=True)
    async with opened() as pool:
        expected = (await made(pool, SMALL, data)).data
        first = await pool.render(sent(data, id=upload), Clock(60))
        screenshot = pool.screenshots.find(upload)
        assert screenshot is not None
        assert screenshot.replaces_file
        again = prepared(b"", settings(SMALL), id=upload, known=screenshot.known)
        second = await pool.render(again, Clock(60), (screenshot,))
        # Users who send the file itself also get the cached screenshot.
        third = await pool.render(sent(data, id=upload), Clock(60))
        assert {bytes(one.data) for one in (first, second, third)} == {bytes(expected)}
        assert (pool.screenshots.hits, pool.screenshots.misses) == (2, 1)


async def test_the_same_bytes_are_kept_when_they_come_again() -> None:
    data = png(600, 1300)
    async with opened(2) as pool:
        for _ in range(3):
            await pool.render(sent(data, id=by_digest("user:a", data)), Clock(60))
        await pool.render(sent(data, id=by_digest("user:b", data)), Clock(60))
        assert (pool.screenshots.hits, pool.screenshots.misses) == (1, 3)
        assert pool.screenshots.nbytes == 600 * 1300 * 3
        await made(pool, SMALL, data)
        assert (pool.screenshots.hits, pool.screenshots.misses) == (1, 3), "nobody's screenshots are not kept"


@pytest.mark.parametrize("fast", [True, False])
async def test_a_kept_screenshot_gives_the_same_bytes(fast: bool) -> None:
    data = png(601, 1303)
    studio = Studio()
    expected = studio.render(prepared(data, settings(SMALL), fast=fast), Clock())
    studio.close()
    async with opened() as pool:
        for _ in range(4):
            request = prepared(data, settings(SMALL), fast=fast, id=by_digest("user:a", data))
            assert same(bytes((await pool.render(request, Clock(60))).data), bytes(expected.data))
        assert pool.screenshots.hits == 2


async def test_a_jpeg_is_decoded_again_for_another_size() -> None:
    data, upload = FORMS["jpeg"](1200, 2600), ScreenshotId("user:a", "upload", uploaded=True)
    large = SMALL | {"canvas.width": 1600, "canvas.height": 1200}
    shapes, expected, found = [], [], []
    async with opened() as pool:
        for given in (SMALL, large, SMALL, SMALL):
            expected.append(bytes((await made(pool, given, data)).data))
            found.append(bytes((await pool.render(sent(data, given, upload), Clock(60))).data))
            screenshot = pool.screenshots.find(upload)
            assert screenshot is not None
            assert not screenshot.replaces_file
            shapes.append(screenshot.shape)
    assert found == expected
    assert shapes[0] == shapes[2] == shapes[3]
    assert shapes[0][0] < shapes[1][0]


async def test_screenshots_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screenshot_cache, "KEPT_S", 0.2)
    async with opened() as pool:
        upload = ScreenshotId("user:a", "upload", uploaded=True)
        await pool.render(sent(png(), id=upload), Clock(60))
        await soon(lambda: not pool.screenshots.nbytes)
        await pool.render(sent(png(), id=upload), Clock(60))
        await soon(lambda: not pool.screenshots.nbytes)


async def test_no_screenshots_are_kept_without_room() -> None:
    async with opened(screenshot_cache_bytes=0) as pool:
        upload = ScreenshotId("user:a", "upload", uploaded=True)
        for _ in range(2):
            await pool.render(sent(png(), id=upload), Clock(60))
        assert (pool.screenshots.hits, pool.screenshots.nbytes) == (0, 0)


async def test_a_kept_screenshot_survives_the_death_of_a_renderer() -> None:
    upload = ScreenshotId("user:a", "upload", uploaded=True)
    async with opened() as pool:
        expected = await pool.render(sent(png(), SLOW, upload), Clock(60))
        while True:
            job = asyncio.ensure_future(pool.render(sent(png(), SLOW, upload), Clock(60)))
            while not job.done() and not (pid := await halted(pool)):
                await asyncio.sleep(0.001)
            if not job.done():
                break
        end(pid)
        assert same(bytes((await job).data), bytes(expected.data))
        assert pid not in renderers(pool)


async def test_refusals_come_through_and_cost_no_process() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        before = renderers(pool)
        with pytest.raises(MockupError) as failure:
            await made(pool, SMALL, png()[:60])
        assert failure.value.code is Code.INVALID_REQUEST
        assert [detail.path for detail in failure.value.details] == ["screenshot.src"]
        with pytest.raises(MockupError) as failure:
            await made(pool, SMALL, clock=Clock(0.0001))
        assert failure.value.code is Code.RENDER_TIMEOUT
        await made(pool, SMALL)
        assert renderers(pool) == before


async def test_waiting_for_a_renderer_does_not_count_for_the_deadline() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        (pid,) = renderers(pool)
        assert stop(pid)
        clock = Clock(60)
        job = asyncio.ensure_future(made(pool, SMALL, clock=clock))
        await soon(lambda: pool.pending)
        left = clock.remaining
        await asyncio.sleep(0.5)
        assert clock.remaining > left - 0.1
        send(pid, signal.SIGCONT)
        await job
        # This is the time that the renderer worked, without the time for which it was stopped.
        assert clock.worked > 0
        assert clock.elapsed < 60 - left + clock.worked + 0.1
        assert clock.stages["queue"] >= 500


async def test_unexpected_errors_come_with_their_traceback() -> None:
    async with opened() as pool:
        with pytest.raises(MockupError, match="could not be generated") as caught:
            await pool.draw(DevicePreview("nokia-3310"), Clock(60))
        assert caught.value.code is Code.RENDER_FAILED
        assert "KeyError: 'nokia-3310'" in str(caught.value.__cause__)
        await made(pool, SMALL)


# A renderer dies of either; the parent learns of it in the same way.
@pytest.mark.parametrize("sent", [signal.SIGKILL, pytest.param(signal.SIGSEGV, marks=pytest.mark.thorough)])
async def test_a_job_whose_renderer_dies_is_given_to_another(sent: signal.Signals) -> None:
    async with opened() as pool:
        expected = await made(pool, SLOW | {"postProcessing.grain": False})
        job, victim = await caught(pool, SLOW | {"postProcessing.grain": False})
        end(victim, sent)
        assert same(bytes((await job).data), bytes(expected.data))
        assert victim not in renderers(pool)


async def test_a_job_fails_after_two_renderers_died_on_it() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        deaths = 0
        while deaths < RENDER_ATTEMPTS:
            job, pid = await caught(pool, SLOW)
            end(pid)
            deaths = 1
            while deaths < RENDER_ATTEMPTS and not job.done():
                if pid := await halted(pool):
                    end(pid)
                    deaths += 1
                await asyncio.sleep(0.001)
        with pytest.raises(MockupError) as failure:
            await job
        assert failure.value.code is Code.RENDER_FAILED
        await made(pool, SMALL)


async def test_jobs_that_nobody_had_taken_are_not_lost_with_a_renderer() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        first, pid = await caught(pool, SLOW)
        asked: list[dict[str, Any]] = [SLOW | {"device": "pixel-9-pro"}, SMALL, SMALL, SMALL, SMALL]
        jobs = [first, *(asyncio.ensure_future(made(pool, given)) for given in asked)]
        await soon(lambda: len(pool.pending) == 1 + RENDERS_AHEAD)
        end(pid)
        assert all(answer.data for answer in await asyncio.gather(*jobs))
        # All memory for jobs has been returned.
        first, pid = await caught(pool, SLOW)
        jobs = [first, *(asyncio.ensure_future(made(pool, SMALL)) for _ in range(4))]
        await soon(lambda: len(pool.pending) == 1 + RENDERS_AHEAD)
        send(pid, signal.SIGCONT)
        await asyncio.gather(*jobs)


async def test_many_jobs_survive_the_death_of_a_renderer() -> None:
    """The pool hands out some jobs twice, but never mistakes a job for a later one in the same memory."""
    async with opened(2) as pool:
        looks = [SMALL | {"deviceTransform.rotationZ": turn} for turn in range(3)]
        expected = [bytes((await made(pool, look)).data) for look in looks]
        jobs: list[asyncio.Future[Rendering]] = []
        deaths = 0
        while deaths < 2:
            # Request pictures until both renderers have died in the middle of one.
            while sum(not job.done() for job in jobs) < 40:
                jobs.append(asyncio.ensure_future(made(pool, looks[len(jobs) % 3])))
            if pid := await halted(pool):
                if pid in at_work_again(pool):
                    # The pool gives up a picture after a second renderer has died on it.
                    send(pid, signal.SIGCONT)
                else:
                    end(pid)
                    deaths += 1
            await asyncio.sleep(0.001)
        answers = await asyncio.gather(*jobs)
        assert [bytes(answer.data) for answer in answers] == [expected[n % 3] for n in range(len(jobs))]


async def test_the_fork_server_is_replaced_when_it_dies() -> None:
    async with opened(2, apart=True) as pool:
        await made(pool, SMALL)
        old = pool.fork_server.pid
        send(old, signal.SIGKILL)
        # The pool's renderers end with it, but may first finish the job that they are working on.
        await made(pool, SMALL)
        await soon(lambda: pool.fork_server.pid != old and len(renderers(pool)) == 2)
        await made(pool, SMALL)


async def test_pictures_fail_where_no_renderer_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers fail at once, for example if a library is missing or the kernels are outdated; none waits for a
    time-out."""
    monkeypatch.setattr(supervisor, "RECOVERY_S", 0.1)
    pool = Pool(Config(render_threads=2), ForkServer("service.processes.nowhere"))
    try:
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(MockupError) as failure:
                await made(pool, SMALL)
        assert failure.value.code is Code.RENDER_FAILED
        assert "No module named 'service.processes.nowhere'" in str(failure.value.__cause__)
        assert not pool.up
    finally:
        pool.close()


async def test_nobody_waits_for_a_fork_server_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "RECOVERY_S", 0.1)
    async with opened(2, apart=True) as pool:
        await made(pool, SMALL)
        pool.fork_server.close()
        await soon(lambda: not pool.up)
        with pytest.raises(MockupError, match="shutting down"):
            await made(pool, SMALL)


async def test_the_pool_is_up_unless_no_renderer_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "RECOVERY_S", 0.2)
    async with opened(2, apart=True) as pool:
        assert pool.up
        await made(pool, SMALL)

        def refused(*_: object) -> Child:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

        monkeypatch.setattr(pool.fork_server, "fork", refused)
        for pid in renderers(pool):
            send(pid, signal.SIGKILL)
        await soon(lambda: not pool.up)
        waiting = asyncio.ensure_future(made(pool, SMALL))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        monkeypatch.delattr(pool.fork_server, "fork")
        assert (await waiting).width == 160
        await soon(lambda: pool.up)


async def test_a_caller_who_leaves_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    # The renderers are stopped for longer than a slow machine could take.
    monkeypatch.setattr(module, "OVERSTAY_S", 600.0)
    async with opened() as pool:
        await made(pool, SMALL)
        for _ in range(20):
            job, pid = await caught(pool, SLOW)
            waiting = asyncio.ensure_future(made(pool, SLOW | {"device": "pixel-9-pro"}))
            await soon(lambda: len(pool.pending) == 2)
            for task in (job, waiting):
                task.cancel()
            await soon(lambda: all(sent.cancelled for sent in pool.pending.values()))
            pending = list(pool.pending.values())
            send(pid, signal.SIGCONT)
            await asyncio.wait({job, waiting})
            assert job.cancelled()
            assert waiting.cancelled()
            assert renderers(pool) == [pid]
            # A renderer at its very last step may finish it all the same.
            if all(sent.result.result() is None for sent in pending):
                break
        else:
            pytest.fail("pictures that nobody waits for were finished")
        await made(pool, SMALL)
        assert renderers(pool) == [pid]


async def test_a_renderer_that_ignores_a_cancellation_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OVERSTAY_S", 0.1)
    async with opened() as pool:
        await made(pool, SMALL)
        # A renderer that was killed is replaced at once, even soon after its start. If it had died by itself
        # so soon, the pool would wait.
        for _ in range(2):
            job, pid = await caught(pool, SLOW)
            job.cancel()
            await asyncio.wait({job})
            assert job.cancelled()
            await made(pool, SMALL)
            assert pid not in renderers(pool)
            assert pool.up


async def test_a_job_that_was_cancelled_twice_leaves_no_message() -> None:
    """Ctrl-C cancels a command's jobs, closes the pool, and cancels what is left over."""
    told: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["message"]))
    async with opened() as pool:
        job, pid = await caught(pool, SLOW)
        job.cancel()
        await soon(lambda: all(sent.cancelled for sent in pool.pending.values()))
    job.cancel()
    await asyncio.wait({job})
    assert job.cancelled()
    with contextlib.suppress(ProcessLookupError):
        send(pid, signal.SIGCONT)
    del job
    gc.collect()
    assert told == []


async def test_lines_of_renderers_reach_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        (decoder,) = named(pool.fork_server.pid, "decoder")
        send(decoder, signal.SIGSTOP)
        with caplog.at_level(logging.WARNING):
            await made(pool, SMALL)
    assert "did not take a picture" in caplog.text


async def test_no_processes_or_descriptors_are_left() -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    async with opened(2, apart=True) as pool:
        await asyncio.gather(*(made(pool, SMALL) for _ in range(4)))
        level = len(os.listdir("/proc/self/fd"))
        for pid in renderers(pool):
            send(pid, signal.SIGKILL)
        # Repeat until both new renderers have had a picture, and so have a decoder.
        while len(family := tree(pool.fork_server.pid)) < 5:
            await asyncio.gather(*(made(pool, SMALL) for _ in range(20)))
        gc.collect()
        assert len(os.listdir("/proc/self/fd")) <= level
        assert len(family) == 5
    await soon(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))
    del pool
    gc.collect()
    await asyncio.sleep(0)
    assert len(os.listdir("/proc/self/fd")) <= before


async def test_no_environment_variable_reaches_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOCKUP_KEY_SECRET", "not for renderers at all")
    async with opened(apart=True) as pool:
        await made(pool, SMALL)
        assert isinstance(pool.fork_server, ForkServer)
        for pid in tree(pool.fork_server.pid):
            assert b"not for renderers" not in Path(f"/proc/{pid}/environ").read_bytes()


async def test_renderers_let_the_event_loop_go_first() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        (pid,) = renderers(pool)
        assert os.sched_getscheduler(pid) == os.SCHED_BATCH
        assert os.sched_getscheduler(0) != os.SCHED_BATCH


async def test_closing_refuses_waiting_callers() -> None:
    pool = Pool(Config(render_threads=1))
    job = asyncio.ensure_future(made(pool, SLOW))
    await soon(lambda: pool.pending)
    pool.close()
    with pytest.raises(MockupError) as caught:
        await job
    assert caught.value.code is Code.SERVER_BUSY


def test_all_processes_die_with_the_server() -> None:
    script = (
        "import asyncio\nfrom service.config import Config\nfrom service.workers.pool import Pool\n"
        "async def main():\n    pool = Pool(Config(render_threads=2))\n    pool.warm()\n"
        "    print(pool.fork_server.pid, flush=True)\n    await asyncio.sleep(60)\nasyncio.run(main())"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        pid = int(server.stdout.readline())
        until(lambda: len(children(pid)) == 4)
        family = [pid, *children(pid)]
        server.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


async def test_a_windows_screenshot_is_decoded_once_and_its_plate_kept() -> None:
    data, given = file(window((400, 300))), SMALL | {"device": "auto"}
    upload = ScreenshotId("user:a", "upload", uploaded=True)
    async with opened() as pool:
        first = await pool.render(prepared(data, settings(given), id=upload), Clock(60))
        screenshot = pool.screenshots.find(upload)
        assert screenshot is not None
        assert screenshot.content is not None
        assert screenshot.content.window
        # The upload is known to show a window, so its plate is planned right from the start.
        again = prepared(b"", settings(given), id=upload, known=screenshot.known)
        assert again.supposed is None
        second = await pool.render(again, Clock(60), (screenshot,))
        plates = pool.plates.misses
        third = await pool.render(prepared(data, settings(given), id=upload), Clock(60))
        assert pool.plates.misses == plates
        assert {one.device for one in (first, second, third)} == {"card"}
        assert {bytes(one.data) for one in (first, second, third)} == {bytes(first.data)}
        assert pool.screenshots.misses == 1


async def test_a_supposed_plate_is_not_shown_for_another() -> None:
    """A cached plate for the shape of the whole screenshot does not fit the window within it."""
    given = SMALL | {"device": "card"}
    opaque = png(520, 430)
    async with opened() as pool:
        await pool.render(prepared(opaque, settings(given)), Clock(60))
        pixels = window((400, 300))
        assert pixels.shape[1::-1] == (520, 430)
        shown = await pool.render(prepared(file(pixels), settings(given)), Clock(60))
        studio = Studio()
        try:
            expected = studio.render(prepared(file(pixels), settings(given)), Clock())
        finally:
            studio.close()
        assert bytes(shown.data) == bytes(expected.data)
