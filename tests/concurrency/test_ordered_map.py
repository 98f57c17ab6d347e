"""Ordered parallel map: it keeps the order of results and the limit, and stops after a failure or when the
caller leaves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock, get_ident

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.clock import CancelledError, Clock
from service.concurrency import ordered_map as module
from service.concurrency.ordered_map import OrderedWork, ordered_map

PATIENCE_S = 60.0


@pytest.fixture(autouse=True, params=[1, 3])
def processors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(module, "CPUS", request.param)
    count: int = request.param
    return count


class Meter:
    """Counts the pieces of work that have begun but whose results nobody has taken yet."""

    def __init__(self) -> None:
        self.open = self.most = 0
        self.lock = Lock()

    def work(self, part: int) -> int:
        with self.lock:
            self.open += 1
            self.most = max(self.most, self.open)
        return part * part

    def taken(self) -> None:
        with self.lock:
            self.open -= 1


@given(st.lists(st.integers(), max_size=20), st.integers(0, 5))
def test_results_are_in_order_and_no_more_than_allowed_are_ahead(parts: list[int], ahead: int) -> None:
    meter, results = Meter(), []
    for result in ordered_map(meter.work, parts, Clock(), ahead=ahead):
        meter.taken()
        results.append(result)
    assert results == [part * part for part in parts]
    assert meter.most <= ahead + 1


@given(st.lists(st.tuples(st.integers(), st.booleans()), max_size=20), st.integers(0, 5), st.integers(1, 3))
def test_added_work_keeps_its_order_here_and_there(
    parts: list[tuple[int, bool]], ahead: int, threads: int
) -> None:
    ordered: OrderedWork[int] = OrderedWork(ahead, threads)
    for part, alone in parts:
        ordered.add(abs, part, alone=alone)
    assert list(ordered.results()) == [abs(part) for part, _ in parts]
    assert list(ordered.results()) == []


def test_one_thread_does_one_after_the_other() -> None:
    done: list[int] = []
    ordered: OrderedWork[None] = OrderedWork(9, threads=1)
    for number in range(9):
        ordered.add(done.append, number, alone=number == 5)
    assert list(ordered.results()) == [None] * 9
    assert done == list(range(9))


def test_a_single_part_stays_in_its_thread() -> None:
    assert list(ordered_map(lambda _: get_ident(), [1], Clock())) == [get_ident()]


def test_a_failure_comes_in_its_place_and_ends_the_rest() -> None:
    def work(part: int) -> int:
        if part == 2:
            raise LookupError("no")
        return part

    results = ordered_map(work, range(100), Clock())
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(LookupError, match="no"):
        next(results)
    assert list(results) == []


def test_the_clock_is_asked_before_each_part() -> None:
    clock, begun = Clock(), []

    def work(part: int) -> None:
        begun.append(part)
        clock.cancel()

    with pytest.raises(CancelledError):
        list(ordered_map(work, range(100), clock, ahead=0))
    assert begun == [0]


def test_pending_work_is_dropped_when_the_caller_leaves(
    processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if processors == 1:
        pytest.skip("nothing waits for a thread")
    begun, go, entered = list[int](), Event(), Event()

    def work(part: int) -> None:
        begun.append(part)
        if part:
            entered.set()
            assert go.wait(PATIENCE_S)

    with ThreadPoolExecutor(1) as one:
        monkeypatch.setattr(module, "pool", lambda threads: one)
        results = ordered_map(work, range(9), Clock(), ahead=4)
        next(results)
        assert entered.wait(PATIENCE_S)
        results.close()  # type: ignore[attr-defined]
        go.set()
    assert begun == [0, 1]
