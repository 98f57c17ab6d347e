from __future__ import annotations

import asyncio
from functools import partial

import pytest

from service.concurrency import fair_shares
from service.concurrency.fair_shares import FairShares, Reservation
from service.errors import Code, MockupError


def test_an_owner_may_hold_as_much_as_is_left() -> None:
    budget = FairShares(100)
    one = budget.take("one", 40)
    with pytest.raises(MockupError) as caught:
        budget.take("one", 30)
    assert caught.value.code is Code.SERVER_BUSY
    two = budget.take("two", 30)
    with pytest.raises(MockupError):
        one.grow(1)
    two.release()
    one.grow(10)
    assert (budget.used, budget.held("one"), budget.held("two")) == (50, 50, 0)
    one.release()
    one.release()
    assert budget.used == 0


def test_a_sole_owner_may_hold_anything() -> None:
    budget = FairShares(100)
    with budget.take("one", 1000), pytest.raises(MockupError):
        budget.take("two", 1)
    assert budget.used == 0


async def test_the_smallest_holder_is_next() -> None:
    budget, got = FairShares(100), list[str]()
    first = budget.take("one", 50)

    async def wait(owner: str, size: int) -> None:
        reserved = await budget.reserve(owner, size, 60)
        got.append(owner)
        reserved.release()

    waiting = [asyncio.create_task(wait(name, 60)) for name in ("one", "two", "three")]
    await asyncio.sleep(0)
    assert got == []
    first.resize(10)
    await asyncio.wait(waiting)
    assert got[-1] == "one"
    assert budget.used == 10


async def test_a_timed_out_request_holds_nothing() -> None:
    budget = FairShares(100)
    with budget.take("one", 90):
        with pytest.raises(MockupError) as caught:
            await budget.reserve("two", 50, 0.02)
        assert caught.value.code is Code.SERVER_BUSY
        leaving = asyncio.create_task(budget.reserve("two", 50, 60))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.wait({leaving})
    assert budget.used == 0


async def test_a_request_cancelled_when_granted_holds_nothing() -> None:
    budget = FairShares(100)
    held = budget.take("one", 90)
    waiting = asyncio.create_task(budget.reserve("two", 50, 60))
    await asyncio.sleep(0)
    held.release()
    waiting.cancel()
    await asyncio.wait({waiting})
    assert budget.used == 0


def test_the_oldest_response_of_the_largest_owner_is_evicted_first() -> None:
    budget, gone = FairShares(100), list[str]()
    kept = [
        budget.hold(owner, size, partial(gone.append, name))
        for name, owner, size in (("a1", "a", 30), ("b1", "b", 20), ("a2", "a", 30))
    ]
    assert gone == []
    newest = budget.hold("c", 40, lambda: gone.append("c1"))
    assert gone == ["a1"]
    assert budget.used == 90
    for one in (*kept, newest):
        one.release()
    assert budget.used == 0


async def test_waiting_requests_evict_larger_holders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_shares, "EVICTION_S", 0.01)
    budget, ended = FairShares(100), list[str]()

    def upload(owner: str, name: str, size: int) -> Reservation:
        made: Reservation = budget.hold(owner, size, lambda: ended.append(name))
        return made

    upload("greedy", "first", 40)
    upload("greedy", "second", 40)
    upload("modest", "third", 15)
    taken = await budget.reserve("new", 20, 10)
    assert ended == ["first"]
    assert (budget.held("greedy"), budget.held("new")) == (40, 20)
    taken.release()


async def test_nobody_is_evicted_for_a_larger_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_shares, "EVICTION_S", 0.01)
    budget, ended = FairShares(100), list[str]()
    budget.hold("one", 50, lambda: ended.append("one"))
    budget.hold("two", 40, lambda: ended.append("two"))
    with pytest.raises(MockupError):
        await budget.reserve("new", 60, 0.05)
    assert not ended


async def test_a_body_that_is_complete_is_not_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_shares, "EVICTION_S", 0.01)
    budget, ended = FairShares(100), list[str]()
    whole = await budget.reserve("one", 90, 1, lambda: ended.append("one"))
    whole.keep()
    with pytest.raises(MockupError):
        await budget.reserve("new", 20, 0.05)
    assert not ended


async def test_a_small_body_overtakes_waiting_large_ones() -> None:
    budget = FairShares(100)
    first = await budget.reserve("one", 50, 1)
    large = asyncio.ensure_future(budget.reserve("two", 60, 10))
    await asyncio.sleep(0)
    small = await budget.reserve("three", 10, 10)
    assert not large.done()
    for held in (first, small):
        held.release()
    (await large).release()
