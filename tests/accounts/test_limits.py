"""The fixed window that begins with an identity's first request, with clocks that the tests move."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from service.accounts import limits
from service.accounts import windows as module
from service.accounts.limits import RateLimits
from service.config import Config
from service.limits import MOST_ADDRESSES


class Time:
    """The tests' clocks: the monotonic clock shows `now`, and the wall clock shows `now` plus `set`."""

    now = 1_000_000.25
    set = 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    replaced = SimpleNamespace(time=lambda: clock.now + clock.set, monotonic=lambda: clock.now - 999_000)
    monkeypatch.setattr(module, "time", replaced)
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


def test_peeking_counts_nothing(clock: Time) -> None:
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


@pytest.mark.parametrize("hours", [-1, 1, -24 * 365])
def test_setting_the_wall_clock_moves_no_window(clock: Time, hours: int) -> None:
    """The wall clock only tells callers when a window ends; the monotonic clock measures its length."""
    rates = RateLimits(Config(rate_limit=1))
    assert rates.hit("ada").reset == 1_000_061
    clock.now += 1
    clock.set = hours * 3600.0
    refused = rates.hit("ada")
    assert (refused.allowed, refused.retry_after, refused.reset) == (False, 59, 1_000_061 + hours * 3600)
    clock.now += 58.5
    assert not rates.hit("ada").allowed
    clock.now += 0.5
    assert rates.hit("ada").allowed


def test_a_clock_that_drifts_does_not_move_the_reset(clock: Time) -> None:
    rates = RateLimits(Config(rate_limit=1))
    reset = rates.hit("ada").reset
    for step in range(40):
        clock.now += 1
        clock.set = 0.02 * (-1) ** step
        assert rates.hit("ada").reset == reset


def test_a_refund_counts_one_less(clock: Time) -> None:
    rates = RateLimits(Config(rate_limit=3))
    first, second = rates.hit("ada"), rates.hit("ada")
    assert rates.refund(second).remaining == 2
    assert rates.peek("ada").remaining == 2
    assert rates.refund(second).remaining == 1, "only once"
    assert rates.refund(rates.refund(first)).remaining == 3
    after = rates.peek("ada")
    assert (after.remaining, after.reset) == (3, first.reset)
    clock.now += 59
    assert rates.hit("ada").reset == first.reset, "the window goes on, though nothing is counted in it"


def test_a_refund_applies_to_its_window_only(clock: Time) -> None:
    rates = RateLimits(Config(rate_limit=3))
    old = rates.hit("ada")
    clock.now += 60
    rates.refund(old)
    assert rates.peek("ada").remaining == 3
    late = rates.hit("bob")
    clock.now += 60
    rates.hit("bob")
    rates.refund(late)
    assert rates.peek("bob").remaining == 2


def test_uncounted_requests_are_not_refunded(clock: Time) -> None:
    rates = RateLimits(Config(rate_limit=2))
    windows = [rates.hit("ada") for _ in range(4)]
    assert [window.receipt is not None for window in windows] == [True, True, False, False]
    for uncounted in (windows[3], rates.peek("ada")):
        assert rates.refund(uncounted) == uncounted
    assert rates.refund(windows[1]).remaining == 1
    assert rates.hit("ada").allowed, "refused requests were not counted"


def test_counts_may_have_their_own_limits(clock: Time) -> None:
    rates = RateLimits(Config(rate_limit=2))
    assert [rates.hit("writes:ada", 3).allowed for _ in range(4)] == [True] * 3 + [False]
    assert rates.hit("ada").remaining == 1


def test_threads_share_one_count() -> None:
    rates = RateLimits(Config(rate_limit=500, rate_window_s=600))

    def hit_and_refund(number: int) -> list[int]:
        windows = [rates.hit("ada") for _ in range(10)]
        rates.refund(windows[number % 10])
        return [window.remaining for window in windows]

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(hit_and_refund, range(50)))
    assert rates.peek("ada").remaining == 50
    assert min(map(min, found)) >= 0


@pytest.mark.parametrize("kind", ["address", "user"])
def test_the_number_of_remembered_identities_is_limited(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 100)
    monkeypatch.setattr(limits, "MOST_USERS", 100)
    rates = RateLimits(Config(rate_limit=1))
    for number in range(1000):
        assert rates.hit(f"{kind}:{number}").allowed
        rates.hit(f"{kind}:ada")
    assert not rates.hit(f"{kind}:ada").allowed, "whoever comes often stays"
    assert not rates.hit(f"{kind}:999").allowed
    assert rates.hit(f"{kind}:1").allowed, "whoever was seen longest ago made room"


def test_many_addresses_never_evict_a_user() -> None:
    rates = RateLimits(Config(rate_limit=1))
    assert rates.hit("user:ada").allowed
    for number in range(MOST_ADDRESSES + 1):
        rates.hit(limits.address_identity(str(number)))
    assert not rates.hit("user:ada").allowed


def test_ended_windows_are_forgotten(clock: Time) -> None:
    counted = module.LocalWindows(1, 1000)
    for number in range(500):
        counted.hit(f"address:{number}", 60, 1)
    assert len(counted) == 500
    clock.now += 1.05
    counted.hit("ada", 60, 1)
    assert len(counted) == 1


def test_amounts_are_counted_until_the_limit_is_reached(clock: Time) -> None:
    rates = RateLimits(Config())
    assert rates.hit("ada", 100, 60).remaining == 40
    assert rates.hit("ada", 100, 60).remaining == 0, "the last one may exceed it"
    assert not rates.peek("ada", 100).allowed
    assert not rates.hit("ada", 100, 1).allowed
    clock.now += 61
    assert rates.hit("ada", 100, 0).remaining == 100
    over = rates.hit("bob", 3, 5)
    assert rates.refund(over).remaining == 3, "the whole amount"
    assert not rates.is_degraded
