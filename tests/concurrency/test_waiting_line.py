"""Waiting lines under every policy, with requests, releases and cancellations in any order.

No turn is lost or given twice, no request waits although it could begin, and at the end no turn is held.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.concurrency.fair_shares import FairShares
from service.concurrency.latest import Latest
from service.concurrency.start_times import StartTimes
from service.concurrency.turns import Turns
from service.errors import Code, MockupError
from tests.support.waiting import PATIENCE_S


@dataclass(eq=False)
class Job:
    """Work of an owner: its size, whether it has begun, and the event that ends it."""

    owner: str
    size: int
    begun: bool = False
    end: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    @property
    def done(self) -> bool:
        return self.task is not None and self.task.done()


async def settled() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


@dataclass
class Line:
    """A waiting line under test: a function that works in turn, and a check of the running and the waiting
    work."""

    work: Callable[[Job], Coroutine[Any, Any, None]]
    check: Callable[[list[Job], list[Job]], None]


def turns() -> Line:
    line = Turns(2)

    async def work(job: Job) -> None:
        async with line.turn(job.owner):
            job.begun = True
            await job.end.wait()

    def check(working: list[Job], waiting: list[Job]) -> None:
        assert len(working) <= 2
        assert not waiting or len(working) == 2
        assert line.waiting == len(waiting)

    return Line(work, check)


def latest() -> Line:
    line = Latest(2)

    async def work(job: Job) -> None:
        try:
            async with line.turn(job.owner, PATIENCE_S):
                job.begun = True
                await job.end.wait()
        except MockupError as error:
            assert error.code in (Code.SUPERSEDED, Code.SERVER_BUSY)  # noqa: PT017

    def check(working: list[Job], waiting: list[Job]) -> None:
        owners = Counter(job.owner for job in working)
        assert all(count == 1 for count in owners.values())
        assert line.occupied == len(owners) <= 2
        assert all(count == 1 for count in Counter(job.owner for job in waiting).values())
        assert {job.owner for job in waiting} <= set(owners), "only owners of running jobs wait"

    return Line(work, check)


def shares() -> Line:
    line = FairShares(10)

    async def work(job: Job) -> None:
        with await line.reserve(job.owner, job.size, PATIENCE_S):
            job.begun = True
            await job.end.wait()

    def check(working: list[Job], waiting: list[Job]) -> None:
        held = Counter[str]()
        for job in working:
            held[job.owner] += job.size
        assert line.used == held.total()
        assert line.used <= 10 or len(working) == 1, "a job alone may exceed the limit"
        least = min((held[job.owner] + job.size for job in waiting), default=math.inf)
        assert least > line.limit - line.used, "the one who would hold the least could have begun"
        assert not waiting or line.used

    return Line(work, check)


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["ask", "end", "leave", "look"]), st.integers(0, 30), st.integers(1, 12)),
    max_size=60,
)


@pytest.mark.parametrize("made", [turns, latest, shares])
@given(ACTIONS)
def test_no_turn_is_lost_or_given_twice(
    made: Callable[[], Line], actions: list[tuple[str, int, int]]
) -> None:
    async def scenario() -> None:
        line, jobs = made(), list[Job]()
        for action, number, size in actions:
            if action == "ask":
                job = Job("abc"[number % 3], size)
                job.task = asyncio.create_task(line.work(job))
                jobs.append(job)
            elif action == "look":
                await settled()
                check(line, jobs)
            elif jobs:
                job = jobs[number % len(jobs)]
                assert job.task is not None
                if action == "end":
                    job.end.set()
                else:
                    job.task.cancel()
            if number % 2:
                await asyncio.sleep(0)
        await settled()
        check(line, jobs)
        for job in jobs:
            job.end.set()
        tasks = [job.task for job in jobs if job.task is not None]
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in tasks:
            assert task.cancelled() or task.exception() is None
        check(line, [])

    asyncio.run(scenario())


def check(line: Line, jobs: list[Job]) -> None:
    under_way = [job for job in jobs if not job.done]
    line.check([job for job in under_way if job.begun], [job for job in under_way if not job.begun])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0.1, 5)), min_size=1, max_size=60))
def test_busy_users_get_equal_shares(costs: list[tuple[str, float]]) -> None:
    """Users' totals differ by at most the costs of two turns, which is the bound of start-time fair
    queueing."""
    starts, given_to, largest = StartTimes(), Counter[str](), max(cost for _, cost in costs)
    queues = {user: [cost for name, cost in costs if name == user] for user in "abc"}
    while all(queues.values()):
        user = min("abc", key=starts.of)
        cost = queues[user].pop(0)
        starts.begin(user, cost)
        given_to[user] += cost  # type: ignore[assignment]
        assert max(given_to.values()) - min(given_to[name] for name in "abc") <= 2 * largest + 1e-9


def test_a_newcomer_starts_at_the_level_of_the_last_turn_and_an_estimate_is_corrected() -> None:
    starts = StartTimes()
    for _ in range(3):
        starts.begin("old", 2.0)
    assert (starts.of("old"), starts.of("new")) == (6.0, 4.0)
    starts.correct("old", -1.5)
    assert starts.of("old") == 4.5
    starts.begin("new", 0.25)
    starts.forget(but=())
    assert len(starts) == 2
    starts.begin("old", 1.0)
    starts.forget(but={"other"})
    assert (len(starts), starts.of("new")) == (1, 4.5)
    starts.clear()
    assert (len(starts), starts.of("old")) == (0, 0.0)


async def test_timed_out_waiters_are_refused_and_delay_nobody() -> None:
    line = FairShares(10)
    first = await line.reserve("a", 8)
    with pytest.raises(MockupError) as caught:
        await line.reserve("b", 5, 0.01)
    assert (caught.value.code, line.waiting) == (Code.SERVER_BUSY, 0)
    first.release()
    assert line.used == 0
