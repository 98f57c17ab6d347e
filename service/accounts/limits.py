"""Rate limits: each identity has a fixed window that starts with its first request."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import ceil

from ..config import Config
from ..limits import MOST_ADDRESSES, MOST_USERS
from .shared_windows import SharedWindows, UnavailableError
from .windows import Count, LocalWindows

_ADDRESS = "address:"


def address_identity(address: str) -> str:
    """The identity by which requests without a valid key are counted: their client's address."""
    return f"{_ADDRESS}{address}"


@dataclass(slots=True, eq=False)
class CountReceipt:
    """Allows a count to be refunded, once, to the windows that counted it."""

    windows: LocalWindows | SharedWindows
    identity: str
    name: float
    amount: int
    refunded: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True)
class Window:
    """The state of an identity's limit: `reset` in whole Unix seconds, `retry_after` in seconds, at least 1.

    `receipt` is set if something was counted.
    """

    limit: int
    remaining: int
    reset: int
    allowed: bool
    retry_after: int
    receipt: CountReceipt | None = field(default=None, compare=False, repr=False)


class RateLimits:
    """Counts requests by identity, in this process or in Redis; safe to use from several threads.

    While Redis is unreachable, each process counts on its own, starting from the last known counts: a
    slightly generous limit is better than a service that refuses everyone.
    """

    def __init__(self, config: Config) -> None:
        """Prepare the windows without connecting."""
        self._limit = config.rate_limit
        self._length = config.rate_window_s
        self._users = LocalWindows(config.rate_window_s, MOST_USERS)
        self._addresses = LocalWindows(config.rate_window_s, MOST_ADDRESSES)
        self._shared = None
        if config.redis_url is not None:
            self._shared = SharedWindows(config.redis_url.get_secret_value(), config.rate_window_s)

    def hit(self, identity: str, limit: int | None = None, amount: int = 1) -> Window:
        """Count a request unless the limit is reached, and return the window.

        `limit` is per window, in requests or in the unit of `amount`, and defaults to the configured one. The
        last amount may exceed it.
        """
        return self._window(identity, limit or self._limit, amount)

    def peek(self, identity: str, limit: int | None = None) -> Window:
        """Return the window without counting; `allowed` says whether another request would be allowed."""
        return self._window(identity, limit or self._limit, 0)

    def untouched(self) -> Window:
        """A fresh window for an unknown identity; nothing is looked up or counted."""
        return Window(self._limit, self._limit, ceil(time.time() + self._length), True, self._length)

    def refund(self, window: Window) -> Window:
        """Undo what was counted if its window still lasts; return the updated window."""
        receipt = window.receipt
        if receipt is None:
            return window
        with receipt.lock:
            refunded, receipt.refunded = receipt.refunded, True
        count = None
        if not refunded:
            # While Redis is unavailable, the count stays until the window ends.
            with suppress(UnavailableError):
                count = receipt.windows.refund(receipt.identity, receipt.name, receipt.amount)
        remaining = window.remaining if count is None else max(0, window.limit - count)
        return replace(window, remaining=remaining, receipt=None)

    @property
    def is_immediate(self) -> bool:
        """Whether counting needs no network."""
        return self._shared is None

    def is_shared(self) -> bool:
        """Whether Redis is configured and responds; asks it, so do not call this on the event loop."""
        return self._shared is not None and self._shared.responds()

    @property
    def is_degraded(self) -> bool:
        """Whether this process counts on its own because Redis did not respond."""
        return self._shared is not None and self._shared.failing

    def _window(self, identity: str, limit: int, amount: int) -> Window:
        local = self._addresses if identity.startswith(_ADDRESS) else self._users
        if self._shared is not None:
            with suppress(UnavailableError):
                count = self._shared.hit(identity, limit, amount)
                local.adopt(identity, count)
                return _window(self._shared, identity, limit, amount, count)
        count = local.hit(identity, limit, amount)
        return _window(local, identity, limit, amount, count)


def _window(
    windows: LocalWindows | SharedWindows, identity: str, limit: int, amount: int, count: Count
) -> Window:
    return Window(
        limit=limit,
        remaining=max(0, limit - count.count),
        # Rounded up, so that a caller who waits until then is never too early.
        reset=ceil(count.ends),
        allowed=count.counted if amount else count.count < limit,
        retry_after=max(1, ceil(count.left)),
        receipt=CountReceipt(windows, identity, count.name, amount) if count.counted else None,
    )
