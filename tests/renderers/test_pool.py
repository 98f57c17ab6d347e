"""Renderers as the server has them: real processes, that are shot, stopped and left in the middle."""

from __future__ import annotations

import asyncio
import base64
import errno
import gc
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks.processes import children, named, tree
from service.clock import Clock
from service.config import Config
from service.errors import Code, MockupError
from service.forks import Child, Template
from service.renderers import pool as module
from service.renderers.orders import Order
from service.renderers.pool import Pool
from service.renderers.renderers import Commission
from service.rendering import Rendering
from service.studio import Studio
from tests.pictures import png
from tests.render.posing import settings

pytestmark = pytest.mark.anyio

SMALL = {"canvas.width": 160, "canvas.height": 120}
# Takes a renderer a good part of a second, and looks at its clock often.
SLOW = {"canvas.width": 4000, "canvas.height": 4000, "postProcessing.grain": True}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def opened(processes: int = 1, **options: Any) -> AsyncIterator[Pool]:
    pool = Pool(Config(render_threads=processes, **options))
    pool.warm()
    try:
        yield pool
    finally:
        pool.close()


async def made(pool: Pool, given: dict[str, Any], data: bytes | None = None, **options: Any) -> Rendering:
    clock = options.pop("clock", None) or Clock(60)
    return await pool.render(Commission(data or png(), settings(given), **options), clock)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


def renderers(pool: Pool) -> list[int]:
    return named(pool._template.pid, "renderer")


async def at_work(pool: Pool) -> int:
    """The renderer that has the one order under way, once it has it."""
    await until(lambda: renderers(pool) and any(pool._taker(sent) for sent in pool._sent.values()))
    await asyncio.sleep(0.05)
    return renderers(pool)[0]


async def test_pictures_are_those_of_a_studio() -> None:
    studio = Studio()
    async with opened() as pool:
        for given in (SMALL, SMALL | {"export.format": "jpeg"}, SMALL):
            clock = Clock(60)
            rendering = await made(pool, given, clock=clock)
            expected = studio.render(png(), settings(given), fast=False, clock=Clock())
            assert bytes(rendering.data) == bytes(expected.data)
            assert rendering.mime == expected.mime
            assert rendering.warnings == expected.warnings
            assert {"plate", "queue", "decode", "warp", "compose", "encode"} <= set(clock.stages)
        text = await made(pool, SMALL, text=True)
        assert (
            base64.b64decode(bytes(text.data))
            == studio.render(png(), settings(SMALL), fast=False, clock=Clock()).data
        )
    studio.close()


async def test_previews() -> None:
    async with opened() as pool:
        first = await pool.preview("pixel-9-pro", Clock(60))
        assert bytes(first.data).startswith(b"\x89PNG")
        assert (await pool.preview("pixel-9-pro", Clock(60))).data == first.data
        with pytest.raises(KeyError):
            await pool.preview("nokia-3310", Clock(60))


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


async def test_refusals_come_through_and_cost_no_process() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        before = renderers(pool)
        with pytest.raises(MockupError) as caught:
            await made(pool, SMALL, png()[:60])
        assert caught.value.code is Code.INVALID_REQUEST
        assert [detail.path for detail in caught.value.details] == ["screenshot.src"]
        with pytest.raises(MockupError) as caught:
            await made(pool, SLOW, clock=Clock(0.2))
        assert caught.value.code is Code.RENDER_TIMEOUT
        await made(pool, SMALL)
        assert renderers(pool) == before


async def test_what_nobody_foresaw_is_told_with_its_traceback() -> None:
    async with opened() as pool:
        order = Order("nokia-3310", 0.0, float("inf"), 0.0)
        with pytest.raises(MockupError, match="could not be generated") as caught:
            await pool._made(order, Clock(60))
        assert caught.value.code is Code.RENDER_FAILED
        assert "KeyError: 'nokia-3310'" in str(caught.value.__cause__)
        await made(pool, SMALL)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSEGV])
async def test_an_order_whose_renderer_dies_is_given_to_another(sent: signal.Signals) -> None:
    async with opened() as pool:
        expected = await made(pool, SLOW | {"postProcessing.grain": False})
        job = asyncio.ensure_future(made(pool, SLOW | {"postProcessing.grain": False}))
        victim = await at_work(pool)
        os.kill(victim, sent)
        assert bytes((await job).data) == bytes(expected.data)
        assert victim not in renderers(pool)


async def test_an_order_that_two_renderers_die_of_is_a_failure_and_no_more() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        job = asyncio.ensure_future(made(pool, SLOW))
        for _ in range(module.ATTEMPTS):
            os.kill(await at_work(pool), signal.SIGKILL)
            await asyncio.sleep(0.1)
        with pytest.raises(MockupError) as caught:
            await job
        assert caught.value.code is Code.RENDER_FAILED
        await made(pool, SMALL)


async def test_orders_that_nobody_had_taken_are_not_lost_with_a_renderer() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        asked: list[dict[str, Any]] = [SLOW, SLOW | {"device": "pixel-9-pro"}, SMALL, SMALL, SMALL, SMALL]
        jobs = [asyncio.ensure_future(made(pool, given)) for given in asked]
        os.kill(await at_work(pool), signal.SIGKILL)
        assert all(answer.data for answer in await asyncio.gather(*jobs))
        await until(lambda: not pool._sent)
        assert pool._room._value == 1 + module.AHEAD


async def test_many_orders_survive_the_death_of_a_renderer() -> None:
    """Some are handed out twice then, and none is taken for another that came to be in the same memory."""
    async with opened(2) as pool:
        looks = [SMALL | {"deviceTransform.rotationZ": turn} for turn in range(3)]
        expected = [bytes((await made(pool, look)).data) for look in looks]
        jobs = [asyncio.ensure_future(made(pool, looks[n % 3])) for n in range(120)]
        for _ in range(2):
            await until(lambda: pool._sent and renderers(pool))
            os.kill(renderers(pool)[0], signal.SIGKILL)
            await asyncio.sleep(0.1)
        async with asyncio.timeout(20):
            answers = await asyncio.gather(*jobs)
        assert [bytes(answer.data) for answer in answers] == [expected[n % 3] for n in range(120)]


async def test_the_template_is_replaced_when_it_dies() -> None:
    async with opened(2) as pool:
        await made(pool, SMALL)
        old = pool._template.pid
        os.kill(old, signal.SIGKILL)
        # Its renderers end with it, but may still finish what they are at.
        await made(pool, SMALL)
        await until(lambda: pool._template.pid != old and len(renderers(pool)) == 2)
        await made(pool, SMALL)


async def test_it_is_able_unless_no_renderer_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECOVERY_S", 0.2)
    async with opened(2) as pool:
        assert pool.able
        await made(pool, SMALL)
        start = pool._forked

        def refused() -> Child:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

        monkeypatch.setattr(pool, "_forked", refused)
        for pid in renderers(pool):
            os.kill(pid, signal.SIGKILL)
        await until(lambda: not pool.able)
        waiting = asyncio.ensure_future(made(pool, SMALL))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        monkeypatch.setattr(pool, "_forked", start)
        assert (await waiting).width == 160
        await until(lambda: pool.able)


async def test_a_caller_who_leaves_ends_the_work() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        job = asyncio.ensure_future(made(pool, SLOW))
        waiting = asyncio.ensure_future(made(pool, SLOW | {"device": "pixel-9-pro"}))
        pid = await at_work(pool)
        start = time.perf_counter()
        for task in (job, waiting):
            task.cancel()
        await asyncio.wait({job, waiting})
        assert job.cancelled()
        assert waiting.cancelled()
        assert time.perf_counter() - start < 5
        await made(pool, SMALL)
        assert renderers(pool) == [pid]


async def test_one_who_does_not_end_a_cancelled_picture_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OVERSTAY_S", 0.1)
    async with opened() as pool:
        await made(pool, SMALL)
        job = asyncio.ensure_future(made(pool, SLOW))
        pid = await at_work(pool)
        os.kill(pid, signal.SIGSTOP)
        job.cancel()
        await asyncio.wait({job})
        assert job.cancelled()
        await made(pool, SMALL)
        assert pid not in renderers(pool)


async def test_lines_of_renderers_reach_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        (decoder,) = named(pool._template.pid, "decoder")
        os.kill(decoder, signal.SIGSTOP)
        with caplog.at_level(logging.WARNING):
            await made(pool, SMALL)
    assert "did not take a picture" in caplog.text


async def test_no_processes_or_descriptors_are_left() -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    async with opened(2) as pool:
        await asyncio.gather(*(made(pool, SMALL) for _ in range(4)))
        level = len(os.listdir("/proc/self/fd"))
        for pid in renderers(pool):
            os.kill(pid, signal.SIGKILL)
        await asyncio.gather(*(made(pool, SMALL) for _ in range(20)))
        gc.collect()
        assert len(os.listdir("/proc/self/fd")) <= level
        family = list(tree(pool._template.pid))
        assert len(family) == 5
    assert not any(Path(f"/proc/{pid}").exists() for pid in family)
    del pool
    gc.collect()
    await asyncio.sleep(0)
    assert len(os.listdir("/proc/self/fd")) <= before


async def test_nothing_of_the_environment_reaches_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOCKUP_KEY_SECRET", "not for renderers at all")
    async with opened() as pool:
        await made(pool, SMALL)
        assert isinstance(pool._template, Template)
        for pid in tree(pool._template.pid):
            assert b"not for renderers" not in Path(f"/proc/{pid}/environ").read_bytes()


async def test_renderers_let_the_event_loop_go_first() -> None:
    async with opened() as pool:
        await made(pool, SMALL)
        (pid,) = renderers(pool)
        assert os.sched_getscheduler(pid) == os.SCHED_BATCH
        assert os.sched_getscheduler(0) != os.SCHED_BATCH


async def test_closing_tells_those_who_wait() -> None:
    pool = Pool(Config(render_threads=1))
    job = asyncio.ensure_future(made(pool, SLOW))
    await until(lambda: pool._sent)
    pool.close()
    with pytest.raises(MockupError) as caught:
        await job
    assert caught.value.code is Code.SERVER_BUSY


def test_all_processes_die_with_the_server() -> None:
    script = (
        "import asyncio\nfrom service.config import Config\nfrom service.renderers.pool import Pool\n"
        "async def main():\n    pool = Pool(Config(render_threads=2))\n    pool.warm()\n"
        "    print(pool._template.pid, flush=True)\n    await asyncio.sleep(60)\nasyncio.run(main())"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        pid = int(server.stdout.readline())
        end = time.monotonic() + 20
        while len(family := [pid, *children(pid)]) < 5:
            assert time.monotonic() < end
            time.sleep(0.02)
        server.kill()
    while any(Path(f"/proc/{pid}").exists() for pid in family):
        assert time.monotonic() < end
        time.sleep(0.02)
