"""Rate limit windows in the memory of this process."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from cachetools import TTLCache

# A larger difference from the end shown before means that the wall clock was set.
SET_S = 1.0


@dataclass(frozen=True, slots=True)
class Count:
    """A window's count: `ends` in Unix seconds, `left` in seconds; `name` distinguishes the window from the
    next one."""

    count: int
    counted: bool
    ends: float
    left: float
    name: float


@dataclass(slots=True)
class _Open:
    count: int
    over: float  # end on the monotonic clock
    ends: float  # end on the wall clock, as shown to callers


class LocalWindows:
    """Windows of `length` seconds from an identity's first request; for several threads.

    Their length is measured by the monotonic clock; the wall clock only shows when they end.
    """

    def __init__(self, length: float, most: int) -> None:
        """Keep windows of the `most` identities used last, about 400 bytes each."""
        self._length = length
        self._open: TTLCache[str, _Open] = TTLCache(most, length, timer=lambda: time.monotonic())
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Identities that are remembered."""
        return len(self._open)

    def hit(self, identity: str, limit: int, amount: int) -> Count:
        """Count `amount` unless the limit is reached, and return the count."""
        now, wall = time.monotonic(), time.time()
        with self._lock:
            self._open.expire(now)
            window = self._open.get(identity)
            if window is None or window.over <= now:
                window = _Open(0, now + self._length, wall + self._length)
                if amount:
                    self._open[identity] = window
            left = window.over - now
            if abs(wall + left - window.ends) > SET_S:
                window.ends = wall + left
            counted = amount > 0 and window.count < limit
            window.count += amount * counted
            return Count(window.count, counted, window.ends, left, window.over)

    def adopt(self, identity: str, count: Count) -> None:
        """Take over a count made elsewhere, and continue from it."""
        now = time.monotonic()
        with self._lock:
            if count.count:
                self._open[identity] = _Open(count.count, now + count.left, count.ends)
            else:
                self._open.pop(identity, None)

    def refund(self, identity: str, name: float, amount: int) -> int | None:
        """Undo the count of `amount` and return what remains, or None if the window has ended."""
        with self._lock:
            window = self._open.get(identity)
            if window is None or window.over != name or window.over <= time.monotonic():
                return None
            window.count = max(0, window.count - amount)
            return window.count
