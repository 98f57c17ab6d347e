"""Whether a failed call is retried, and when."""

from __future__ import annotations

import random
from dataclasses import dataclass

#: Too many requests, an overloaded service, or a proxy that lost its server.
AGAIN = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Retries:
    """At most `times` further attempts; waits double from `first` to `longest` seconds, with jitter.

    The service's `Retry-After` replaces the wait; if it is longer than `longest`, the call is not repeated.
    """

    times: int = 3
    first: float = 0.25
    longest: float = 60.0

    def wait(self, attempt: int, status: int | None, after: float | None) -> float | None:
        """Seconds until the next attempt after attempt number `attempt` (from 0) failed; None to give up.

        `status` is None if there was no response; `after` is its `Retry-After`.
        """
        if attempt >= self.times or (status is not None and status not in AGAIN):
            return None
        if after is not None:
            return after if after <= self.longest else None
        return min(self.longest, self.first * 2.0**attempt) * random.uniform(0.5, 1.0)
