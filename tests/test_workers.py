from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.clock import CancelledError, Clock
from service.config import Config
from service.errors import Code, MockupError
from service.workers import QUEUE_PER_THREAD, Workers, cpus, quota

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Gate:
    """Work that waits until it is let go."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.opened = threading.Event()

    def __call__(self) -> str:
        self.entered.release()
        assert self.opened.wait(20)
        return "done"


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.opened.set()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


async def test_result_comes_from_a_render_thread() -> None:
    workers = Workers(1, 1, 4)
    assert (await workers.run(lambda: threading.current_thread().name, Clock())).startswith("render")
    await until(lambda: workers.held == 0)
    workers.close()


async def test_full_queue_refuses_at_once(gate: Gate) -> None:
    workers = Workers(1, 1, 4)
    accepted = [asyncio.create_task(workers.run(gate, Clock())) for _ in range(2)]
    await until(lambda: workers.held == 2)
    with pytest.raises(MockupError) as caught:
        await workers.run(gate, Clock())
    assert caught.value.code is Code.SERVER_BUSY
    assert caught.value.retry_after is not None
    assert caught.value.retry_after >= 1
    with pytest.raises(MockupError, match="busy"), workers.seat("anyone"):
        pass
    gate.opened.set()
    assert await asyncio.gather(*accepted) == ["done", "done"]
    await until(lambda: workers.held == 0)
    assert await workers.run(gate, Clock()) == "done"
    workers.close()


def test_one_user_cannot_take_every_place() -> None:
    workers = Workers(4, 4, 2)
    with workers.seat("one"), workers.seat("one"):
        with pytest.raises(MockupError) as caught, workers.seat("one"):
            pass
        assert caught.value.code is Code.SERVER_BUSY
        with workers.seat("another"):
            pass
    with workers.seat("one"):
        pass


async def test_deadline_is_met_however_busy_the_thread(gate: Gate) -> None:
    workers = Workers(1, 1, 4)
    clock = Clock(0.05)
    with pytest.raises(MockupError) as caught:
        await workers.run(gate, clock)
    assert caught.value.code is Code.RENDER_TIMEOUT
    assert workers.held == 1  # the thread is busy still, and its place is taken
    with pytest.raises(CancelledError):
        clock.check()
    gate.opened.set()
    await until(lambda: workers.held == 0)
    workers.close()


async def test_waiting_work_is_dropped_at_its_deadline(gate: Gate) -> None:
    workers = Workers(1, 1, 4)
    busy = asyncio.create_task(workers.run(gate, Clock()))
    await until(lambda: workers.held == 1)
    done = threading.Event()
    with pytest.raises(MockupError):
        await workers.run(done.set, Clock(0.05))
    assert workers.held == 1
    gate.opened.set()
    await busy
    await until(lambda: workers.held == 0)
    assert not done.is_set()
    workers.close()


async def test_a_caller_that_leaves_frees_its_place(gate: Gate) -> None:
    workers = Workers(1, 1, 4)
    busy = asyncio.create_task(workers.run(gate, Clock()))
    await until(lambda: workers.held == 1)
    clock = Clock()
    waiting = asyncio.create_task(workers.run(gate, clock))
    await until(lambda: workers.held == 2)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert waiting.cancelled()
    assert workers.held == 1
    with pytest.raises(CancelledError):
        clock.check()
    gate.opened.set()
    assert await busy == "done"
    workers.close()


async def test_errors_come_through() -> None:
    workers = Workers(1, 1, 4)

    def fails() -> None:
        raise MockupError(Code.INVALID_REQUEST, "no")

    with pytest.raises(MockupError, match="no"):
        await workers.run(fails, Clock())
    with pytest.raises(ZeroDivisionError):
        await workers.run(lambda: 1 / 0, Clock())
    await until(lambda: workers.held == 0)
    workers.close()


async def test_time_in_the_queue_is_a_stage() -> None:
    workers, clock = Workers(1, 1, 4), Clock()
    await workers.run(lambda: None, clock)
    assert clock.stages["queue"] >= 0
    workers.close()


def test_sizes_follow_the_configuration() -> None:
    workers = Workers.from_config(Config(render_threads=3, queue_size=5))
    assert (workers.threads, workers.capacity) == (3, 8)
    workers = Workers.from_config(Config(render_threads=None, queue_size=None))
    assert workers.threads == cpus()
    assert workers.capacity == cpus() * (1 + QUEUE_PER_THREAD)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 0.5),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({}, None),
    ],
)
def test_cpu_quota(tmp_path: Path, files: dict[str, str], expected: float | None) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert quota(tmp_path) == expected
