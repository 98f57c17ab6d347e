"""Single flights of tasks: when several want the same outcome, one of them works for all.

Tasks must not block, so the others wait for a future.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class AsyncSingleFlight(Generic[K, T]):
    """Work under way by key, and those who wait for its outcome; results are not kept. For use on one event
    loop."""

    def __init__(self) -> None:
        """Start with nothing under way."""
        self._under_way: dict[K, asyncio.Future[T]] = {}

    def __len__(self) -> int:
        return len(self._under_way)

    def __contains__(self, key: K) -> bool:
        """Whether somebody works on `key`."""
        return key in self._under_way

    async def run(self, key: K, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run `work`, or wait for the flight under way; returns or raises as it does.

        A flight goes on if its callers leave.
        """
        if key not in self._under_way:
            task = self._under_way[key] = asyncio.create_task(work())
            task.add_done_callback(lambda _: self._end(key))
        return await self.outcome(key)

    def begin(self, key: K) -> None:
        """Have others wait until the caller provides the outcome of its work by `settle`."""
        self._under_way[key] = asyncio.get_running_loop().create_future()

    @contextmanager
    def working(self, key: K, outcome: T) -> Iterator[None]:
        """Have others wait while a block runs, and give them `outcome` at its end, even if it raises."""
        self.begin(key)
        try:
            yield
        finally:
            self.settle(key, outcome)

    async def outcome(self, key: K) -> T:
        """The outcome of the work under way."""
        return await asyncio.shield(self._under_way[key])

    def settle(self, key: K, outcome: T) -> None:
        """Give the outcome to those who wait, if the work was under way."""
        if key in self:
            self._end(key).set_result(outcome)

    def _end(self, key: K) -> asyncio.Future[T]:
        ended = self._under_way.pop(key)
        if ended.done() and not ended.cancelled():
            # Retrieved, so that asyncio does not report it if the callers have left.
            ended.exception()
        return ended
