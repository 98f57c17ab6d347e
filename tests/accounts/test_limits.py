"""The fixed window that begins at an identity's first request, under a clock the tests move."""

import shutil
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import limits.storage.memory
import pytest

from service.accounts import limits as module
from service.accounts.limits import RateLimits
from service.config import Config


class Time:
    now = 1_000_000.25

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    replaced = SimpleNamespace(time=clock, monotonic=time.monotonic)
    monkeypatch.setattr(module, "time", replaced)
    monkeypatch.setattr(limits.storage.memory, "time", replaced)
    return clock


def test_the_61st_request_of_a_window_is_refused(clock: Time) -> None:
    rates = RateLimits(Config())
    for number in range(1, 61):
        window = rates.hit("ada")
        assert (window.allowed, window.remaining, window.limit) == (True, 60 - number, 60)
    refused = rates.hit("ada")
    assert (refused.allowed, refused.remaining, refused.retry_after) == (False, 0, 60)
    assert rates.hit("bob").remaining == 59, "each identity has a window of its own"


def test_a_refused_request_never_moves_the_reset(clock: Time) -> None:
    rates = RateLimits(Config())
    reset = rates.hit("ada").reset
    assert reset == 1_000_061, "rounded up, so that a caller who waits for it is never too early"
    for second in range(1, 60):
        clock.now = 1_000_000.25 + second
        window = [rates.hit("ada") for _ in range(3)][-1]
        assert window.reset == reset
        assert window.allowed is (second < 20)
        assert window.retry_after == 60 - second
    clock.now += window.retry_after
    fresh = rates.hit("ada")
    assert (fresh.allowed, fresh.remaining, fresh.reset) == (True, 59, 1_000_121)


def test_a_window_begins_at_the_first_request(clock: Time) -> None:
    rates = RateLimits(Config())
    clock.now += 59
    assert rates.hit("ada").retry_after == 60
    clock.now += 59.5
    assert rates.hit("ada").remaining == 58
    clock.now += 0.5
    assert rates.hit("ada").remaining == 59


def test_looking_counts_nothing(clock: Time) -> None:
    rates = RateLimits(Config(rate_limit=2))
    for _ in range(5):
        seen = rates.peek("ada")
        assert (seen.allowed, seen.remaining, seen.reset) == (True, 2, 1_000_061)
    first = rates.hit("ada")
    clock.now += 10
    seen = rates.peek("ada")
    assert (seen.remaining, seen.reset, seen.allowed, seen.retry_after) == (1, first.reset, True, 50)
    rates.hit("ada")
    assert not rates.peek("ada").allowed


class SlowCounter(Counter[str]):
    """Lets another thread go on before each answer."""

    def get(self, *arguments: Any) -> Any:
        time.sleep(0.0005)
        return super().get(*arguments)


def test_threads_share_one_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.storage.memory, "Counter", SlowCounter)
    rates = RateLimits(Config(rate_limit=50, rate_window_s=600))
    with ThreadPoolExecutor(8) as pool:
        windows = list(pool.map(lambda _: rates.hit("ada"), range(80)))
    assert sorted(window.remaining for window in windows if window.allowed) == list(range(50))
    assert len({window.reset for window in windows}) == 1


def test_windows_that_are_over_are_swept_by_a_thread_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[threading.Thread] = []
    start = threading.Timer.start

    def counted(self: threading.Timer) -> None:
        started.append(self)
        start(self)

    monkeypatch.setattr(threading.Timer, "start", counted)
    monkeypatch.setattr(module, "SWEEP_S", 0.3)
    rates = RateLimits(Config(rate_limit=50, rate_window_s=1))
    until = time.monotonic() + 1.6
    number = 0
    while time.monotonic() < until:
        rates.hit(f"ada{number}")
        number += 1
        time.sleep(0.002)
    assert 3 <= len(started) <= 9
    assert len(rates._local.expirations) < number


def test_without_redis_each_process_counts_for_itself() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        rates = RateLimits(Config(rate_limit=2, redis_url=f"redis://127.0.0.1:{taken.getsockname()[1]}"))
        assert [rates.hit("ada").allowed for _ in range(3)] == [True, True, False]
        assert not rates.is_shared()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed")
    path = tmp_path / "redis.sock"
    command = [program, "--port", "0", "--unixsocket", str(path), "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            while not path.exists():
                time.sleep(0.01)
            yield f"redis+unix://{path}"
        finally:
            process.terminate()


def test_instances_share_a_window_through_redis(redis: str) -> None:
    one, two = (RateLimits(Config(rate_limit=5, rate_window_s=3, redis_url=redis)) for _ in range(2))
    assert one.is_shared()
    first = one.hit("ada")
    windows = [rates.hit("ada") for rates in (two, one, two, one, two, one)]
    assert [window.remaining for window in windows] == [3, 2, 1, 0, 0, 0]
    assert [window.allowed for window in windows] == [True] * 4 + [False] * 2
    # The reset is rounded up: the window may end up to a second earlier.
    while time.time() < first.reset - 1.1:
        assert two.hit("ada").reset == first.reset
        assert one.peek("ada").remaining == 0
        time.sleep(0.05)
    time.sleep(max(0, first.reset - time.time()) + 0.01)
    assert two.peek("ada").allowed
    assert one.hit("ada").remaining == 4
