from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from service.clock import CancelledError, Clock
from service.config import Config
from service.errors import Code, MockupError
from service.queue import (
    LEAST_BYTES,
    MEMORY_SHARE,
    QUEUE_PER_RENDERER,
    RENDERER_BYTES,
    SERVER_BYTES,
    Queue,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Gate:
    """Work that waits until it is let go."""

    def __init__(self) -> None:
        self.entered = 0
        self.opened = asyncio.Event()

    async def __call__(self) -> str:
        self.entered += 1
        try:
            await self.opened.wait()
        except asyncio.CancelledError:
            # Real work, too, goes on until its next look at the clock.
            await self.opened.wait()
            raise
        return "done"


@pytest.fixture
def gate() -> Gate:
    return Gate()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


async def test_full_queue_refuses_at_once(gate: Gate) -> None:
    queue = Queue(1, 1, 4)
    accepted = [asyncio.create_task(queue.run(gate, Clock())) for _ in range(2)]
    await until(lambda: queue.held == 2)
    with pytest.raises(MockupError) as caught:
        await queue.run(gate, Clock())
    assert caught.value.code is Code.SERVER_BUSY
    assert caught.value.retry_after is not None
    assert caught.value.retry_after >= 1
    with pytest.raises(MockupError, match="busy"), queue.seat("anyone"):
        pass
    gate.opened.set()
    assert await asyncio.gather(*accepted) == ["done", "done"]
    await until(lambda: queue.held == 0)
    assert await queue.run(gate, Clock()) == "done"


def test_one_user_cannot_take_every_place() -> None:
    queue = Queue(4, 4, 2)
    with queue.seat("one"), queue.seat("one"):
        with pytest.raises(MockupError) as caught, queue.seat("one"):
            pass
        assert caught.value.code is Code.SERVER_BUSY
        with queue.seat("another"):
            pass
    with queue.seat("one"):
        pass


def test_places_are_kept_until_they_are_seats() -> None:
    queue = Queue(1, 1, 2)
    with queue.place("one") as place:
        assert not queue.full
        with queue.place("another"):
            assert queue.full
            with pytest.raises(MockupError), queue.seat("a third"):
                pass
            with queue.seat("one", place):
                assert queue.full, "a place and the seat it became are one"
        assert not queue.full
    with queue.place("one"), queue.seat("one"):
        assert queue.full


def test_a_place_is_not_kept_while_the_client_is_waited_for() -> None:
    queue = Queue(1, 0, 4)
    with queue.place("one") as place:
        with queue.away(place):
            assert not queue.full
        assert queue.full
        away = queue.away(place)
        away.__enter__()
        with queue.seat("another"), pytest.raises(MockupError) as caught:
            away.__exit__(None, None, None)
        assert caught.value.code is Code.SERVER_BUSY
    assert not queue.full


def test_one_user_cannot_have_every_place_kept() -> None:
    queue = Queue(4, 4, 2)
    with queue.place("one") as first, queue.seat("one", first), queue.place("one") as second:
        assert not first.kept
        assert second.kept
        with queue.place("one") as third, queue.place("another") as other:
            assert not third.kept
            assert other.kept
    with queue.place("one") as again:
        assert again.kept


async def test_deadline_is_met_however_long_the_work(gate: Gate) -> None:
    queue = Queue(1, 1, 4)
    clock = Clock(0.05)
    with pytest.raises(MockupError) as caught:
        await queue.run(gate, clock)
    assert caught.value.code is Code.RENDER_TIMEOUT
    assert queue.held == 1  # the work goes on still, and its place is taken
    with pytest.raises(CancelledError):
        clock.check()
    gate.opened.set()
    await until(lambda: queue.held == 0)


async def test_a_caller_that_leaves_is_not_kept_but_its_place_is_until_the_work_ends(gate: Gate) -> None:
    queue = Queue(1, 1, 4)
    clock = Clock()
    leaving = asyncio.create_task(queue.run(gate, clock))
    await until(lambda: gate.entered == 1)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    assert leaving.cancelled()
    assert queue.held == 1
    with pytest.raises(CancelledError):
        clock.check()
    gate.opened.set()
    await until(lambda: queue.held == 0)


async def test_errors_come_through() -> None:
    queue = Queue(1, 1, 4)

    async def fails() -> None:
        raise MockupError(Code.INVALID_REQUEST, "no")

    async def breaks() -> float:
        return 1 / 0

    with pytest.raises(MockupError, match="no"):
        await queue.run(fails, Clock())
    with pytest.raises(ZeroDivisionError):
        await queue.run(breaks, Clock())
    await until(lambda: queue.held == 0)


def test_sizes_follow_the_configuration() -> None:
    queue = Queue.from_config(Config(queue_size=5), 3)
    assert (queue.at_once, queue.capacity) == (3, 8)
    assert Queue.from_config(Config(queue_size=None), 3).capacity == 3 * (1 + QUEUE_PER_RENDERER)


def test_memory_follows_the_configuration() -> None:
    queue = Queue.from_config(Config(memory_bytes=2**30, cache_bytes=2**27), 2)
    assert queue.room == MEMORY_SHARE * 2**30 - SERVER_BYTES - 2 * RENDERER_BYTES - 2**27
    assert Queue.from_config(Config(memory_bytes=2**26), 2).room == LEAST_BYTES


async def test_work_is_admitted_by_its_memory(gate: Gate) -> None:
    queue = Queue(2, 8, 4, room=100)
    small = [asyncio.create_task(queue.run(gate, Clock(), (5, 20))) for _ in range(4)]
    await until(lambda: queue.held == 4)  # 4 wait with 5 each, and 2 run with 20 each: 60
    with pytest.raises(MockupError) as caught:
        await queue.run(gate, Clock(), (5, 60))  # 25 + 60 + 20
    assert caught.value.code is Code.SERVER_BUSY
    assert caught.value.retry_after is not None
    accepted = asyncio.create_task(queue.run(gate, Clock(), (5, 50)))
    await until(lambda: queue.held == 5)
    gate.opened.set()
    assert await asyncio.gather(*small, accepted) == ["done"] * 5
    await until(lambda: queue.held == 0)


def test_bodies_on_their_way_share_their_memory() -> None:
    queue = Queue(1, 1, 4, room=400)
    with queue.receiving() as one:
        one(90)
        one(90)  # alone, a body may be as large as it likes
        with queue.receiving() as two:
            with pytest.raises(MockupError) as caught:
                two(1)
            assert caught.value.code is Code.SERVER_BUSY
    with queue.receiving() as one, queue.receiving() as two:
        one(50)
        two(50)
        with pytest.raises(MockupError):
            one(1)
    with queue.receiving() as one, queue.receiving() as two:
        one(99)
        two(1)


async def test_alone_any_work_is_let_in(gate: Gate) -> None:
    queue = Queue(2, 8, 4, room=100)
    large = asyncio.create_task(queue.run(gate, Clock(), (0, 1000)))
    await until(lambda: queue.held == 1)
    with pytest.raises(MockupError):
        await queue.run(gate, Clock(), (0, 1))
    gate.opened.set()
    assert await large == "done"
    await until(lambda: queue.held == 0)
    assert await queue.run(gate, Clock(), (0, 1000)) == "done"
