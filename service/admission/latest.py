"""Turns at work of which only the latest counts: one at a time for each owner, and one that waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from service.admission.budget import busy
from service.errors import Code, MockupError


@dataclass(slots=True)
class _Line:
    """What an owner has under way, and what waits for it to end."""

    waiting: asyncio.Future[None] | None = None


class Latest:
    """A turn for each of `owners` at most; whoever waits for one gives way to a newer request.

    What is under way is not ended for a newer request: two clients of one owner would else end each other's
    work for ever. For use on one event loop.
    """

    def __init__(self, owners: int) -> None:
        """Nothing is under way."""
        self._owners = owners
        self._lines: dict[str, _Line] = {}

    @property
    def occupied(self) -> int:
        """Owners that have something under way."""
        return len(self._lines)

    @property
    def waiting(self) -> int:
        """Owners of whom something waits for its turn."""
        return sum(line.waiting is not None for line in self._lines.values())

    @asynccontextmanager
    async def turn(self, owner: str, patience: float) -> AsyncIterator[None]:
        """Wait for the owner's turn, up to `patience` seconds, and hold it while the context lasts.

        Raises `SUPERSEDED` if a newer request takes this one's place, `SERVER_BUSY` if there are too many
        owners or the turn does not come.
        """
        await self._take(owner, patience)
        try:
            yield
        finally:
            self._pass_on(owner)

    async def _take(self, owner: str, patience: float) -> None:
        line = self._lines.get(owner)
        if line is None:
            if len(self._lines) >= self._owners:
                raise busy()
            self._lines[owner] = _Line()
            return
        if line.waiting is not None:
            line.waiting.set_exception(MockupError(Code.SUPERSEDED, "A newer request took this one's place"))
        line.waiting = mine = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait({mine}, timeout=patience)
        except asyncio.CancelledError:
            if mine.done() and mine.exception() is None:
                self._pass_on(owner)
            raise
        finally:
            if line.waiting is mine:
                line.waiting = None
        if not mine.done():
            raise busy()
        mine.result()

    def _pass_on(self, owner: str) -> None:
        line = self._lines[owner]
        mine, line.waiting = line.waiting, None
        if mine is None:
            del self._lines[owner]
        else:
            mine.set_result(None)
