"""Deadlines, stages and waits of a piece of work, by a clock that the tests set."""

from __future__ import annotations

import pytest

from service import clock as module
from service.clock import CancelledError, Clock
from service.errors import Code, MockupError
from tests.support.hand_clock import HandClock, set_by_hand


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    return set_by_hand(module, monkeypatch)


def test_the_deadline_itself_is_in_time(time: HandClock) -> None:
    clock = Clock(8.0)
    time.now += 8
    clock.check()
    assert (clock.elapsed, clock.remaining) == (8.0, 0.0)
    time.now += 0.25
    assert (clock.elapsed, clock.remaining) == (8.25, 0.0)
    with pytest.raises(MockupError, match=r"^Rendering took longer than 8 seconds$") as raised:
        clock.check()
    assert raised.value.code is Code.RENDER_TIMEOUT


def test_work_that_began_earlier_has_less_time_left(time: HandClock) -> None:
    assert Clock(8.0, started=97.0).remaining == 5.0


def test_without_a_timeout_there_is_no_deadline(time: HandClock) -> None:
    clock = Clock()
    time.now += 1e9
    clock.check()


def test_cancelled_work_stops_at_the_next_check(time: HandClock) -> None:
    clock = Clock(8.0)
    clock.cancel()
    with pytest.raises(CancelledError):
        clock.check()


def test_turns_extend_the_deadline(time: HandClock) -> None:
    clock = Clock(8.0)
    time.now += 5
    clock.postpone(4.0)
    assert (clock.elapsed, clock.remaining) == (1.0, 7.0)


def test_waiting_does_not_count_as_work(time: HandClock) -> None:
    clock, waited = Clock(8.0), 0.0
    with clock.wait(lambda: waited):
        time.now += 5
        waited = 3.0
        assert (clock.elapsed, clock.remaining) == (2.0, 6.0)
    assert (clock.elapsed, clock.worked) == (2.0, 2.0)
    with clock.wait(lambda: 1.0):
        time.now += 1.5
    assert (clock.elapsed, clock.worked) == (2.5, 2.5)
    # Clocks of two processes may differ a little.
    with clock.wait(lambda: 0.5):
        time.now += 0.25
    assert clock.worked == 2.5


def test_stages_add_up_and_keep_their_beginning(time: HandClock) -> None:
    clock = Clock(8.0)
    for spent in (0.5, 0.25):
        with clock.stage("paint"):
            time.now += spent
        time.now += 1
    assert clock.stages == {"paint": 750.0}
    assert clock.begun == {"paint": 100.0}
    clock.add("queue", 250.0)
    assert clock.stages["queue"] == 250.0
    assert clock.begun["queue"] == time.now - 0.25


def test_a_stage_that_fails_counts(time: HandClock) -> None:
    def fail() -> None:
        with clock.stage("decode"):
            time.now += 9
            raise ValueError

    clock = Clock(8.0)
    with pytest.raises(ValueError, match=r"^$"):
        fail()
    assert clock.stages == {"decode": 9000.0}


def test_no_stage_begins_after_the_deadline(time: HandClock) -> None:
    clock = Clock(8.0)
    time.now += 9
    with pytest.raises(MockupError), clock.stage("paint"):
        pytest.fail("it began")
