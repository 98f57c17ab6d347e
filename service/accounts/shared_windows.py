"""Windows of time in which requests are counted, in a Redis that several instances share."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import structlog

from service.accounts.errors import AccountError
from service.accounts.windows import Count

if TYPE_CHECKING:
    from redis import Redis

# After Redis failed it is left alone this long; then one request tries it again.
PAUSE_S = 5.0
# How long Redis may take for an answer, and how long others wait for their turn to ask it.
TIMEOUT_S = 0.5
PATIENCE_S = 0.1

# What is refused changes nothing. Times are milliseconds of Redis' clock, whatever instances' clocks say.
# A window is known by its end, since the next one ends later.
LOOK = """
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
    redis.call('INCR', KEYS[1])
  else
    redis.call('SET', KEYS[1], 1, 'PX', length)
    ends = redis.call('PEXPIRETIME', KEYS[1])
  end
  count, counted = count + 1, 1
end
if ends <= 0 then
  ends = now + length
end
return {count, counted, ends, ends - now}
"""
GIVE_BACK = """
if redis.call('PEXPIRETIME', KEYS[1]) ~= tonumber(ARGV[1]) or tonumber(redis.call('GET', KEYS[1])) < 1 then
  return -1
end
return redis.call('DECR', KEYS[1])
"""

log = structlog.get_logger(__name__)


class AwayError(Exception):
    """Redis cannot be asked now; nothing was waited for, or no longer than it is worth."""


class SharedWindows:
    """Windows of `length` seconds in the Redis at `url`, which must be 7 or newer; for several threads.

    One thread asks at a time, which takes a fraction of a millisecond. So when Redis hangs one waits for it,
    and the others learn at once that it is away.
    """

    def __init__(self, url: str, length: int) -> None:
        """Prepare a connection; nothing is connected to yet."""
        self._redis, self._failures = client(url)
        self._length = length
        self._look = self._redis.register_script(LOOK)
        self._give_back = self._redis.register_script(GIVE_BACK)
        self._line = threading.Lock()
        self._asked = 0.0
        self._away = False
        self._again = 0.0

    def look(self, identity: str, limit: int, amount: int) -> Count:
        """Count `amount` (0 or 1) unless the limit is reached, and say where the identity stands."""
        arguments = [limit, self._length * 1000, amount]
        answer = self._ask(lambda: self._look([self._key(identity)], arguments))
        count, counted, ends, left = map(int, answer)
        return Count(count, counted > 0, ends / 1e3, left / 1e3, ends)

    def give_back(self, identity: str, name: float) -> int | None:
        """Take one count back if its window lasts; how many are left in it, else None."""
        count = int(self._ask(lambda: self._give_back([self._key(identity)], [int(name)])))
        return None if count < 0 else count

    def answers(self) -> bool:
        """Whether Redis answers."""
        try:
            return bool(self._redis.ping())
        except self._failures:
            return False

    def _key(self, identity: str) -> str:
        return f"mockup:requests:{self._length}:{identity}"

    def _ask(self, question: Callable[[], Any]) -> Any:
        """The answer to `question`; raises `AwayError`."""
        if self._is_resting():
            raise AwayError
        if self._away:
            mine = self._line.acquire(blocking=False)
        else:
            mine = self._line.acquire(timeout=max(0.0, PATIENCE_S - self._waited()))
        if not mine:
            raise AwayError
        try:
            if self._is_resting():  # somebody else has just tried
                raise AwayError
            self._asked = time.monotonic()
            try:
                answer = question()
            except self._failures as error:
                if not self._away:
                    log.warning("redis is away, rate limits are counted in this process", error=str(error))
                self._away, self._again = True, time.monotonic() + PAUSE_S
                raise AwayError from error
            if self._away:
                log.info("redis is back, rate limits are shared again")
            self._away = False
            return answer
        finally:
            self._asked = 0.0
            self._line.release()

    def _is_resting(self) -> bool:
        return self._away and time.monotonic() < self._again

    def _waited(self) -> float:
        """For how long whoever asks has been waiting; 0 when nobody does."""
        asked = self._asked
        return time.monotonic() - asked if asked else 0.0


def client(url: str) -> tuple[Redis, type[Exception]]:
    """A connection to the Redis or Valkey at `url`, made when it is needed, and the errors it may raise."""
    # Only the extra `cluster` brings Redis.
    try:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as error:
        raise AccountError("MOCKUP_REDIS_URL needs the extra: pip install mockup[cluster]") from error

    # Valkey speaks the same language under another name.
    url = re.sub(r"^(redis|valkey)\+unix:", "unix:", re.sub(r"^valkey(s?):", r"redis\1:", url))
    made = redis.Redis.from_url(
        url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=Retry(NoBackoff(), 0)
    )
    return made, redis.RedisError
