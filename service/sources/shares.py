"""Slots shared fairly between users, so that no one can take them all."""

from __future__ import annotations

import asyncio
from collections import Counter, deque


class Shares:
    """`total` slots; the user with the fewest is next, and may hold no more than they leave free.

    A single user can therefore take half of the slots, and the next user always finds some free; a sole slot
    is open to anyone. For use on one event loop.
    """

    def __init__(self, total: int) -> None:
        self._free = total
        self._held: Counter[str] = Counter()
        # In the order in which users started waiting.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def take(self, user: str) -> None:
        """Wait for a slot and take it; `give_back` must follow."""
        if user not in self._waiting and self._may(user):
            self._grant(user)
            return
        slot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(user, deque()).append(slot)
        try:
            await slot
        except asyncio.CancelledError:
            if slot.done() and not slot.cancelled():
                self.give_back(user)
            else:
                self._leave(user, slot)
            raise

    def give_back(self, user: str) -> None:
        """Free a slot that was taken."""
        self._free += 1
        self._held[user] -= 1
        if not self._held[user]:
            del self._held[user]
        while able := [name for name in self._waiting if self._may(name)]:
            following = min(able, key=lambda name: self._held[name])
            slot = self._waiting[following][0]
            self._leave(following, slot)
            # A cancelled waiter may not have removed itself yet.
            if not slot.done():
                self._grant(following)
                slot.set_result(None)

    def _may(self, user: str) -> bool:
        return self._held[user] < self._free

    def _grant(self, user: str) -> None:
        self._free -= 1
        self._held[user] += 1

    def _leave(self, user: str, slot: asyncio.Future[None]) -> None:
        waiting = self._waiting.get(user, deque())
        if slot in waiting:
            waiting.remove(slot)
        if not waiting:
            self._waiting.pop(user, None)
