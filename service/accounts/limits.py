"""Rate limits: a fixed window for each identity, which begins at its first request."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import ceil

from service.accounts.shared_windows import AwayError, SharedWindows
from service.accounts.windows import Count, LocalWindows
from service.config import Config


@dataclass(slots=True, eq=False)
class Receipt:
    """What gives one count back: to the windows that counted it, and once."""

    windows: LocalWindows | SharedWindows
    identity: str
    name: float
    given_back: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True)
class Window:
    """Where an identity stands: `reset` in whole Unix seconds, `retry_after` in seconds, at least 1.

    `receipt` is there when a request was counted.
    """

    limit: int
    remaining: int
    reset: int
    allowed: bool
    retry_after: int
    receipt: Receipt | None = field(default=None, compare=False, repr=False)


class RateLimits:
    """Counts requests by identity, in this process or in Redis; safe to use from several threads.

    When Redis cannot be reached, each process counts for itself until it can: a limit that is a little too
    generous is better than a service that refuses everybody.
    """

    def __init__(self, config: Config) -> None:
        """Prepare the windows; nothing is connected to yet."""
        self._limit = config.rate_limit
        self._length = config.rate_window_s
        self._local = LocalWindows(config.rate_window_s)
        self._shared = None
        if config.redis_url is not None:
            self._shared = SharedWindows(config.redis_url.get_secret_value(), config.rate_window_s)

    def hit(self, identity: str, limit: int | None = None) -> Window:
        """Count one request and say whether it is allowed; a refused one is not counted.

        `limit` is the requests in a window, those that are configured for a user when None.
        """
        return self._look(identity, limit or self._limit, 1)

    def peek(self, identity: str) -> Window:
        """Say where an identity stands without counting; `allowed` is whether one more request would be."""
        return self._look(identity, self._limit, 0)

    def untouched(self) -> Window:
        """Where somebody stands of whom nothing is known; nobody is asked and nothing counted."""
        return Window(self._limit, self._limit, ceil(time.time() + self._length), True, self._length)

    def refund(self, window: Window) -> Window:
        """Give a counted request back, as long as its window lasts; the window as it is then."""
        receipt = window.receipt
        if receipt is None:
            return window
        with receipt.lock:
            given_back, receipt.given_back = receipt.given_back, True
        count = None
        if not given_back:
            # Where Redis is away one count too many stays in it, for a window at most.
            with suppress(AwayError):
                count = receipt.windows.give_back(receipt.identity, receipt.name)
        remaining = window.remaining if count is None else max(0, window.limit - count)
        return replace(window, remaining=remaining, receipt=None)

    @property
    def is_immediate(self) -> bool:
        """Whether counting asks nobody else, so that it takes no time."""
        return self._shared is None

    def is_shared(self) -> bool:
        """Whether Redis is configured and answers."""
        return self._shared is not None and self._shared.answers()

    def _look(self, identity: str, limit: int, amount: int) -> Window:
        if self._shared is not None:
            with suppress(AwayError):
                return _window(self._shared, identity, limit, amount)
        return _window(self._local, identity, limit, amount)


def _window(windows: LocalWindows | SharedWindows, identity: str, limit: int, amount: int) -> Window:
    found: Count = windows.look(identity, limit, amount)
    return Window(
        limit=limit,
        remaining=max(0, limit - found.count),
        # Rounded up, so that a caller who waits for it is never too early.
        reset=ceil(found.ends),
        allowed=found.counted if amount else found.count < limit,
        retry_after=max(1, ceil(found.left)),
        receipt=Receipt(windows, identity, found.name) if found.counted else None,
    )
