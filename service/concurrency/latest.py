"""Turns for work in which only an owner's latest request counts: a few are under way, and one waits."""

from __future__ import annotations

from collections import Counter
from contextlib import AbstractAsyncContextManager

from ..errors import Code, MockupError, busy
from .waiting_line import Waiter, WaitingLine


class Latest(WaitingLine[None]):
    """Turns for at most `owners` owners at a time; a waiting request gives way to a newer one of its owner.

    Work under way is not cancelled for a newer request: otherwise, two clients of the same owner could keep
    cancelling each other's work.
    """

    def __init__(self, owners: int, each: int = 1) -> None:
        """Start with nothing under way; an owner may have work of `each` requests under way at a time."""
        super().__init__()
        self._owners, self._each = owners, each
        self._active: Counter[str] = Counter()

    @property
    def occupied(self) -> int:
        """Owners that have something under way."""
        return len(self._active)

    def turn(self, owner: str, patience: float) -> AbstractAsyncContextManager[None]:
        """Wait for the owner's turn, up to `patience` seconds, and hold it while the context lasts.

        Raises `SUPERSEDED` if a newer request takes this one's place, `SERVER_BUSY` if there are too many
        owners or the turn does not come.
        """
        if owner not in self._active and len(self._active) >= self._owners:
            raise busy()
        for older in self._lines.pop(owner, ()):
            older.turn.set_exception(MockupError(Code.SUPERSEDED, "A newer request took this one's place"))
        return self._turn(owner, None, patience)

    def _next(self) -> Waiter[None] | None:
        heads = ((owner, line[0]) for owner, line in self._lines.items())
        return next((head for owner, head in heads if self._active[owner] < self._each), None)

    def _begin(self, waiter: Waiter[None]) -> None:
        self._active[waiter.owner] += 1

    def _end(self, waiter: Waiter[None]) -> None:
        self._active[waiter.owner] -= 1
        if not self._active[waiter.owner]:
            del self._active[waiter.owner]
