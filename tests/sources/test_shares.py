"""Places are shared fairly, whatever order they are asked for and given back in."""

from __future__ import annotations

import asyncio
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from service.sources.shares import Shares
from tests.support.waiting import PATIENCE_S


async def taken(shares: Shares, users: str) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(shares.take(user)) for user in users]
    await asyncio.sleep(0)
    return tasks


def test_one_user_leaves_half_and_the_next_half_of_that() -> None:
    async def scenario() -> list[int]:
        shares = Shares(16)
        counts = []
        for user in "abcdef":
            tasks = await taken(shares, user * 16)
            counts.append(sum(task.done() for task in tasks))
        return counts

    assert asyncio.run(scenario()) == [8, 4, 2, 1, 1, 0]


def test_the_only_place_is_anybodys() -> None:
    async def scenario() -> None:
        shares = Shares(1)
        first, second = await taken(shares, "aa")
        assert (first.done(), second.done()) == (True, False)
        shares.give_back("a")
        await asyncio.wait_for(second, PATIENCE_S)

    asyncio.run(scenario())


def test_whoever_holds_the_fewest_is_next() -> None:
    async def scenario() -> None:
        shares = Shares(2)
        await taken(shares, "ab")
        ((other,), (mine,)) = await taken(shares, "a"), await taken(shares, "c")
        shares.give_back("b")
        await asyncio.sleep(0)
        assert (other.done(), mine.done()) == (False, True)

    asyncio.run(scenario())


def test_a_place_granted_to_somebody_who_left_goes_on() -> None:
    async def scenario() -> None:
        shares = Shares(1)
        _, leaving, staying = await taken(shares, "abc")
        shares.give_back("a")
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        await asyncio.wait_for(staying, PATIENCE_S)

    asyncio.run(scenario())


ACTIONS = st.lists(st.tuples(st.sampled_from(["take", "give", "leave"]), st.integers(0, 30)), max_size=60)


@given(st.integers(1, 5), ACTIONS)
def test_no_place_is_lost_or_given_twice(total: int, actions: list[tuple[str, int]]) -> None:
    async def scenario() -> None:
        shares = Shares(total)
        tasks: list[tuple[str, asyncio.Task[None]]] = []
        for action, number in actions:
            if action == "take":
                user = "abc"[number % 3]
                tasks.append((user, asyncio.create_task(shares.take(user))))
            elif tasks:
                user, task = tasks[number % len(tasks)]
                if action == "leave" and not task.done():
                    task.cancel()
                elif action == "give" and task.done() and not task.cancelled():
                    tasks.remove((user, task))
                    shares.give_back(user)
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
        for user, task in tasks:
            if task.done():
                shares.give_back(user)
            else:
                task.cancel()
                await asyncio.sleep(0)
                if not task.cancelled():
                    shares.give_back(user)
        assert await offered(shares, total) == await offered(Shares(total), total), "all are free again"

    asyncio.run(scenario())


async def offered(shares: Shares, total: int) -> list[int]:
    """How many places users get who each ask for all of them; old users and new ones."""
    found = []
    for user in "abcxyz":
        tasks = await taken(shares, user * total)
        found.append(sum(task.done() for task in tasks))
    return found
