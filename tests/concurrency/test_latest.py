"""Only the latest of an owner's waiting requests is served."""

from __future__ import annotations

import asyncio

import pytest

from service.concurrency.latest import Latest
from service.errors import Code, MockupError
from tests.support.waiting import soon


class Work:
    """Work that ends when it is told to, and records who began."""

    def __init__(self, latest: Latest) -> None:
        self.latest = latest
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}

    def start(self, name: str, owner: str = "ada", patience: float = 60) -> asyncio.Task[None]:
        self.ends[name] = asyncio.Event()
        return asyncio.create_task(self._work(name, owner, patience))

    async def _work(self, name: str, owner: str, patience: float) -> None:
        async with self.latest.turn(owner, patience):
            self.begun.append(name)
            await self.ends[name].wait()


async def test_a_newer_request_supersedes_the_waiting_one() -> None:
    work = Work(Latest(9))
    first = work.start("first")
    await soon(lambda: work.begun == ["first"])
    second = work.start("second")
    await asyncio.sleep(0)
    third = work.start("third")
    with pytest.raises(MockupError) as caught:
        await second
    assert (caught.value.code, caught.value.status) == (Code.SUPERSEDED, 409)
    assert work.begun == ["first"], "what is under way goes on"
    work.ends["first"].set()
    await first
    await soon(lambda: work.begun == ["first", "third"])
    work.ends["third"].set()
    await third
    assert work.latest.occupied == 0


async def test_an_owner_has_as_many_under_way_as_allowed() -> None:
    work = Work(Latest(9, each=2))
    tasks = [work.start("first"), work.start("second")]
    await soon(lambda: work.begun == ["first", "second"])
    assert work.latest.occupied == 1
    third = work.start("third")
    await asyncio.sleep(0)
    fourth = work.start("fourth")
    with pytest.raises(MockupError) as caught:
        await third
    assert caught.value.code is Code.SUPERSEDED
    work.ends["second"].set()
    await soon(lambda: work.begun == ["first", "second", "fourth"])
    for end in work.ends.values():
        end.set()
    await asyncio.gather(*tasks, fourth)
    assert work.latest.occupied == 0


async def test_owners_do_not_wait_for_each_other() -> None:
    work = Work(Latest(2))
    tasks = [work.start("one", "ada"), work.start("another", "bob")]
    await soon(lambda: work.begun == ["one", "another"])
    with pytest.raises(MockupError) as caught:
        await work.start("third", "cleo")
    assert caught.value.code is Code.SERVER_BUSY
    for end in work.ends.values():
        end.set()
    await asyncio.gather(*tasks)
    assert work.latest.occupied == 0


async def test_waiting_has_a_limit() -> None:
    work = Work(Latest(9))
    first = work.start("first")
    await soon(lambda: bool(work.begun))
    with pytest.raises(MockupError) as caught:
        await work.start("second", patience=0.01)
    assert caught.value.code is Code.SERVER_BUSY
    work.ends["first"].set()
    await first
    assert work.latest.occupied == 0


@pytest.mark.parametrize("ended", [False, True])
async def test_a_leaving_request_passes_its_turn_on(ended: bool) -> None:
    work = Work(Latest(9))
    first = work.start("first")
    await soon(lambda: bool(work.begun))
    second = work.start("second")
    await asyncio.sleep(0)
    if ended:
        # The first ends, so the second gets its turn, and is cancelled at the same moment.
        work.ends["first"].set()
        while not first.done():
            await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    assert second.cancelled()
    work.ends["first"].set()
    await first
    last = work.start("last")
    await soon(lambda: "last" in work.begun)
    work.ends["last"].set()
    await last
    assert work.latest.occupied == 0
