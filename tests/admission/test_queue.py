from __future__ import annotations

import asyncio
import time
from functools import partial

import pytest

from service.admission.queue import Demand, Queue, TurnKind
from service.clock import CancelledError, Clock
from service.errors import Code, MockupError
from service.limits import HEAVY_RENDER_S, QUICK_RENDER_S, RENDERS_AHEAD
from tests.support.waiting import soon


class Gate:
    """Work that waits until the test releases it; `begun` records the order in which it began."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.opened = asyncio.Event()

    async def work(self, name: str = "") -> str:
        self.begun.append(name)
        try:
            await self.opened.wait()
        except asyncio.CancelledError:
            # Real work also continues until it next checks its clock.
            await self.opened.wait()
            raise
        return "done"


@pytest.fixture
def gate() -> Gate:
    return Gate()


def run(
    queue: Queue,
    gate: Gate,
    user: str,
    memory: int = 0,
    patience: float = 60,
    preview: bool = False,
    parallel: int | None = None,
    plan: str = "",
    cost: float = QUICK_RENDER_S,
) -> asyncio.Task[str]:
    kind = TurnKind.PREVIEW if preview else TurnKind.RENDER
    demand = Demand(user, cost, memory, kind, parallel, plan)
    return asyncio.create_task(queue.run(demand, lambda: gate.work(user), Clock(), patience))


def test_a_user_may_take_as_many_slots_as_stay_free() -> None:
    queue = Queue(1, 8)
    slots = [queue.slot("one") for _ in range(5)]
    for slot in slots[:4]:
        slot.__enter__()
    with pytest.raises(MockupError) as caught:
        slots[4].__enter__()
    assert caught.value.code is Code.SERVER_BUSY
    assert (caught.value.retry_after or 0) >= 1
    assert queue.is_full("one")
    assert not queue.is_full("another")
    with queue.slot("another"), queue.slot("another"):
        assert queue.is_full("another")
        assert not queue.is_full(None)
        with queue.slot("a third"), pytest.raises(MockupError), queue.slot("a third"):
            pass
    for slot in slots[:4]:
        slot.__exit__(None, None, None)
    assert queue.occupied == 0


def test_a_full_queue_refuses_everybody() -> None:
    queue = Queue(1, 2)
    with queue.slot("one"), queue.slot("another"):
        assert queue.is_full(None)
        assert queue.is_full("a third")
    assert not queue.is_full(None)


async def test_a_refusal_names_the_seconds_until_the_work_ahead_is_done(gate: Gate) -> None:
    queue = Queue(2, 16)
    assert queue.busy().retry_after == 1
    tasks = [run(queue, gate, f"user {number}") for number in range(9)]
    await soon(lambda: queue.running + queue.waiting == 9)
    # Renders take a quarter of a second each, and two run at a time.
    assert queue.busy().retry_after == 2
    gate.opened.set()
    await asyncio.gather(*tasks)


async def test_work_that_cannot_begin_waits_and_users_take_turns(gate: Gate) -> None:
    queue = Queue(1, 100)
    many = [run(queue, gate, "many") for _ in range(20)]
    await soon(lambda: len(gate.begun) == 1 + RENDERS_AHEAD)
    assert queue.waiting == 20 - 1 - RENDERS_AHEAD
    few = [run(queue, gate, "few") for _ in range(2)]
    await soon(lambda: queue.waiting == 21 - RENDERS_AHEAD)
    gate.opened.set()
    assert await asyncio.gather(*many, *few) == ["done"] * 22
    # The last user to arrive waits only for work that was under way.
    assert "few" in gate.begun[1 + RENDERS_AHEAD : 3 + RENDERS_AHEAD]
    assert gate.begun.count("few") == 2
    assert queue.running == queue.waiting == 0


async def test_renders_under_way_are_shared_evenly() -> None:
    queue, turns = Queue(2, 100), list[str]()

    async def work(user: str) -> None:
        turns.append(user)
        await asyncio.sleep(0)

    names = ["a"] * 12 + ["b"] * 4 + ["c"] * 4
    await asyncio.gather(*(queue.run(Demand(name), partial(work, name), Clock()) for name in names))
    # A user with few renders is done long before a user with many.
    assert turns[-4:] == ["a"] * 4


HEAVY = 10 * HEAVY_RENDER_S


async def test_only_quick_work_waits_in_the_workers_socket(gate: Gate) -> None:
    queue = Queue(2, 100)
    slow = [run(queue, gate, "slow", cost=2 * QUICK_RENDER_S) for _ in range(4)]
    await soon(lambda: len(gate.begun) == 2)
    quick = run(queue, gate, "quick")
    await soon(lambda: len(gate.begun) == 3)
    assert gate.begun[-1] == "quick"
    gate.opened.set()
    await asyncio.gather(*slow, quick)


@pytest.mark.parametrize("workers", [2, 3])
async def test_heavy_work_leaves_a_worker_to_others(workers: int, gate: Gate) -> None:
    queue = Queue(workers, 100)
    heavy = [run(queue, gate, f"heavy{number % 2}", cost=HEAVY) for number in range(6)]
    await soon(lambda: len(gate.begun) == workers - 1)
    light = [run(queue, gate, "light") for _ in range(3)]
    # One of them is being rendered, and two wait in the socket of the free worker.
    await soon(lambda: gate.begun.count("light") == 3)
    assert len(gate.begun) == workers + 2
    gate.opened.set()
    await asyncio.gather(*heavy, *light)
    assert queue.running == queue.waiting == 0


async def test_one_worker_does_heavy_work_too(gate: Gate) -> None:
    queue = Queue(1, 100)
    heavy = [run(queue, gate, "heavy", cost=HEAVY) for _ in range(2)]
    await soon(lambda: len(gate.begun) == 1)
    gate.opened.set()
    assert await asyncio.gather(*heavy) == ["done"] * 2


async def test_turns_are_shared_by_seconds(gate: Gate) -> None:
    """On a single worker, a user with small pictures is not delayed by another's series of giant pictures."""
    queue = Queue(1, 100)
    heavy = [run(queue, gate, "heavy", cost=HEAVY) for _ in range(3)]
    await soon(lambda: len(gate.begun) == 1)
    light = [run(queue, gate, "light", cost=HEAVY / 20) for _ in range(15)]
    await soon(lambda: queue.waiting == 17)
    gate.opened.set()
    await asyncio.gather(*heavy, *light)
    assert gate.begun == ["heavy"] + ["light"] * 15 + ["heavy"] * 2


async def test_a_newcomer_gets_no_compensation_for_earlier_turns() -> None:
    queue, turns, jobs = Queue(1, 100), list[str](), list[asyncio.Task[None]]()

    def ask(user: str) -> None:
        job = queue.run(Demand(user, cost=0.5), partial(work, user), Clock())
        jobs.append(asyncio.create_task(job))

    async def work(user: str) -> None:
        turns.append(user)
        if len(turns) == 10:
            for _ in range(10):
                ask("new")
        await asyncio.sleep(0.01)

    for _ in range(20):
        ask("old")
    await soon(lambda: len(turns) == 30)
    await asyncio.gather(*jobs)
    # From then on the users alternate, give or take one turn.
    assert abs(turns[11:21].count("new") - 5) <= 1


async def test_actual_cost_replaces_the_estimate() -> None:
    queue, turns, opened = Queue(1, 100), list[str](), asyncio.Event()

    async def work(user: str, clock: Clock, took: float) -> None:
        turns.append(user)
        await opened.wait()
        clock.worked += took

    def asked(user: str, took: float) -> asyncio.Task[None]:
        clock = Clock()
        return asyncio.create_task(queue.run(Demand(user, cost=0.5), lambda: work(user, clock, took), clock))

    jobs = [asked("sly", 8.0), asked("sly", 8.0)]
    await soon(lambda: turns == ["sly"])
    jobs += [asked("other", 0.5) for _ in range(10)]
    await soon(lambda: queue.waiting == 11)
    opened.set()
    await asyncio.gather(*jobs)
    assert turns == ["sly"] + ["other"] * 10 + ["sly"]


async def test_only_light_work_overtakes_heavy_work_that_waits_for_memory(gate: Gate) -> None:
    queue = Queue(4, 100, room=100)
    first = run(queue, gate, "one", 60, cost=HEAVY)
    await soon(lambda: gate.begun == ["one"])
    large = run(queue, gate, "another", 90, cost=HEAVY)
    await soon(lambda: queue.waiting == 1)
    small = run(queue, gate, "one", 10, cost=HEAVY)
    light = run(queue, gate, "a third", 10)
    await soon(lambda: gate.begun == ["one", "a third"])
    gate.opened.set()
    await asyncio.gather(first, large, small, light)
    assert gate.begun == ["one", "a third", "another", "one"]


async def test_public_pictures_come_last_and_one_at_a_time(gate: Gate) -> None:
    queue = Queue(2, 100)

    def public() -> asyncio.Task[str]:
        demand = Demand("public", kind=TurnKind.PUBLIC, parallel=1)
        return asyncio.create_task(queue.run(demand, lambda: gate.work("public"), Clock()))

    shown = [public() for _ in range(3)]
    await soon(lambda: gate.begun == ["public"])
    renders = [run(queue, gate, "paying") for _ in range(2)]
    preview = run(queue, gate, "previews:paying", preview=True)
    await soon(lambda: len(gate.begun) == 3)
    gate.opened.set()
    await asyncio.gather(*shown, *renders, preview)
    assert gate.begun == ["public", "paying", "paying", "previews:paying", "public", "public"]


async def test_a_deadline_moves_while_work_waits_for_a_worker() -> None:
    queue, clock, taken = Queue(1, 1), Clock(0.1), asyncio.Event()

    async def work() -> str:
        begun = time.perf_counter()
        with clock.wait(lambda: time.perf_counter() - begun):
            await taken.wait()
        return "done"

    job = asyncio.create_task(queue.run(Demand("one"), work, clock))
    await asyncio.sleep(0.5)
    assert not job.done()
    taken.set()
    assert await job == "done"


async def test_work_waits_for_its_memory(gate: Gate) -> None:
    queue = Queue(4, 100, room=100)
    first = run(queue, gate, "one", 60)
    await soon(lambda: len(gate.begun) == 1)
    second, third = run(queue, gate, "another", 50), run(queue, gate, "a third", 10)
    await soon(lambda: queue.waiting == 2)
    # The third job would fit, but if it went ahead of the second, the second might wait indefinitely.
    assert len(gate.begun) == 1
    gate.opened.set()
    await asyncio.gather(first, second, third)
    assert gate.begun == ["one", "another", "a third"]


def test_work_that_can_never_fit_is_recognised() -> None:
    assert Queue(1, 1, room=100).fits(100)
    assert not Queue(1, 1, room=100).fits(101)
    assert Queue(1, 1, room=100, alone=150).fits(150)
    assert not Queue(1, 1, room=100, alone=150).fits(151)


async def test_requests_that_wait_too_long_are_refused(gate: Gate) -> None:
    queue = Queue(1, 100)
    first = [run(queue, gate, "one") for _ in range(1 + RENDERS_AHEAD)]
    await soon(lambda: len(gate.begun) == 1 + RENDERS_AHEAD)
    clock = Clock()
    with pytest.raises(MockupError) as caught:
        await queue.run(Demand("another"), gate.work, clock, patience=0.05)
    assert caught.value.code is Code.SERVER_BUSY
    assert clock.stages["queue"] >= 50, "a wait in vain is told as well"
    assert queue.waiting == 0
    gate.opened.set()
    await asyncio.gather(*first)


async def test_waiting_renders_are_counted_by_plan(gate: Gate) -> None:
    queue = Queue(1, 100)
    first = [run(queue, gate, "one", plan="pro") for _ in range(1 + RENDERS_AHEAD)]
    await soon(lambda: len(gate.begun) == 1 + RENDERS_AHEAD)
    given = [("two", "pro", False), ("three", "team", False), ("two", "team", True), ("four", "team", False)]
    given.append(("none", "", False))
    later = [run(queue, gate, user, preview=preview, plan=plan) for user, plan, preview in given]
    await soon(lambda: queue.waiting == len(later))
    found = {
        (plan, previews): queue.waits(previews=previews, plan=plan)
        for plan in ("", "free", "pro", "team")
        for previews in (False, True)
    }
    assert {name: count for name, count in found.items() if count} == {
        ("", False): 1,
        ("pro", False): 1,
        ("team", False): 2,
        ("team", True): 1,
    }
    gate.opened.set()
    await asyncio.gather(*first, *later)
    assert not any(queue.waits(previews=False, plan=plan) for plan, _ in found)


async def test_leaving_callers_delay_nobody(gate: Gate) -> None:
    queue = Queue(4, 100, room=100)
    first = run(queue, gate, "one", 60)
    await soon(lambda: gate.begun == ["one"])
    large, small = run(queue, gate, "another", 90), run(queue, gate, "a third", 10)
    await soon(lambda: queue.waiting == 2)
    large.cancel()
    await soon(lambda: gate.begun == ["one", "a third"])
    gate.opened.set()
    await asyncio.gather(first, small)
    await asyncio.gather(large, return_exceptions=True)
    assert queue.running == 0


async def test_waiting_does_not_count_for_the_deadline(gate: Gate) -> None:
    queue, clock = Queue(1, 100), Clock(600.0)
    first = [run(queue, gate, "one") for _ in range(1 + RENDERS_AHEAD)]
    await soon(lambda: len(gate.begun) == 1 + RENDERS_AHEAD)
    started = clock.started

    async def work() -> str:
        return "done"

    second = asyncio.create_task(queue.run(Demand("another"), work, clock))
    await soon(lambda: queue.waiting == 1)
    await asyncio.sleep(0.05)
    gate.opened.set()
    await asyncio.gather(*first, second)
    assert clock.started >= started + 0.05
    assert clock.stages["queue"] >= 50


async def test_deadline_is_met_however_long_the_work(gate: Gate) -> None:
    queue = Queue(1, 1)
    # On a slow machine, the deadline may pass before the work begins.
    while not gate.begun:
        clock = Clock(0.05)
        with pytest.raises(MockupError) as caught:
            await queue.run(Demand("one"), gate.work, clock)
        assert caught.value.code is Code.RENDER_TIMEOUT
    assert queue.running == 1, "the work goes on still, and its turn lasts"
    with pytest.raises(CancelledError):
        clock.check()
    gate.opened.set()
    await soon(lambda: queue.running == 0)


async def test_a_caller_that_leaves_is_not_kept_but_its_turn_lasts_until_the_work_ends(gate: Gate) -> None:
    queue, clock = Queue(1, 1), Clock()
    leaving = asyncio.create_task(queue.run(Demand("one"), gate.work, clock))
    await soon(lambda: len(gate.begun) == 1)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    assert leaving.cancelled()
    assert queue.running == 1
    with pytest.raises(CancelledError):
        clock.check()
    gate.opened.set()
    await soon(lambda: queue.running == 0)


async def test_errors_come_through() -> None:
    queue = Queue(1, 1)

    async def fails() -> None:
        raise MockupError(Code.INVALID_REQUEST, "no")

    async def breaks() -> float:
        return 1 / 0

    with pytest.raises(MockupError, match="no"):
        await queue.run(Demand("one"), fails, Clock())
    with pytest.raises(ZeroDivisionError):
        await queue.run(Demand("one"), breaks, Clock())
    await soon(lambda: queue.running == 0)


async def test_previews_come_after_all_renders(gate: Gate) -> None:
    queue = Queue(1, 100)
    renders = [run(queue, gate, "paying") for _ in range(RENDERS_AHEAD + 2)]
    await soon(lambda: queue.waiting == 1)
    preview = run(queue, gate, "previews:early", preview=True)
    await soon(lambda: queue.waiting == 2)
    late = run(queue, gate, "late")
    await soon(lambda: queue.waiting == 3)
    gate.opened.set()
    await asyncio.gather(*renders, preview, late)
    assert gate.begun[-1] == "previews:early"


async def test_previews_wait_for_a_free_worker(gate: Gate) -> None:
    queue = Queue(2, 100)
    previews = [run(queue, gate, f"previews:{number}", preview=True) for number in range(3)]
    await soon(lambda: len(gate.begun) == 2)
    render = run(queue, gate, "paying")
    await soon(lambda: len(gate.begun) == 3)
    assert gate.begun[-1] == "paying", "a render does not wait for a worker"
    gate.opened.set()
    await asyncio.gather(*previews, render)


async def test_a_plan_may_limit_parallel_renders(gate: Gate) -> None:
    queue = Queue(4, 100)
    few = [run(queue, gate, "few", parallel=1) for _ in range(3)]
    many = [run(queue, gate, "many") for _ in range(3)]
    await soon(lambda: len(gate.begun) == 4)
    assert sorted(gate.begun) == ["few", "many", "many", "many"]
    assert queue.waiting == 2
    gate.opened.set()
    assert await asyncio.gather(*few, *many) == ["done"] * 6
    assert gate.begun[4:] == ["few", "few"]
    assert queue.running == queue.waiting == 0
