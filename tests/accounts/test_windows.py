"""Rate limit windows in memory, with clocks that the tests set."""

from __future__ import annotations

import time

import pytest

from service.accounts.windows import LocalWindows


class Clocks:
    """A monotonic clock, and a wall clock that can be set."""

    def __init__(self) -> None:
        self.steady, self.wall = 100.0, 1_000_000.0

    def pass_(self, seconds: float) -> None:
        self.steady += seconds
        self.wall += seconds


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(time, "monotonic", lambda: clocks.steady)
    monkeypatch.setattr(time, "time", lambda: clocks.wall)
    return clocks


def test_a_window_counts_to_its_limit_and_ends(clocks: Clocks) -> None:
    windows = LocalWindows(60, 10)
    seen = [windows.hit("ada", 2, 1) for _ in range(3)]
    assert [(one.count, one.counted) for one in seen] == [(1, True), (2, True), (2, False)]
    assert {(one.ends, one.left) for one in seen} == {(1_000_060.0, 60.0)}
    assert windows.hit("bob", 2, 1).count == 1
    clocks.pass_(59)
    last = windows.hit("ada", 2, 1)
    assert (last.counted, last.left, last.ends) == (False, 1.0, 1_000_060.0)
    clocks.pass_(1)
    again = windows.hit("ada", 2, 1)
    assert (again.count, again.counted, again.left) == (1, True, 60.0)


def test_peeking_opens_no_window(clocks: Clocks) -> None:
    windows = LocalWindows(60, 10)
    look = windows.hit("ada", 2, 0)
    assert (look.count, look.counted, look.left, len(windows)) == (0, False, 60.0, 0)
    assert windows.hit("ada", 10, 5).count == 5
    assert windows.hit("ada", 10, 0).count == 5


def test_the_last_amount_may_exceed_the_limit(clocks: Clocks) -> None:
    """Render times are charged afterwards, so the last render may exceed the remaining time."""
    windows = LocalWindows(60, 10)
    assert windows.hit("ada", 10, 9).count == 9
    assert windows.hit("ada", 10, 9).count == 18
    assert not windows.hit("ada", 10, 1).counted


def test_the_wall_clock_is_set(clocks: Clocks) -> None:
    windows = LocalWindows(60, 10)
    windows.hit("ada", 2, 1)
    clocks.wall += 0.5
    assert windows.hit("ada", 2, 0).ends == 1_000_060.0
    clocks.wall += 3600
    assert windows.hit("ada", 2, 0).ends == 1_003_660.5


def test_recently_used_identities_are_remembered(clocks: Clocks) -> None:
    windows = LocalWindows(60, 2)
    for name in ("ada", "bob", "carol"):
        windows.hit(name, 5, 1)
    assert len(windows) == 2
    assert windows.hit("ada", 5, 1).count == 1


def test_a_count_is_undone_while_its_window_is_open(clocks: Clocks) -> None:
    windows = LocalWindows(60, 10)
    one = windows.hit("ada", 5, 1)
    windows.hit("ada", 5, 1)
    assert windows.refund("ada", one.name, 1) == 1
    assert windows.refund("ada", one.name, 1) == 0
    assert windows.refund("ada", one.name, 1) == 0
    assert windows.refund("bob", one.name, 1) is None
    clocks.pass_(60)
    assert windows.refund("ada", one.name, 1) is None
    windows.hit("ada", 5, 1)
    assert windows.refund("ada", one.name, 1) is None


def test_counts_made_elsewhere_are_taken_over(clocks: Clocks) -> None:
    there, here = LocalWindows(60, 10), LocalWindows(60, 10)
    there.hit("ada", 5, 4)
    clocks.pass_(10)
    here.adopt("ada", there.hit("ada", 5, 0))
    taken = here.hit("ada", 5, 1)
    assert (taken.count, taken.left, taken.ends) == (5, 50.0, 1_000_060.0)
    here.adopt("ada", LocalWindows(60, 10).hit("ada", 5, 0))
    assert len(here) == 0
