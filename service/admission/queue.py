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
import itertools
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

from service.admission.budget import busy
from service.clock import Clock
from service.errors import MockupError

T = TypeVar("T")
# Renders handed over while all workers are busy, which wait in the workers' socket, so that a worker never
# waits for the event loop. Only quick ones are, so that little has to wait behind them.
AHEAD = 2
QUICK_S = 0.25
# Renders that take longer never occupy the last worker, where there are several.
HEAVY_S = 1.0
# Seconds between looks at a deadline that moves, at least.
LEAST_S = 0.05


class Kind(IntEnum):
    """What a turn is for; the first that can begin come first."""

    RENDER = 0
    PREVIEW = 1
    PUBLIC = 2


@dataclass(eq=False, slots=True)
class Waiting:
    """Work waiting for its turn, and the memory and the seconds of a worker it will take."""

    number: int
    kind: Kind
    memory: int
    cost: float
    plan: str
    # How many of the user's may be under way with it.
    parallel: float
    turn: asyncio.Future[None]

    @property
    def heavy(self) -> bool:
        """Whether it must leave a worker to others."""
        return self.cost > HEAVY_S


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
        # Heavy renders under way.
        self._heavy = 0
        # Seconds of a worker that users were given. A user begins at the level of the last turn, so that a
        # newcomer gets a fair share from now on rather than all that others had before.
        self._given: dict[str, float] = {}
        self._level = 0.0
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
        found = [one for line in lines for one in list(line) if one.plan == plan]
        return sum((one.kind is not Kind.RENDER) == previews for one in found)

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
        cost: float = QUICK_S,
        memory: int = 0,
        patience: float = math.inf,
        kind: Kind = Kind.RENDER,
        parallel: int | None = None,
        plan: str = "",
    ) -> T:
        """Run `work` when the turn of `user` comes, within `patience` seconds, and return its result.

        `cost` is the estimate of what the work takes of a worker, in seconds; the clock tells afterwards what
        it took. `memory` is in bytes. What is no render comes after all renders; its `user` must have a name
        that no render has. At most `parallel` of the user's are under way at once. `plan` is the user's,
        by whose name what waits is counted. Raises `SERVER_BUSY` if the turn does not come, and
        `RENDER_TIMEOUT` at the clock's deadline, which excludes the wait. If the caller is cancelled or the
        deadline passes, the work is cancelled too, without waiting for it; its turn lasts until it has ended.
        """
        start = clock.elapsed
        most = math.inf if parallel is None else parallel
        try:
            mine = await self._turn(user, kind, memory, cost, patience, plan, most)
        finally:
            # A wait in vain is one as well.
            waited = clock.elapsed - start
            clock.postpone(waited)
            clock.add("queue", waited * 1e3)
        job = self._begun(user, work, mine, clock)
        try:
            done, _ = await asyncio.wait({job}, timeout=_finite(clock.remaining))
            while not done and clock.remaining:
                # The work waited for a worker, and the clock did not run meanwhile.
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

    async def _turn(
        self,
        user: str,
        kind: Kind,
        memory: int,
        cost: float,
        patience: float,
        plan: str,
        parallel: float,
    ) -> Waiting:
        line = self._waiting.setdefault(user, deque())
        turn = asyncio.get_running_loop().create_future()
        mine = Waiting(next(self._numbers), kind, memory, cost, plan, parallel, turn)
        line.append(mine)
        self._admit()
        try:
            if not mine.turn.done():
                await asyncio.wait({mine.turn}, timeout=_finite(patience))
        except asyncio.CancelledError:
            if mine.turn.done():
                self._ended(user, mine, 0.0)
            raise
        finally:
            self._forget(user, mine)
        if not mine.turn.done():
            raise self.busy()
        return mine

    def _admit(self) -> None:
        """Give turns to work that can start, of the user who was given the least first."""
        while able := self._able():
            user = min(able, key=self._rank)
            first = self._waiting[user][0]
            if not self._begins(first):
                return
            self._level = max(self._level, self._stand(user))
            self._given[user] = self._stand(user) + first.cost
            self._running[user] += 1
            self._memory += first.memory
            self._heavy += first.heavy
            first.turn.set_result(None)
            self._forget(user, first)

    def _able(self) -> list[str]:
        """The users whose next turn is waited for if it comes first; all others are passed."""
        heads = {user: line[0] for user, line in self._waiting.items()}
        free = [user for user, one in heads.items() if self._running[user] < one.parallel]
        able = [user for user in free if not heads[user].heavy]
        if heavy := [user for user in free if heads[user].heavy]:
            first = min(heavy, key=self._rank)
            # Those under way will end, whatever passes this one meanwhile; only no other heavy one may.
            fits = self._heavy < self.at_once - 1 and self._memory + heads[first].memory <= self.room
            if fits or not self._heavy:
                able.append(first)
        return able

    def _stand(self, user: str) -> float:
        return max(self._level, self._given.get(user, 0.0))

    def _rank(self, user: str) -> tuple[int, float, int]:
        first = self._waiting[user][0]
        return first.kind, self._stand(user), first.number

    def _begins(self, one: Waiting) -> bool:
        ahead = AHEAD if one.cost <= QUICK_S and one.kind is Kind.RENDER else 0
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
            # If the head of a line leaves, others may be able to start.
            if not one.turn.done():
                self._admit()

    def _begun(
        self, user: str, work: Callable[[], Coroutine[Any, Any, T]], mine: Waiting, clock: Clock
    ) -> asyncio.Task[T]:
        start, before = time.perf_counter(), clock.worked
        job = asyncio.ensure_future(work())

        def ended(job: asyncio.Task[T]) -> None:
            # Retrieve the error, so that asyncio does not report it if the caller has left.
            if not job.cancelled() and job.exception() is None and mine.kind is Kind.RENDER:
                self._mean += 0.1 * (time.perf_counter() - start - self._mean)
            # What no worker has measured took what was estimated.
            self._ended(user, mine, clock.worked - before or mine.cost)

        job.add_done_callback(ended)
        return job

    def _ended(self, user: str, one: Waiting, worked: float) -> None:
        """Take back a turn, and charge what was `worked` in place of what was estimated."""
        _decrease(self._running, user)
        self._memory -= one.memory
        self._heavy -= one.heavy
        self._given[user] += worked - one.cost
        if not self._running and not self._waiting:
            self._given.clear()
            self._level = 0.0
        elif len(self._given) > 2 * self.capacity:
            kept = {*self._running, *self._waiting}
            self._given = {
                name: given for name, given in self._given.items() if given > self._level or name in kept
            }
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
