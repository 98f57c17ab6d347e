"""Values that threads share: made once, by one of them, and again after a failure."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from service.render.kept import kept
from service.render.once import Once, once

PATIENCE_S = 60.0


def test_of_threads_that_want_one_value_one_makes_it() -> None:
    values: Once[str, object] = Once()
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


def test_values_of_different_keys_are_made_at_the_same_time() -> None:
    values: Once[int, int] = Once()
    both = Barrier(2, timeout=PATIENCE_S)  # breaks if one of them waits for the other
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(values.get, key, both.wait) for key in (1, 2)]
        assert sorted(one.result(PATIENCE_S) for one in found) == [0, 1]


def test_a_value_may_be_made_of_others() -> None:
    values: Once[int, int] = Once()

    def sum_to(number: int) -> int:
        return number + values.get(number - 1, lambda: sum_to(number - 1)) if number else 0

    assert values.get(9, lambda: sum_to(9)) == 45


def test_after_a_failure_one_that_waits_tries_again() -> None:
    values: Once[str, int] = Once()
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


def test_what_was_dropped_is_made_again() -> None:
    values: Once[str, int] = Once()
    assert values.get("a", lambda: 1) == 1
    values.clear()
    assert values.get("a", lambda: 2) == 2


def test_nothing_is_a_value_too() -> None:
    values: Once[str, int | None] = Once()
    assert values.get("a", lambda: None) is None
    assert values.get("a", lambda: 1) is None


def test_a_function_is_called_once_when_first_wanted() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    value = once(make)
    assert not made
    assert [value(), value()] == [1, 1]


def test_work_of_a_cache_is_done_by_one_of_two_threads() -> None:
    made: list[int] = []
    making, go = Event(), Event()

    @kept(1 << 20)
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
