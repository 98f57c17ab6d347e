"""Places are shared fairly, in whatever order they are requested and released."""

from __future__ import annotations

import asyncio
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from service.concurrency.fair_shares import FairShares, Reservation
from tests.support.waiting import PATIENCE_S


async def taken(shares: FairShares, users: str) -> list[asyncio.Task[Reservation]]:
    tasks = [asyncio.create_task(shares.reserve(user, 1)) for user in users]
    await asyncio.sleep(0)
    return tasks


def test_each_user_leaves_half_of_the_free_places() -> None:
    async def scenario() -> list[int]:
        shares = FairShares(16)
        counts = []
        for user in "abcdef":
            tasks = await taken(shares, user * 16)
            counts.append(sum(task.done() for task in tasks))
        return counts

    assert asyncio.run(scenario()) == [8, 4, 2, 1, 1, 0]


def test_a_single_place_is_free_for_anybody() -> None:
    async def scenario() -> None:
        shares = FairShares(1)
        first, second = await taken(shares, "aa")
        assert (first.done(), second.done()) == (True, False)
        first.result().release()
        await asyncio.wait_for(second, PATIENCE_S)

    asyncio.run(scenario())


def test_the_user_with_the_fewest_places_is_next() -> None:
    async def scenario() -> None:
        shares = FairShares(2)
        _, second = await taken(shares, "ab")
        ((other,), (mine,)) = await taken(shares, "a"), await taken(shares, "c")
        second.result().release()
        await asyncio.wait({mine})
        assert (other.done(), mine.done()) == (False, True)

    asyncio.run(scenario())


def test_a_place_of_a_leaving_user_goes_to_the_next() -> None:
    async def scenario() -> None:
        shares = FairShares(1)
        first, leaving, staying = await taken(shares, "abc")
        first.result().release()
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        await asyncio.wait_for(staying, PATIENCE_S)

    asyncio.run(scenario())


ACTIONS = st.lists(st.tuples(st.sampled_from(["take", "give", "leave"]), st.integers(0, 30)), max_size=60)


@given(st.integers(1, 5), ACTIONS)
def test_no_place_is_lost_or_given_twice(total: int, actions: list[tuple[str, int]]) -> None:
    async def scenario() -> None:
        shares = FairShares(total)
        tasks: list[tuple[str, asyncio.Task[Reservation]]] = []
        for action, number in actions:
            if action == "take":
                user = "abc"[number % 3]
                tasks.append((user, asyncio.create_task(shares.reserve(user, 1))))
            elif tasks:
                user, task = tasks[number % len(tasks)]
                if action == "leave" and not task.done():
                    task.cancel()
                elif action == "give" and task.done() and not task.cancelled():
                    tasks.remove((user, task))
                    task.result().release()
            if number % 2:
                await asyncio.sleep(0)
        for _ in range(3):
            await asyncio.sleep(0)
        tasks = [(user, task) for user, task in tasks if not task.cancelled()]
        held = Counter(user for user, task in tasks if task.done())
        free = total - held.total()
        assert free >= 0
        for user, task in tasks:
            assert task.done() or held[user] >= free, f"{user} could have had a place"
        for _, task in tasks:
            if task.done():
                task.result().release()
            else:
                task.cancel()
                await asyncio.sleep(0)
                if not task.cancelled():
                    task.result().release()
        assert await offered(shares, total) == await offered(FairShares(total), total), "all are free again"

    asyncio.run(scenario())


async def offered(shares: FairShares, total: int) -> list[int]:
    """The number of places that each user gets by requesting all of them, for three known users and three new
    ones."""
    found = []
    for user in "abcxyz":
        tasks = await taken(shares, user * total)
        found.append(sum(task.done() for task in tasks))
    return found
