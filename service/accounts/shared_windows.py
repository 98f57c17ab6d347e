"""Rate limit windows in a Redis that several instances share."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import structlog

from ..concurrency.circuit_breaker import CircuitBreaker, OutageError
from ..limits import REDIS_PATIENCE_S, REDIS_PAUSE_S, REDIS_TIMEOUT_S
from ..shipped import extra
from .errors import AccountError
from .windows import Count

if TYPE_CHECKING:
    from redis import Redis


# Refused requests change nothing. Times are milliseconds of Redis' own clock, independent of the instances'.
# A window is identified by its end.
HIT = """
local limit, length, amount = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local moment = redis.call('TIME')
local now = moment[1] * 1000 + math.floor(moment[2] / 1000)
local ends = redis.call('PEXPIRETIME', KEYS[1])
local count, counted = 0, 0
if ends > 0 then
  count = tonumber(redis.call('GET', KEYS[1]))
end
if amount > 0 and count < limit then
  if ends > 0 then
    redis.call('INCRBY', KEYS[1], amount)
  else
    redis.call('SET', KEYS[1], amount, 'PX', length)
    ends = redis.call('PEXPIRETIME', KEYS[1])
  end
  count, counted = count + amount, 1
end
if ends <= 0 then
  ends = now + length
end
return {count, counted, ends, ends - now}
"""
REFUND = """
if redis.call('PEXPIRETIME', KEYS[1]) ~= tonumber(ARGV[1]) or tonumber(redis.call('GET', KEYS[1])) < 1 then
  return -1
end
return redis.call('DECRBY', KEYS[1], ARGV[2])
"""

log = structlog.get_logger(__name__)


class UnavailableError(Exception):
    """Redis is unavailable."""


class SharedWindows:
    """Windows of `length` seconds in the Redis at `url`, which must be 7 or newer; for several threads.

    One thread queries at a time, which takes a fraction of a millisecond: if Redis hangs, one thread waits
    for it and the others give up. Threads do not give up merely because many others wait.
    """

    def __init__(self, url: str, length: int) -> None:
        """Prepare a client without connecting."""
        self._redis, self._failures = client(url)
        self._length = length
        self._hit = self._redis.register_script(HIT)
        self._refund = self._redis.register_script(REFUND)
        self._breaker = CircuitBreaker(REDIS_PAUSE_S, _tell)
        self._querying = threading.Lock()
        self._started = 0.0

    def hit(self, identity: str, limit: int, amount: int) -> Count:
        """Count `amount` unless the limit is reached, and return the count."""
        arguments = [limit, self._length * 1000, amount]
        reply = self._query(lambda: self._hit([self._key(identity)], arguments))
        count, counted, ends, left = map(int, reply)
        return Count(count, counted > 0, ends / 1e3, left / 1e3, ends)

    def refund(self, identity: str, name: float, amount: int) -> int | None:
        """Undo the count of `amount` and return what remains, or None if the window has ended."""
        count = int(self._query(lambda: self._refund([self._key(identity)], [int(name), amount])))
        return None if count < 0 else count

    def responds(self) -> bool:
        """Whether Redis responds, asked in the same way as for a count."""
        try:
            return bool(self._query(self._redis.ping))
        except UnavailableError:
            return False

    @property
    def failing(self) -> bool:
        """Whether Redis failed when it was last asked."""
        return self._breaker.is_open

    def _key(self, identity: str) -> str:
        return f"mockup:requests:{self._length}:{identity}"

    def _query(self, query: Callable[[], Any]) -> Any:
        """Run `query`; raises `UnavailableError`."""
        failures = (self._failures, TimeoutError)
        try:
            with self._breaker.attempt(lambda error: isinstance(error, failures)), self._turn():
                return query()
        except (OutageError, *failures) as error:
            raise UnavailableError from error

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the turn to query; raises TimeoutError if the query under way takes too long."""
        while not self._querying.acquire(timeout=self._patience()):
            if not self._patience():
                raise TimeoutError(f"no reply within {REDIS_PATIENCE_S} s")
        try:
            if self._breaker.is_paused:
                raise OutageError("another thread has just failed")
            self._started = time.monotonic()
            yield
        finally:
            self._started = 0.0
            self._querying.release()

    def _patience(self) -> float:
        """Seconds that the current query may still take before others give up on it."""
        started = self._started
        return max(0.0, REDIS_PATIENCE_S - (time.monotonic() - started if started else 0.0))


def _tell(reason: str | None) -> None:
    if reason is None:
        log.info("redis is available again, sharing rate limits")
    else:
        log.warning("redis is unavailable, rate limits are local", error=reason)


def client(url: str) -> tuple[Redis, type[Exception]]:
    """A client of the Redis or Valkey at `url`, which connects on demand, and its base exception."""
    # Redis is installed by the extra `cluster`.
    try:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as error:
        raise AccountError(f"MOCKUP_REDIS_URL needs {extra('cluster')}") from error

    # Valkey speaks the same protocol.
    url = re.sub(r"^(redis|valkey)\+unix:", "unix:", re.sub(r"^valkey(s?):", r"redis\1:", url))
    made = redis.Redis.from_url(
        url,
        socket_timeout=REDIS_TIMEOUT_S,
        socket_connect_timeout=REDIS_TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
    )
    return made, redis.RedisError
