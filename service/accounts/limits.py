"""Rate limits: a fixed window for each identity, which begins at its first request."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from math import ceil

import structlog
from limits import RateLimitItemPerSecond
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage

from service.accounts.errors import AccountError
from service.config import Config

# After Redis failed it is left alone this long, so that not every request waits for it in vain.
PAUSE_S = 5.0
TIMEOUT_S = 0.5
# Windows that are over are let go of this often.
SWEEP_S = 1.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Window:
    """Where an identity stands: `reset` in whole Unix seconds, `retry_after` in seconds, at least 1."""

    limit: int
    remaining: int
    reset: int
    allowed: bool
    retry_after: int


class SharedStorage(RedisStorage):
    """Redis with the exact end of a window: whole seconds left, as elsewhere, would let it move."""

    def get_expiry(self, key: str) -> float:
        """Unix seconds at which the window ends; now when there is none. Needs Redis 7."""
        ends = int(self.get_connection(True).pexpiretime(self.prefixed_key(key)))  # type: ignore[attr-defined]
        return ends / 1e3 if ends > 0 else time.time()


class Rest(threading.Timer):
    """Stands in for the timer of the library's memory storage, which else starts a thread every 10 ms."""

    def __init__(self, seconds: float) -> None:
        super().__init__(0, lambda: None)
        self._until = time.monotonic() + seconds

    def is_alive(self) -> bool:
        """Whether another sweep would be too early."""
        return time.monotonic() < self._until


class RateLimits:
    """Counts requests by identity, in this process or in Redis; safe to use from several threads.

    When Redis cannot be reached, each process counts for itself until it can: a limit that is a little too
    generous is better than a service that refuses everybody.
    """

    def __init__(self, config: Config) -> None:
        """Prepare the storage; nothing is connected to yet."""
        self._item = RateLimitItemPerSecond(config.rate_limit, config.rate_window_s)
        self._local = MemoryStorage()
        self._shared = _shared(config.redis_url.get_secret_value()) if config.redis_url else None
        self._shared_again = 0.0
        # Two threads that count at once would each see the other's request in the library's memory storage.
        self._lock = threading.Lock()

    def hit(self, identity: str) -> Window:
        """Count one request and say whether it is allowed; a refused one never moves the reset."""
        return self._look(identity, 1)

    def peek(self, identity: str) -> Window:
        """Say where an identity stands without counting; `allowed` is whether one more request would be."""
        return self._look(identity, 0)

    @property
    def is_immediate(self) -> bool:
        """Whether counting asks nobody else, so that it takes no time."""
        return self._shared is None

    def is_shared(self) -> bool:
        """Whether Redis is configured and answers."""
        return self._shared is not None and self._shared.check()

    def _look(self, identity: str, amount: int) -> Window:
        key = self._item.key_for(identity)
        if self._shared is not None and time.monotonic() >= self._shared_again:
            try:
                return self._window(self._shared, key, amount)
            except StorageError as error:
                self._shared_again = time.monotonic() + PAUSE_S
                log.warning("redis out of reach, rate limits are counted in this process", error=str(error))
        with self._lock:
            window = self._window(self._local, key, amount)
            if not isinstance(self._local.timer, Rest):
                # The sweep that was just begun needs nobody to hold it.
                self._local.timer = Rest(SWEEP_S)
            return window

    def _window(self, storage: Storage, key: str, amount: int) -> Window:
        limit, length = self._item.amount, self._item.get_expiry()
        count = storage.incr(key, length, amount) if amount else storage.get(key)
        moment = time.time()
        # Before the first request there is no window: one that began now is shown.
        end = storage.get_expiry(key) if count else moment + length
        return Window(
            limit=limit,
            remaining=max(0, limit - count),
            reset=ceil(end),
            allowed=count <= limit if amount else count < limit,
            retry_after=max(1, ceil(end - moment)),
        )


def _shared(url: str) -> SharedStorage:
    # Only the extra `cluster` brings Redis.
    try:
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as error:
        raise AccountError("MOCKUP_REDIS_URL needs the extra: pip install mockup[cluster]") from error

    storage = SharedStorage(
        url, wrap_exceptions=True, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S
    )
    storage.storage.set_retry(Retry(NoBackoff(), 0))
    return storage
