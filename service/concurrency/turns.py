"""Turns for work that only a few requests may do at a time. Turns rotate between owners, however many
requests each has."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from .waiting_line import Waiter, WaitingLine


class Turns(WaitingLine[None]):
    """Up to `at_once` turns at a time, given to waiting owners in rotation."""

    def __init__(self, at_once: int) -> None:
        """All turns are free at first."""
        super().__init__()
        self._free = at_once

    def turn(self, owner: str) -> AbstractAsyncContextManager[None]:
        """Wait for a turn of `owner`, and hold it while the context lasts."""
        return self._turn(owner, None)

    def _next(self) -> Waiter[None] | None:
        return next((line[0] for line in self._lines.values()), None) if self._free else None

    def _begin(self, waiter: Waiter[None]) -> None:
        self._free -= 1

    def _end(self, waiter: Waiter[None]) -> None:
        self._free += 1
