"""A bounded queue in front of the renderers: work is taken on at once, or refused at once.

Bounded are the pieces of work, those of one user, and the memory that all of it may come to need: what every
piece holds, and what the largest ones that can run side by side take while they do.
"""

from __future__ import annotations

import asyncio
import heapq
import math
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from service.clock import Clock
from service.config import Config
from service.container import memory
from service.errors import Code, MockupError

T = TypeVar("T")
Footprint = tuple[int, int]
QUEUE_PER_RENDERER = 16
# Of the memory at hand; the rest is for connections, bodies on their way and what the allocator keeps.
MEMORY_SHARE = 0.8
# What the server takes when nothing is rendered, and what each renderer does with its decoder.
SERVER_BYTES = 128 * 2**20
RENDERER_BYTES = 64 * 2**20
LEAST_BYTES = 64 * 2**20
# Of the room for renders, what bodies on their way may take beside it.
BODY_SHARE = 0.25


class Place:
    """A place in the queue that is kept for a request of `user` while it is looked at."""

    def __init__(self, arriving: Counter[str], user: str) -> None:
        self._arriving = arriving
        self._user = user
        self.kept = False

    def keep(self) -> None:
        """Take the place."""
        self.kept = True
        self._arriving[self._user] += 1

    def leave(self) -> None:
        """Give the place up, if it is still kept."""
        if self.kept:
            self.kept = False
            self._arriving[self._user] -= 1
            if not self._arriving[self._user]:
                del self._arriving[self._user]


class Queue:
    """At most `at_once + queue` pieces of work are held, and `per_user` of one user; for one event loop."""

    def __init__(self, at_once: int, queue: int, per_user: int, room: float = math.inf) -> None:
        """Begin empty; `at_once` pieces run at a time, whoever does them, and `room` is memory in bytes."""
        self.at_once = at_once
        self.capacity = at_once + queue
        self.room = room
        self._per_user = per_user
        self._held = 0
        self._seated = 0
        self._arriving: Counter[str] = Counter()
        self._incoming = 0
        self._footprints: list[Footprint] = []
        self._users: Counter[str] = Counter()
        self._mean = 0.25  # seconds a piece of work takes; follows what is measured

    @classmethod
    def from_config(cls, config: Config, at_once: int) -> Queue:
        """As configured, for renderers that make `at_once` pictures at a time."""
        queue = QUEUE_PER_RENDERER * at_once if config.queue_size is None else config.queue_size
        at_hand = memory() if config.memory_bytes is None else config.memory_bytes
        idle = SERVER_BYTES + at_once * RENDERER_BYTES
        room = max(LEAST_BYTES, MEMORY_SHARE * at_hand - idle - config.cache_bytes)
        return cls(at_once, queue, config.renders_per_user, room)

    @property
    def held(self) -> int:
        """Pieces of work that wait or run."""
        return self._held

    @property
    def free(self) -> int:
        """Places that neither work has nor a request that is about to bring some."""
        return self.capacity - max(self._held, self._seated) - self._arriving.total()

    @property
    def full(self) -> bool:
        """Whether every place is taken."""
        return self.free <= 0

    @contextmanager
    def place(self, user: str) -> Iterator[Place]:
        """Keep a place for a request of `user` from its first byte on, so that only those begin who can end.

        Nothing is kept of places beyond the user's share.
        """
        place = Place(self._arriving, user)
        if self._users[user] + self._arriving[user] < self._per_user:
            place.keep()
        try:
            yield place
        finally:
            place.leave()

    @contextmanager
    def away(self, place: Place | None) -> Iterator[None]:
        """Give `place` up while its request waits for the client, whose slowness must keep nobody out.

        Raises `SERVER_BUSY` when there is none left afterwards.
        """
        if place is None or not place.kept:
            yield
            return
        place.leave()
        yield
        if self.full:
            raise self.busy()
        place.keep()

    @contextmanager
    def seat(self, user: str, place: Place | None = None) -> Iterator[None]:
        """Count one request of `user` while it lasts; raises `SERVER_BUSY` when there is no room for it.

        The `place` that was kept for the request is given up for the seat.
        """
        if self._users[user] >= self._per_user:
            raise self.busy(f"{self._per_user} renders of this user are in flight already")
        if place is not None:
            place.leave()
        if self.full:
            raise self.busy()
        self._seated += 1
        self._users[user] += 1
        try:
            yield
        finally:
            self._seated -= 1
            self._users[user] -= 1
            if not self._users[user]:
                del self._users[user]

    @contextmanager
    def receiving(self) -> Iterator[Callable[[int], None]]:
        """Gives what is to be told of every piece of a body, in bytes, while the body is received.

        It raises `SERVER_BUSY` when all bodies on their way take more than their share of the memory.
        """
        mine = 0

        def count(size: int) -> None:
            nonlocal mine
            # Alone, any body is let in, as any work is.
            if self._incoming > mine and self._incoming + size > BODY_SHARE * self.room:
                raise self.busy()
            mine += size
            self._incoming += size

        try:
            yield count
        finally:
            self._incoming -= mine

    async def run(
        self, work: Callable[[], Coroutine[Any, Any, T]], clock: Clock, footprint: Footprint = (0, 0)
    ) -> T:
        """The result of `work`; `footprint` in bytes, while it waits and runs.

        Raises `SERVER_BUSY` at once when the queue or the memory is full and `RENDER_TIMEOUT` at the clock's
        deadline. When the caller is cancelled or too late, so is the work, and nobody waits for it; its place
        is taken until it has ended.
        """
        job = self._begun(work, clock, footprint)
        try:
            done, _ = await asyncio.wait({job}, timeout=_finite(clock.remaining))
        except asyncio.CancelledError:
            clock.cancel()
            job.cancel()
            raise
        if not done:
            clock.cancel()
            job.cancel()
            message = f"Rendering took longer than {clock.timeout:g} seconds"
            raise MockupError(Code.RENDER_TIMEOUT, message)
        return job.result()

    def _begun(
        self, work: Callable[[], Coroutine[Any, Any, T]], clock: Clock, footprint: Footprint
    ) -> asyncio.Task[T]:
        # Alone, any work is let in: it is within the limits of a request, and would else never be done.
        full = self._held and self._needed(footprint) > self.room
        if full or self._held >= self.capacity:
            raise self.busy()
        self._held += 1
        self._footprints.append(footprint)
        start = time.perf_counter()
        job = asyncio.ensure_future(work())

        def ended(job: asyncio.Task[T]) -> None:
            self._held -= 1
            self._footprints.remove(footprint)
            # An error that nobody waits for any more must not be reported as never retrieved.
            if not job.cancelled() and job.exception() is None:
                spent = time.perf_counter() - start - clock.stages.get("queue", 0.0) / 1e3
                self._mean += 0.1 * (spent - self._mean)

        job.add_done_callback(ended)
        return job

    def _needed(self, another: Footprint) -> int:
        """Memory that the held work and `another` will take at worst."""
        every = [*self._footprints, another]
        running = heapq.nlargest(self.at_once, (running for _, running in every))
        return sum(waiting for waiting, _ in every) + sum(running)

    def busy(self, message: str = "The server is busy") -> MockupError:
        """What is said when there is no room, with the time after which there may be."""
        wait = max(1, math.ceil(self._held * self._mean / self.at_once))
        return MockupError(Code.SERVER_BUSY, f"{message}. Try again in {wait} seconds", retry_after=wait)


def _finite(seconds: float) -> float | None:
    return None if math.isinf(seconds) else seconds
