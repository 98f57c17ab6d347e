from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from service.clock import CancelledError, Clock
from service.config import Config
from service.container import renders_at_once
from service.errors import Code, MockupError
from service.workers import IDLE_BYTES, LEAST_BYTES, MEMORY_SHARE, NICE, QUEUE_PER_THREAD, Workers

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


def test_places_are_kept_until_they_are_seats() -> None:
    workers = Workers(1, 1, 2)
    with workers.place("one") as place:
        assert not workers.full
        with workers.place("another"):
            assert workers.full
            with pytest.raises(MockupError), workers.seat("a third"):
                pass
            with workers.seat("one", place):
                assert workers.full, "a place and the seat it became are one"
        assert not workers.full
    with workers.place("one"), workers.seat("one"):
        assert workers.full


def test_a_place_is_not_kept_while_the_client_is_waited_for() -> None:
    workers = Workers(1, 0, 4)
    with workers.place("one") as place:
        with workers.away(place):
            assert not workers.full
        assert workers.full
        away = workers.away(place)
        away.__enter__()
        with workers.seat("another"), pytest.raises(MockupError) as caught:
            away.__exit__(None, None, None)
        assert caught.value.code is Code.SERVER_BUSY
    assert not workers.full


def test_one_user_cannot_have_every_place_kept() -> None:
    workers = Workers(4, 4, 2)
    with workers.place("one") as first, workers.seat("one", first), workers.place("one") as second:
        assert not first.kept
        assert second.kept
        with workers.place("one") as third, workers.place("another") as other:
            assert not third.kept
            assert other.kept
    with workers.place("one") as again:
        assert again.kept


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux alone")
async def test_render_threads_let_the_event_loop_go_first() -> None:
    def standing() -> tuple[int, int]:
        thread = threading.get_native_id()
        return os.getpriority(os.PRIO_PROCESS, thread), os.sched_getscheduler(thread)

    workers = Workers(1, 1, 4)
    own, seen = standing(), await workers.run(standing, Clock())
    assert seen == (min(19, own[0] + NICE), os.SCHED_BATCH)
    assert own[1] != os.SCHED_BATCH
    workers.close()


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
    assert workers.threads == renders_at_once()
    assert workers.capacity == renders_at_once() * (1 + QUEUE_PER_THREAD)


def test_memory_follows_the_configuration() -> None:
    workers = Workers.from_config(Config(memory_bytes=2**30, cache_bytes=2**27))
    assert workers.room == MEMORY_SHARE * 2**30 - IDLE_BYTES - 2**27
    assert Workers.from_config(Config(memory_bytes=2**26)).room == LEAST_BYTES


async def test_work_is_admitted_by_its_memory(gate: Gate) -> None:
    workers = Workers(2, 8, 4, room=100)
    small = [asyncio.create_task(workers.run(gate, Clock(), (5, 20))) for _ in range(4)]
    await until(lambda: workers.held == 4)  # 4 wait with 5 each, and 2 run with 20 each: 60
    with pytest.raises(MockupError) as caught:
        await workers.run(gate, Clock(), (5, 60))  # 25 + 60 + 20
    assert caught.value.code is Code.SERVER_BUSY
    assert caught.value.retry_after is not None
    accepted = asyncio.create_task(workers.run(gate, Clock(), (5, 50)))
    await until(lambda: workers.held == 5)
    gate.opened.set()
    assert await asyncio.gather(*small, accepted) == ["done"] * 5
    await until(lambda: workers.held == 0)
    workers.close()


def test_bodies_on_their_way_share_their_memory() -> None:
    workers = Workers(1, 1, 4, room=400)
    with workers.receiving() as one:
        one(90)
        one(90)  # alone, a body may be as large as it likes
        with workers.receiving() as two:
            with pytest.raises(MockupError) as caught:
                two(1)
            assert caught.value.code is Code.SERVER_BUSY
    with workers.receiving() as one, workers.receiving() as two:
        one(50)
        two(50)
        with pytest.raises(MockupError):
            one(1)
    with workers.receiving() as one, workers.receiving() as two:
        one(99)
        two(1)


async def test_alone_any_work_is_let_in(gate: Gate) -> None:
    workers = Workers(2, 8, 4, room=100)
    large = asyncio.create_task(workers.run(gate, Clock(), (0, 1000)))
    await until(lambda: workers.held == 1)
    with pytest.raises(MockupError):
        await workers.run(gate, Clock(), (0, 1))
    gate.opened.set()
    assert await large == "done"
    await until(lambda: workers.held == 0)
    assert await workers.run(gate, Clock(), (0, 1000)) == "done"
    workers.close()
