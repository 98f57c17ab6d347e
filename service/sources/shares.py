"""Places that users share, so that nobody takes all of them."""

from __future__ import annotations

import asyncio
from collections import Counter, deque


class Shares:
    """`total` places; whoever holds the fewest is next, and nobody takes more than they leave free.

    One user alone gets half of the places, so that the next one finds some, however long the first keeps
    theirs; a place that is alone anybody may take. For one event loop.
    """

    def __init__(self, total: int) -> None:
        self._free = total
        self._held: Counter[str] = Counter()
        # In the order in which users began to wait.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def take(self, user: str) -> None:
        """Wait for a place and take it; `give_back` must follow."""
        if user not in self._waiting and self._may(user):
            self._grant(user)
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(user, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.give_back(user)
            else:
                self._leave(user, place)
            raise

    def give_back(self, user: str) -> None:
        """Let others have a place that was taken."""
        self._free += 1
        self._held[user] -= 1
        if not self._held[user]:
            del self._held[user]
        while able := [name for name in self._waiting if self._may(name)]:
            following = min(able, key=lambda name: self._held[name])
            place = self._waiting[following][0]
            self._leave(following, place)
            # One that was cancelled has not come to leave by itself yet.
            if not place.done():
                self._grant(following)
                place.set_result(None)

    def _may(self, user: str) -> bool:
        return self._held[user] < self._free

    def _grant(self, user: str) -> None:
        self._free -= 1
        self._held[user] += 1

    def _leave(self, user: str, place: asyncio.Future[None]) -> None:
        waiting = self._waiting.get(user, deque())
        if place in waiting:
            waiting.remove(place)
        if not waiting:
            self._waiting.pop(user, None)
