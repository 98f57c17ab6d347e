"""Shared rate limits with a real Redis that is stopped, killed and restarted, and with differing clocks."""

from __future__ import annotations

import signal
import socket
import time
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from service.accounts import shared_windows as module
from service.accounts import windows
from service.accounts.limits import RateLimits, Window
from service.config import Config
from tests.support.stores import Redis
from tests.support.waiting import PATIENCE_S, until


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long time-outs, so that a healthy Redis does not seem unavailable on a busy machine."""
    monkeypatch.setattr(module, "REDIS_PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(module, "REDIS_TIMEOUT_S", PATIENCE_S)


def limits(redis: Redis, **settings: int) -> RateLimits:
    return RateLimits(Config.model_validate({"redis_url": redis.url, **settings}))


def test_without_redis_each_process_counts_for_itself() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        rates = RateLimits(Config(rate_limit=2, redis_url=f"redis://127.0.0.1:{taken.getsockname()[1]}"))
        assert [rates.hit("ada").allowed for _ in range(3)] == [True, True, False]
        assert not rates.is_shared()
        assert rates.is_degraded


@pytest.mark.usefixtures("patient")
def test_instances_share_a_window(redis: Redis) -> None:
    one, two = (limits(redis, rate_limit=5, rate_window_s=600) for _ in range(2))
    assert one.is_shared()
    first = one.hit("ada")
    found = [rates.hit("ada") for rates in (two, one, two, one, two, one)]
    assert [window.remaining for window in found] == [3, 2, 1, 0, 0, 0]
    assert [window.allowed for window in found] == [True] * 4 + [False] * 2
    assert {window.reset for window in found} == {first.reset}
    assert all(1 <= window.retry_after <= 600 for window in found)
    assert two.hit("ada").reset == first.reset
    assert one.peek("ada").remaining == 0


@pytest.mark.long(seconds=2)
@pytest.mark.usefixtures("patient")
def test_a_window_ends_for_all_instances(redis: Redis) -> None:
    one, two = (limits(redis, rate_limit=1, rate_window_s=1) for _ in range(2))
    first, found = one.hit("ada"), list[Window]()

    def hit() -> bool:
        found.append(two.hit("ada"))
        return found[-1].allowed

    until(hit, "the next window")
    # The next window begins only after the previous one has lasted its whole length.
    assert found[-1].reset >= first.reset + 1
    assert {window.reset for window in found[:-1]} <= {first.reset}


@pytest.mark.usefixtures("patient")
def test_a_refund_through_another_instances_count(redis: Redis) -> None:
    one, two = (limits(redis, rate_limit=3, rate_window_s=600) for _ in range(2))
    first, second = one.hit("ada"), two.hit("ada")
    assert one.refund(first).remaining == 2
    assert one.refund(first).remaining == 2, "only once"
    assert two.refund(two.refund(second)).remaining == 3
    third = one.hit("ada")
    assert (third.remaining, third.reset) == (2, first.reset), "the window goes on"
    found = [two.hit("ada") for _ in range(5)]
    assert [window.receipt is not None for window in found] == [True, True, False, False, False]
    assert two.refund(found[1]).remaining == 1
    assert [one.hit("ada").allowed for _ in range(2)] == [True, False], "the refused were not counted"
    several = one.hit("bob", amount=2)
    assert (several.remaining, two.refund(several).remaining) == (1, 3)


@pytest.mark.usefixtures("patient")
def test_a_refund_applies_to_its_window_only(redis: Redis) -> None:
    client = module.client(redis.url)[0]
    rates = limits(redis, rate_limit=3, rate_window_s=600)
    old = rates.hit("ada")
    (key,) = client.keys()
    client.delete(key)
    assert rates.refund(old).receipt is None
    assert rates.peek("ada").remaining == 3
    old = rates.hit("ada")
    client.delete(key)
    time.sleep(0.05)
    rates.hit("ada")
    rates.refund(old)
    assert rates.peek("ada").remaining == 2
    client.close()


@pytest.mark.usefixtures("patient")
def test_many_threads_of_many_instances(redis: Redis) -> None:
    instances = [limits(redis, rate_limit=100, rate_window_s=600) for _ in range(4)]
    with ThreadPoolExecutor(32) as pool:
        found = list(pool.map(lambda number: instances[number % 4].hit("ada"), range(400)))
        assert sorted(window.remaining for window in found if window.allowed) == list(range(100))
        assert len({window.reset for window in found}) == 1
        list(pool.map(lambda window: instances[0].refund(window), found))
    assert instances[1].peek("ada").remaining == 100


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("hours", [-2, 2])
def test_instances_with_different_clocks_agree(
    redis: Redis, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """Redis' clock determines when a window ends, so all instances report the same end."""
    right = limits(redis, rate_limit=1, rate_window_s=60)
    reset = right.hit("ada").reset
    apart = SimpleNamespace(time=lambda: time.time() + hours * 3600, monotonic=time.monotonic)
    monkeypatch.setattr(module, "time", apart)
    monkeypatch.setattr(windows, "time", apart)
    wrong = limits(redis, rate_limit=1, rate_window_s=60)
    refused = wrong.hit("ada")
    assert (refused.allowed, refused.reset) == (False, reset)
    assert 1 <= refused.retry_after <= 60
    unseen = wrong.peek("bob")
    assert unseen.retry_after == 60
    assert abs(unseen.reset - time.time() - 60) < 30


def ended(jobs: list[Future[Window]]) -> int:
    return sum(job.done() for job in jobs)


def test_redis_replies_have_a_time_limit(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REDIS_TIMEOUT_S", 0.1)
    rates = limits(redis, rate_limit=1000)
    redis.signal(signal.SIGSTOP)
    with capture_logs() as logged:
        assert rates.hit("ada").remaining == 999
    assert [line["event"] for line in logged] == ["redis is unavailable, rate limits are local"]


@pytest.mark.long(seconds=2)
def test_only_one_thread_waits_for_a_hanging_redis(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REDIS_TIMEOUT_S", 3600.0)
    monkeypatch.setattr(module, "REDIS_PAUSE_S", 3600.0)
    rates = limits(redis, rate_limit=1000)
    rates.hit("ada")
    redis.signal(signal.SIGSTOP)
    with capture_logs() as logged, ThreadPoolExecutor(24) as pool:
        jobs = [pool.submit(rates.hit, "ada") for _ in range(96)]
        until(lambda: ended(jobs) == 95, "the end of those that do not ask")
        assert ended(jobs) == 95, "one waits for the answer"
        redis.kill()
    assert [line["event"] for line in logged] == ["redis is unavailable, rate limits are local"]
    assert rates.peek("ada").remaining == 1000 - 97
    redis.start()
    assert rates.hit("ada").remaining == 1000 - 98, "left alone for a while"


def test_one_thread_at_a_time_tries_a_hanging_redis(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REDIS_TIMEOUT_S", 3600.0)
    monkeypatch.setattr(module, "REDIS_PAUSE_S", 0.0)
    rates = limits(redis, rate_limit=1000)
    redis.kill()
    rates.hit("ada")
    redis.start()
    redis.signal(signal.SIGSTOP)
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(rates.hit, "ada") for _ in range(8)]
        until(lambda: ended(jobs) == 7, "the end of those that do not try")
        assert ended(jobs) == 7, "one tries"
        redis.signal(signal.SIGCONT)
    other = limits(redis, rate_limit=1000)
    before = other.peek("bob").remaining
    rates.hit("bob")
    assert other.peek("bob").remaining == before - 1, "shared again, by itself"


@pytest.mark.long(seconds=2)
@pytest.mark.usefixtures("patient")
def test_a_slow_redis_still_enforces_the_limit(redis: Redis) -> None:
    """Threads wait for a late reply rather than count without it."""
    instances = [limits(redis, rate_limit=60, rate_window_s=600) for _ in range(3)]
    for rates in instances:
        rates.hit("warm")
    with capture_logs() as logged, ThreadPoolExecutor(200) as pool:
        redis.signal(signal.SIGSTOP)
        jobs = [pool.submit(instances[number % 3].hit, "ada") for number in range(200)]
        time.sleep(0.5)
        assert ended(jobs) == 0
        redis.signal(signal.SIGCONT)
        assert sum(job.result().allowed for job in jobs) == 60
    assert logged == []


@pytest.mark.usefixtures("patient")
def test_counts_go_on_where_redis_left_off(redis: Redis) -> None:
    instances = [limits(redis, rate_limit=60, rate_window_s=600) for _ in range(3)]
    for number in range(54):
        instances[number % 3].hit("ada")
    reset = instances[0].peek("ada").reset
    assert instances[1].peek("bob").remaining == 60
    redis.kill()
    found = [instances[number % 3].hit("ada") for number in range(60)]
    # The last counts that the instances saw left room for 6, 7 and 6 more requests: they were 54, 53 and 54.
    assert sum(window.allowed for window in found) == 6 + 7 + 6
    assert all(window.reset >= reset for window in found), "no window ends before its time"
    assert instances[1].hit("bob").remaining == 59


@pytest.mark.usefixtures("patient")
def test_a_redis_that_was_killed_and_restarted(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REDIS_PAUSE_S", 0.2)
    one, two = (limits(redis, rate_limit=3, rate_window_s=600) for _ in range(2))
    assert [rates.hit("ada").remaining for rates in (one, two)] == [2, 1]
    lost = one.hit("ada")
    redis.kill()
    with capture_logs() as logged:
        found = [rates.hit("ada") for rates in (one, two, two)]
        assert [window.allowed for window in found] == [False, True, False], "each from what it last saw"
        one.refund(lost)
        redis.start()
        time.sleep(0.3)
        assert [rates.hit("ada").remaining for rates in (one, two)] == [2, 1], (
            "the script is there again, too"
        )
    events = [line["event"].partition(",")[0] for line in logged]
    assert events == ["redis is unavailable"] * 2 + ["redis is available again"] * 2
    one.refund(lost)
    assert one.peek("ada").remaining == 1, "that window is gone"


@pytest.mark.usefixtures("patient")
def test_a_restart_between_two_requests_goes_unnoticed(redis: Redis) -> None:
    rates = limits(redis, rate_limit=3)
    rates.hit("ada")
    redis.kill()
    redis.start()
    with capture_logs() as logged:
        assert rates.hit("ada").remaining == 2
    assert limits(redis, rate_limit=3).peek("ada").remaining == 2
    assert logged == []


@pytest.mark.usefixtures("patient")
def test_a_refusing_redis_counts_as_unavailable(redis: Redis) -> None:
    """A Redis that is out of memory responds but does not count."""
    rates = limits(redis, rate_limit=2)
    client = module.client(redis.url)[0]
    client.config_set("maxmemory", "1")
    with capture_logs() as logged:
        assert [rates.hit("ada").allowed for _ in range(3)] == [True, True, False]
    assert len(logged) == 1
    client.close()


@pytest.mark.parametrize(
    ("url", "scheme"),
    [("redis+unix:///s", "unix"), ("valkey+unix:///s", "unix"), ("valkey://h", "tcp"), ("rediss://h", "tls")],
)
def test_addresses(url: str, scheme: str) -> None:
    made = module.client(url)[0].connection_pool.connection_class.__name__
    assert made == {"unix": "UnixDomainSocketConnection", "tcp": "Connection", "tls": "SSLConnection"}[scheme]
