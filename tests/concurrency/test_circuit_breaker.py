import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.concurrency import circuit_breaker as module
from service.concurrency.circuit_breaker import CircuitBreaker, OutageError
from tests.support.hand_clock import HandClock, set_by_hand


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    return set_by_hand(module, monkeypatch)


def fail(breaker: CircuitBreaker, clock: HandClock, seconds: float = 0.0) -> None:
    def end() -> None:
        clock.now += seconds
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"), breaker.attempt(lambda error: isinstance(error, OSError)):
        end()


def test_one_thread_at_a_time_tries_a_failed_server(clock: HandClock) -> None:
    breaker, entered, end = CircuitBreaker(), threading.Event(), threading.Event()
    fail(breaker, clock)

    def probe() -> None:
        with breaker.attempt(bool):
            entered.set()
            end.wait()

    thread = threading.Thread(target=probe)
    thread.start()
    entered.wait()
    with pytest.raises(OutageError, match="gone"), breaker.attempt(bool):
        pass
    end.set()
    thread.join()
    with breaker.attempt(bool), breaker.attempt(bool):
        pass  # attempts may run side by side again


def test_a_pause_follows_a_long_attempt(clock: HandClock) -> None:
    breaker = CircuitBreaker()
    fail(breaker, clock, 5.0)
    clock.now += 4.9
    with pytest.raises(OutageError), breaker.attempt(bool):
        pass
    clock.now += 0.2
    with breaker.attempt(bool):
        pass


def test_another_error_is_a_response(clock: HandClock) -> None:
    breaker = CircuitBreaker()
    fail(breaker, clock)
    with pytest.raises(KeyError), breaker.attempt(lambda error: isinstance(error, OSError)):
        raise KeyError
    with breaker.attempt(bool), breaker.attempt(bool):
        pass


def test_a_fixed_pause_and_its_reports(clock: HandClock) -> None:
    told: list[str | None] = []
    breaker = CircuitBreaker(3.0, told.append)
    with breaker.attempt(bool):
        pass
    assert (breaker.is_open, breaker.is_paused, told) == (False, False, [])
    fail(breaker, clock, 60.0)
    assert (breaker.is_open, breaker.is_paused) == (True, True)
    clock.now += 2.9
    with pytest.raises(OutageError, match="gone"), breaker.attempt(bool):
        pass
    clock.now += 0.2
    assert (breaker.is_open, breaker.is_paused) == (True, False)
    fail(breaker, clock)
    assert told == ["gone"], "once"
    clock.now += 3.1
    with breaker.attempt(bool):
        pass
    assert (breaker.is_open, told) == (False, ["gone", None])


def test_attempts_under_way_report_no_second_outage(clock: HandClock) -> None:
    """Attempts that began before the outage all fail, but only one reports it. If one of them succeeds late,
    the outage goes on."""
    told: list[str | None] = []
    breaker = CircuitBreaker(3.0, told.append)
    with breaker.attempt(bool):
        fail(breaker, clock)
        assert breaker.is_open
    assert breaker.is_open
    assert told == ["gone"]


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 10), st.floats(0, 10)), max_size=30))
def test_after_a_failure_nobody_tries_before_the_pause_is_over(
    tries: list[tuple[bool, float, float]],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        clock, breaker, retry_at = set_by_hand(module, patch), CircuitBreaker(4.0), 0.0
        for fails, takes, rests in tries:
            try:
                with breaker.attempt(lambda error: isinstance(error, OSError)):
                    assert clock.now >= retry_at
                    clock.now += takes
                    if fails:
                        raise OSError
                assert not fails
                assert not breaker.is_open
            except OSError:
                assert fails
                retry_at = clock.now + 4.0
            except OutageError:
                assert clock.now < retry_at
            clock.now += rests
