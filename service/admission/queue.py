"""The queue in front of the renderers, fair between users.

A request takes a slot once its user is known, and keeps it until the response. Its render starts when the
user's turn comes, by start-time fair queueing: every render has an estimated cost in seconds of a worker, and
the next turn goes to the user who was given the fewest. The slots, a user's share of them and the memory of
all renders under way are bounded. Heavy renders leave one worker to the others. Previews take no slot, and
their turns come only when no render waits and a worker is free; public pictures come after them, one at a
time.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar

from ..clock import Clock
from ..concurrency.fair_shares import FairShares
from ..concurrency.start_times import StartTimes
from ..concurrency.waiting_line import Waiter, WaitingLine, finite
from ..errors import MockupError, busy
from ..limits import HEAVY_RENDER_S, QUICK_RENDER_S, RENDERS_AHEAD

T = TypeVar("T")
# The shortest time in seconds between checks of a deadline that moves.
LEAST_S = 0.05


class TurnKind(IntEnum):
    """The kind of work a turn is for; kinds listed first come first."""

    RENDER = 0
    PREVIEW = 1
    PUBLIC = 2


@dataclass(eq=False, slots=True)
class Demand:
    """A piece of a user's work, and the worker's seconds and bytes of memory that it will take.

    Work whose `kind` is not RENDER comes after all renders, and its `user` must be a name that no user has.
    At most `parallel` pieces of the user's work are under way at once. Waiting renders are counted under the
    name of the user's `plan`.
    """

    user: str
    cost: float = QUICK_RENDER_S
    memory: int = 0
    kind: TurnKind = TurnKind.RENDER
    parallel: int | None = None
    plan: str = ""
    # Seconds of a worker that the work took, once it has ended.
    worked: float = field(default=0.0, init=False)

    @property
    def heavy(self) -> bool:
        """Whether the work must leave a worker free for others."""
        return self.cost > HEAVY_RENDER_S


class Queue(WaitingLine[Demand]):
    """Slots for `capacity` requests, `at_once` of them rendering."""

    def __init__(
        self, at_once: int, capacity: int, room: float = math.inf, alone: float | None = None
    ) -> None:
        """Start empty; `room` is memory for all renders under way, `alone` for a single one, in bytes."""
        super().__init__()
        self.at_once = at_once
        self.capacity = capacity
        self.room = room
        self.alone = room if alone is None else alone
        self._slots = FairShares(capacity)
        self._running: Counter[str] = Counter()
        self._memory = 0
        # Heavy renders under way.
        self._heavy = 0
        # The cost of turns is in seconds of a worker.
        self._starts = StartTimes()
        self._mean = 0.25  # seconds per render, a moving average

    @property
    def occupied(self) -> int:
        """Slots in use."""
        return self._slots.used

    def waits(self, *, previews: bool, plan: str) -> int:
        """Renders that users of a plan wait for, or previews; callable from any thread."""
        demands = [waiter.want for line in list(self._lines.values()) for waiter in list(line)]
        return sum(one.plan == plan and (one.kind is not TurnKind.RENDER) == previews for one in demands)

    @property
    def running(self) -> int:
        """Renders under way."""
        return self._running.total()

    def is_full(self, user: str | None = None) -> bool:
        """Whether there is no slot for another request of `user`, or of any user if None.

        A user may hold at most as many slots as are free for everyone, so a newcomer always finds one.
        """
        return not self._slots.fits(user or "", 1)

    def fits(self, memory: int) -> bool:
        """Whether a render that takes `memory` bytes can ever start."""
        return memory <= self.alone

    @contextmanager
    def slot(self, user: str) -> Iterator[None]:
        """A slot for one request of `user`, as a context manager; raises `SERVER_BUSY` if there is none."""
        if self.is_full(user):
            raise self.busy()
        with self._slots.take(user, 1):
            yield

    async def run(
        self,
        demand: Demand,
        work: Callable[[], Coroutine[Any, Any, T]],
        clock: Clock,
        patience: float = math.inf,
    ) -> T:
        """Run `work` when its user's turn comes, within `patience` seconds, and return its result.

        The demand's cost is an estimate; the clock measures the actual time afterwards. Raises `SERVER_BUSY`
        if the turn does not come, and `RENDER_TIMEOUT` at the clock's deadline, which excludes the wait. If
        the caller is cancelled or the deadline passes, the work is cancelled too, without waiting for it; its
        turn lasts until it has ended.
        """
        start = clock.elapsed
        try:
            waiter = await self._wait(demand.user, demand, patience)
        finally:
            # Also count the wait if the turn did not come.
            waited = clock.elapsed - start
            clock.postpone(waited)
            clock.add("queue", waited * 1e3)
        job = self._begun(work, waiter, clock)
        try:
            done, _ = await asyncio.wait({job}, timeout=finite(clock.remaining))
            while not done and clock.remaining:
                # The clock was stopped while the work waited for a worker, so there is time left.
                done, _ = await asyncio.wait({job}, timeout=max(clock.remaining, LEAST_S))
        except asyncio.CancelledError:
            clock.cancel()
            job.cancel()
            raise
        if not done:
            clock.cancel()
            job.cancel()
            raise clock.expired()
        return job.result()

    def _next(self) -> Waiter[Demand] | None:
        """The first waiter of the user who was given the least, if it can start."""
        first = min(self._eligible(), key=self._rank, default=None)
        return first if first is not None and self._can_begin(first.want) else None

    def _eligible(self) -> list[Waiter[Demand]]:
        """The next waiter of each user, except those that cannot begin yet and that others may overtake."""
        heads = [line[0] for line in self._lines.values()]
        free = [one for one in heads if self._may_run_more(one)]
        eligible = [one for one in free if not one.want.heavy]
        if heavy := [one for one in free if one.want.heavy]:
            first = min(heavy, key=self._rank)
            # Running renders will end, so others may overtake this one, except heavy ones.
            fits = self._heavy < self.at_once - 1 and self._memory + first.want.memory <= self.room
            if fits or not self._heavy:
                eligible.append(first)
        return eligible

    def _may_run_more(self, waiter: Waiter[Demand]) -> bool:
        return waiter.want.parallel is None or self._running[waiter.owner] < waiter.want.parallel

    def _rank(self, waiter: Waiter[Demand]) -> tuple[int, float, int]:
        return waiter.want.kind, self._starts.of(waiter.owner), waiter.number

    def _can_begin(self, demand: Demand) -> bool:
        ahead = RENDERS_AHEAD if demand.cost <= QUICK_RENDER_S and demand.kind is TurnKind.RENDER else 0
        if self.running >= self.at_once + ahead:
            return False
        # A render that runs alone may take any amount.
        return not self.running or self._memory + demand.memory <= self.room

    def _begun(
        self, work: Callable[[], Coroutine[Any, Any, T]], waiter: Waiter[Demand], clock: Clock
    ) -> asyncio.Task[T]:
        start, before = time.perf_counter(), clock.worked
        job = asyncio.ensure_future(work())

        def ended(job: asyncio.Task[T]) -> None:
            demand = waiter.want
            # Retrieve the error, so that asyncio does not report it if the caller has left.
            if not job.cancelled() and job.exception() is None and demand.kind is TurnKind.RENDER:
                self._mean += 0.1 * (time.perf_counter() - start - self._mean)
            # If no worker has measured the work, use its estimated cost.
            demand.worked = clock.worked - before or demand.cost
            self._pass_on(waiter)

        job.add_done_callback(ended)
        return job

    def _begin(self, waiter: Waiter[Demand]) -> None:
        self._starts.begin(waiter.owner, waiter.want.cost)
        self._running[waiter.owner] += 1
        self._memory += waiter.want.memory
        self._heavy += waiter.want.heavy

    def _end(self, waiter: Waiter[Demand]) -> None:
        """End a turn, and charge the actual cost instead of the estimated one."""
        user, demand = waiter.owner, waiter.want
        self._running[user] -= 1
        if not self._running[user]:
            del self._running[user]
        self._memory -= demand.memory
        self._heavy -= demand.heavy
        self._starts.correct(user, demand.worked - demand.cost)
        if not self._running and not self._lines:
            self._starts.clear()
        elif len(self._starts) > 2 * self.capacity:
            self._starts.forget(but={*self._running, *self._lines})

    def busy(self) -> MockupError:
        """A 503 with the estimated time until there is room."""
        return busy(wait=max(1, math.ceil((self.waiting + self.running) * self._mean / self.at_once)))
