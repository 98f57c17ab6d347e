"""Turns at work that only a few requests may do at a time; owners take turns, not requests."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Up to `at_once` turns at a time, given to waiting owners in rotation; for one event loop."""

    def __init__(self, at_once: int) -> None:
        """All turns are free at first."""
        self._free = at_once
        # The first owner is next; within an owner, the oldest request.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, owner: str) -> AsyncIterator[None]:
        """Wait for a turn of `owner`, and hold it while the context lasts."""
        await self._take(owner)
        try:
            yield
        finally:
            self._pass_on()

    async def _take(self, owner: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(owner, turn)
            else:
                self._pass_on()
            raise

    def _leave(self, owner: str, turn: asyncio.Future[None]) -> None:
        line = self._waiting.get(owner)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._waiting[owner]

    def _pass_on(self) -> None:
        while self._waiting:
            owner = next(iter(self._waiting))
            line = self._waiting.pop(owner)
            turn = line.popleft()
            if line:
                self._waiting[owner] = line
            # A request may have been cancelled just now, and not have left yet.
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
