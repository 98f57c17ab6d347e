"""Values that threads share: one thread makes each, and after a failure another makes it again."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from threading import Barrier, Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.concurrency.async_single_flight import AsyncSingleFlight
from service.concurrency.single_flight import SingleFlight, single_flight
from service.render.memoize import memoize

PATIENCE_S = 60.0


def test_one_of_several_threads_makes_a_value() -> None:
    values: SingleFlight[str, object] = SingleFlight()
    made: list[object] = []
    making, go = Event(), Event()

    def make() -> object:
        making.set()
        assert go.wait(PATIENCE_S)
        made.append(object())
        return made[-1]

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(values.get, "a", make)
        assert making.wait(PATIENCE_S)
        others = [pool.submit(values.get, "a", make) for _ in range(3)]
        go.set()
        found = [one.result(PATIENCE_S) for one in (first, *others)]
    assert len(made) == 1
    assert all(one is made[0] for one in found)
    assert values.get("a", object) is made[0]


class _Slow(dict[str, int]):
    """A mapping that waits for `go` before it stores the value of the key `slow`."""

    def __init__(self) -> None:
        super().__init__()
        self.storing, self.go = Event(), Event()

    def __setitem__(self, key: str, value: int) -> None:
        if key == "slow":
            self.storing.set()
            assert self.go.wait(PATIENCE_S)
        super().__setitem__(key, value)


def test_kept_values_are_found_while_another_is_stored() -> None:
    kept = _Slow()
    values: SingleFlight[str, int] = SingleFlight(kept, shared=True)
    values.get("quick", lambda: 1)
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(values.get, "slow", lambda: 2)
        assert kept.storing.wait(PATIENCE_S)
        found = pool.submit(values.get, "quick", lambda: 3)
        try:
            assert found.result(PATIENCE_S) == 1
        finally:
            kept.go.set()
        assert slow.result(PATIENCE_S) == 2


def test_values_of_different_keys_are_made_at_the_same_time() -> None:
    values: SingleFlight[int, int] = SingleFlight()
    both = Barrier(2, timeout=PATIENCE_S)  # if one waits for the other to end, this barrier breaks
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(values.get, key, both.wait) for key in (1, 2)]
        assert sorted(one.result(PATIENCE_S) for one in found) == [0, 1]


def test_a_value_may_be_made_of_others() -> None:
    values: SingleFlight[int, int] = SingleFlight()

    def sum_to(number: int) -> int:
        return number + values.get(number - 1, lambda: sum_to(number - 1)) if number else 0

    assert values.get(9, lambda: sum_to(9)) == 45


def test_a_waiting_thread_retries_after_a_failure() -> None:
    values: SingleFlight[str, int] = SingleFlight()
    failing, go = Event(), Event()

    def fail() -> int:
        failing.set()
        assert go.wait(PATIENCE_S)
        raise LookupError("no")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(values.get, "a", fail)
        assert failing.wait(PATIENCE_S)
        second = pool.submit(values.get, "a", lambda: 7)
        go.set()
        with pytest.raises(LookupError, match="no"):
            first.result(PATIENCE_S)
        assert second.result(PATIENCE_S) == 7
    assert values.get("a", lambda: 8) == 7


def test_dropped_values_are_made_again() -> None:
    values: SingleFlight[str, int] = SingleFlight()
    assert values.get("a", lambda: 1) == 1
    values.clear()
    assert values.get("a", lambda: 2) == 2


def test_none_is_a_value() -> None:
    values: SingleFlight[str, int | None] = SingleFlight()
    assert values.get("a", lambda: None) is None
    assert values.get("a", lambda: 1) is None


def test_a_function_is_called_once_when_first_wanted() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    value = single_flight(make)
    assert not made
    assert [value(), value()] == [1, 1]


def test_work_of_a_cache_is_done_by_one_of_two_threads() -> None:
    made: list[int] = []
    making, go = Event(), Event()

    @memoize(1 << 20)
    def row(number: int) -> tuple[int]:
        making.set()
        assert go.wait(PATIENCE_S)
        made.append(number)
        return (number,)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(row, 1)
        assert making.wait(PATIENCE_S)
        second = pool.submit(row, 1)
        go.set()
        assert first.result(PATIENCE_S) is second.result(PATIENCE_S)
    assert made == [1]


async def test_work_of_several_tasks_runs_once_and_outlives_them() -> None:
    flights: AsyncSingleFlight[str, int] = AsyncSingleFlight()
    go, made = asyncio.Event(), list[str]()

    async def work() -> int:
        made.append("a")
        await go.wait()
        return 7

    tasks = [asyncio.create_task(flights.run("a", work)) for _ in range(3)]
    await asyncio.sleep(0)
    assert (len(flights), "a" in flights, "b" in flights) == (1, True, False)
    tasks[0].cancel()
    await asyncio.wait({tasks[0]})
    go.set()
    assert await asyncio.gather(*tasks[1:]) == [7, 7]
    assert made == ["a"]
    assert not len(flights)


async def test_a_failure_reaches_all_waiters_and_the_next_call_retries() -> None:
    flights: AsyncSingleFlight[str, int] = AsyncSingleFlight()

    async def fail() -> int:
        await asyncio.sleep(0)
        raise LookupError("no")

    async def seven() -> int:
        return 7

    outcomes = await asyncio.gather(*(flights.run("a", fail) for _ in range(2)), return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["no", "no"]
    assert await flights.run("a", seven) == 7


async def test_the_first_caller_provides_the_outcome() -> None:
    flights: AsyncSingleFlight[str, int] = AsyncSingleFlight()
    flights.begin("a")
    waiting = [asyncio.create_task(flights.outcome("a")) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.wait({waiting[0]})
    flights.settle("b", 1)
    flights.settle("a", 7)
    flights.settle("a", 8)
    assert await asyncio.gather(*waiting[1:]) == [7, 7]
    assert "a" not in flights


@pytest.mark.parametrize("error", [None, LookupError("no"), asyncio.CancelledError()])
async def test_others_wait_until_a_block_ends(error: BaseException | None) -> None:
    flights: AsyncSingleFlight[str, int] = AsyncSingleFlight()
    with nullcontext() if error is None else pytest.raises(type(error)), flights.working("a", 7):
        waiting = asyncio.create_task(flights.outcome("a"))
        await asyncio.sleep(0)
        assert ("a" in flights, "b" in flights, waiting.done()) == (True, False, False)
        if error is not None:
            raise error
    assert "a" not in flights, "before anybody waits, which would take forever"
    assert await waiting == 7


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=30))
def test_every_caller_gets_the_value_of_its_key(wants: list[tuple[str, bool]]) -> None:
    """In any interleaving, and if callers leave, no caller gets another key's value or waits indefinitely."""

    async def scenario() -> None:
        flights: AsyncSingleFlight[str, str] = AsyncSingleFlight()
        under_way = set[str]()

        async def work(key: str) -> str:
            assert key not in under_way
            under_way.add(key)
            await asyncio.sleep(0)
            under_way.remove(key)
            return key

        async def want(key: str, leaves: bool) -> None:
            task = asyncio.create_task(flights.run(key, partial(work, key)))
            await asyncio.sleep(0)
            if leaves:
                task.cancel()
                await asyncio.wait({task})
            else:
                assert await task == key

        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(want(*one) for one in wants))
            while len(flights):
                await asyncio.sleep(0)

    asyncio.run(scenario())
