"""Owners take turns."""

from __future__ import annotations

import asyncio

import pytest

from service.concurrency.turns import Turns


async def test_requests_of_others_overtake_those_of_a_busy_owner() -> None:
    turns, order = Turns(1), list[str]()

    async def work(owner: str) -> None:
        async with turns.turn(owner):
            order.append(owner)
            await asyncio.sleep(0)

    await asyncio.gather(*(work(owner) for owner in ["a", "a", "a", "a", "b", "b", "c"]))
    assert order == ["a", "a", "b", "c", "a", "b", "a"]


async def test_the_number_of_parallel_turns_is_limited() -> None:
    turns, at_work, most = Turns(2), 0, 0

    async def work(owner: str) -> None:
        nonlocal at_work, most
        async with turns.turn(owner):
            at_work += 1
            most = max(most, at_work)
            await asyncio.sleep(0)
            at_work -= 1

    await asyncio.gather(*(work(str(n % 3)) for n in range(20)))
    assert (at_work, most) == (0, 2)


@pytest.mark.parametrize("when", ["while it waits", "at the same moment", "as its turn comes"])
async def test_leaving_callers_take_no_turn(when: str) -> None:
    turns = Turns(1)

    async def work() -> None:
        async with turns.turn("a"):
            pytest.fail("it has left")

    async with turns.turn("b"):
        leaving = asyncio.ensure_future(work())
        await asyncio.sleep(0)
        if when != "as its turn comes":
            leaving.cancel()
        if when == "while it waits":
            await asyncio.wait({leaving})
    leaving.cancel()
    await asyncio.wait({leaving})
    assert leaving.cancelled()
    async with asyncio.timeout(60), turns.turn("b"):
        pass


async def test_work_that_fails_gives_its_turn_back() -> None:
    turns = Turns(1)
    with pytest.raises(ValueError, match="bad"):
        async with turns.turn("a"):
            raise ValueError("bad")
    async with asyncio.timeout(60), turns.turn("b"):
        pass
