import threading
from types import SimpleNamespace

import pytest

from service.accounts import outage as module
from service.accounts.outage import Outage, OutageError


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock.monotonic))
    return clock


def fail(outage: Outage, clock: Clock, seconds: float = 0.0) -> None:
    def end() -> None:
        clock.now += seconds
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"), outage.attempt(lambda error: isinstance(error, OSError)):
        end()


def test_one_thread_at_a_time_tries_what_failed(clock: Clock) -> None:
    outage, entered, end = Outage(), threading.Event(), threading.Event()
    fail(outage, clock)

    def probe() -> None:
        with outage.attempt(bool):
            entered.set()
            end.wait()

    thread = threading.Thread(target=probe)
    thread.start()
    entered.wait()
    with pytest.raises(OutageError, match="gone"), outage.attempt(bool):
        pass
    end.set()
    thread.join()
    with outage.attempt(bool), outage.attempt(bool):
        pass  # side by side again


def test_after_a_long_try_none_follows_at_once(clock: Clock) -> None:
    outage = Outage()
    fail(outage, clock, 5.0)
    clock.now += 4.9
    with pytest.raises(OutageError), outage.attempt(bool):
        pass
    clock.now += 0.2
    with outage.attempt(bool):
        pass


def test_another_error_is_a_response(clock: Clock) -> None:
    outage = Outage()
    fail(outage, clock)
    with pytest.raises(KeyError), outage.attempt(lambda error: isinstance(error, OSError)):
        raise KeyError
    with outage.attempt(bool), outage.attempt(bool):
        pass
