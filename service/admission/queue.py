"""The queue in front of the renderers, fair between users.

A request takes a slot once its user is known, and keeps it until the response. Its render starts when the
user's turn comes: the next turn goes to the user with the fewest renders under way. The slots, a user's share
of them and the memory of all renders under way are bounded. Previews take no slot, and their turns come only
when no render waits and a worker is free.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from service.admission.budget import busy
from service.clock import Clock
from service.errors import MockupError

T = TypeVar("T")
# Renders handed over while all workers are busy, which wait in the workers' socket, so that a worker never
# waits for the event loop. Renders that take more memory than `LIGHT_BYTES` go only to a free worker, so that
# none has to wait behind them.
AHEAD = 2
LIGHT_BYTES = 96 * 2**20


@dataclass(eq=False, slots=True)
class Waiting:
    """A render or preview waiting for its turn, and the memory it will take."""

    number: int
    memory: int
    preview: bool
    plan: str
    # How many of the user's may be under way with it.
    parallel: float
    turn: asyncio.Future[None]


class Queue:
    """Slots for `capacity` requests, `at_once` of them rendering; for use on one event loop."""

    def __init__(
        self, at_once: int, capacity: int, room: float = math.inf, alone: float | None = None
    ) -> None:
        """Start empty; `room` is memory for all renders under way, `alone` for a single one, in bytes."""
        self.at_once = at_once
        self.capacity = capacity
        self.room = room
        self.alone = room if alone is None else alone
        self._slots: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        self._memory = 0
        self._waiting: dict[str, deque[Waiting]] = {}
        # When each waiting user last had a turn.
        self._turns: dict[str, int] = {}
        self._numbers = itertools.count(1)
        self._mean = 0.25  # seconds per render, a moving average

    @property
    def occupied(self) -> int:
        """Slots in use."""
        return self._slots.total()

    @property
    def waiting(self) -> int:
        """Renders waiting for their turn."""
        return sum(len(line) for line in self._waiting.values())

    def waits(self, *, previews: bool, plan: str) -> int:
        """Renders that users of a plan wait for, or previews; callable from any thread."""
        lines = list(self._waiting.values())
        return sum((one.preview, one.plan) == (previews, plan) for line in lines for one in list(line))

    @property
    def running(self) -> int:
        """Renders under way."""
        return self._running.total()

    def is_full(self, user: str | None = None) -> bool:
        """Whether there is no slot for another request of `user`, or of any user if None.

        A user may hold as many slots as are left for everyone, so a newcomer always finds one.
        """
        free = self.capacity - self.occupied
        return free <= (self._slots[user] if user is not None else 0)

    def fits(self, memory: int) -> bool:
        """Whether a render that takes `memory` bytes can ever start."""
        return memory <= self.alone

    @contextmanager
    def slot(self, user: str) -> Iterator[None]:
        """A slot for one request of `user`, as a context manager; raises `SERVER_BUSY` if there is none."""
        if self.is_full(user):
            raise self.busy()
        self._slots[user] += 1
        try:
            yield
        finally:
            _decrease(self._slots, user)

    async def run(
        self,
        user: str,
        work: Callable[[], Coroutine[Any, Any, T]],
        clock: Clock,
        *,
        memory: int = 0,
        patience: float = math.inf,
        preview: bool = False,
        parallel: int | None = None,
        plan: str = "",
    ) -> T:
        """Run `work` when the turn of `user` comes, within `patience` seconds, and return its result.

        `memory` is what the work takes, in bytes. A `preview` comes after all renders; its `user` must have a
        name that no render has. At most `parallel` of the user's are under way at once. `plan` is the user's,
        by whose name what waits is counted. Raises `SERVER_BUSY` if the turn does not come, and
        `RENDER_TIMEOUT` at the clock's deadline, which excludes the wait. If the caller is cancelled or the
        deadline passes, the work is cancelled too, without waiting for it; its turn lasts until it has ended.
        """
        start = clock.elapsed
        most = math.inf if parallel is None else parallel
        try:
            await self._turn(user, memory, patience, preview, plan, most)
        finally:
            # A wait in vain is one as well.
            waited = clock.elapsed - start
            clock.postpone(waited)
            clock.add("queue", waited * 1e3)
        job = self._begun(user, work, memory, preview)
        try:
            done, _ = await asyncio.wait({job}, timeout=_finite(clock.remaining))
        except asyncio.CancelledError:
            clock.cancel()
            job.cancel()
            raise
        if not done:
            clock.cancel()
            job.cancel()
            raise clock.expired()
        return job.result()

    async def _turn(
        self, user: str, memory: int, patience: float, preview: bool, plan: str, parallel: float
    ) -> None:
        line = self._waiting.setdefault(user, deque())
        turn = asyncio.get_running_loop().create_future()
        mine = Waiting(next(self._numbers), memory, preview, plan, parallel, turn)
        line.append(mine)
        self._admit()
        try:
            if not mine.turn.done():
                await asyncio.wait({mine.turn}, timeout=_finite(patience))
        except asyncio.CancelledError:
            if mine.turn.done():
                self._ended(user, memory)
            raise
        finally:
            self._forget(user, mine)
        if not mine.turn.done():
            raise self.busy()

    def _admit(self) -> None:
        """Give turns to renders that can start, and then to previews.

        The user with the fewest under way comes first; ties go to the one whose last turn is longest ago.
        """
        while able := [
            user for user, line in self._waiting.items() if self._running[user] < line[0].parallel
        ]:
            user = min(able, key=self._rank)
            first = self._waiting[user][0]
            if not self._begins(first):
                return
            self._running[user] += 1
            self._memory += first.memory
            self._turns[user] = next(self._numbers)
            first.turn.set_result(None)
            self._forget(user, first)

    def _rank(self, user: str) -> tuple[bool, int, int, int]:
        first = self._waiting[user][0]
        return first.preview, self._running[user], self._turns.get(user, 0), first.number

    def _begins(self, one: Waiting) -> bool:
        ahead = AHEAD if one.memory <= LIGHT_BYTES and not one.preview else 0
        if self.running >= self.at_once + ahead:
            return False
        # A sole render may take any amount.
        return not self.running or self._memory + one.memory <= self.room

    def _forget(self, user: str, one: Waiting) -> None:
        line = self._waiting.get(user)
        if line is not None and one in line:
            line.remove(one)
            if not line:
                del self._waiting[user]
                self._turns.pop(user, None)
            # If the head of a line leaves, others may be able to start.
            if not one.turn.done():
                self._admit()

    def _begun(
        self, user: str, work: Callable[[], Coroutine[Any, Any, T]], memory: int, preview: bool
    ) -> asyncio.Task[T]:
        start = time.perf_counter()
        job = asyncio.ensure_future(work())

        def ended(job: asyncio.Task[T]) -> None:
            # Retrieve the error, so that asyncio does not report it if the caller has left.
            if not job.cancelled() and job.exception() is None and not preview:
                self._mean += 0.1 * (time.perf_counter() - start - self._mean)
            self._ended(user, memory)

        job.add_done_callback(ended)
        return job

    def _ended(self, user: str, memory: int) -> None:
        _decrease(self._running, user)
        self._memory -= memory
        self._admit()

    def busy(self) -> MockupError:
        """A 503 with the estimated time until there is room."""
        return busy(wait=max(1, math.ceil((self.waiting + self.running) * self._mean / self.at_once)))


def _decrease(counter: Counter[str], name: str) -> None:
    counter[name] -= 1
    if not counter[name]:
        del counter[name]


def _finite(seconds: float) -> float | None:
    return None if math.isinf(seconds) else seconds
