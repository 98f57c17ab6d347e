"""Parallel work, with results in the order in which the work was added."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any, Generic, TypeVar

from ..clock import Clock
from ..system.container import cpus

Part = TypeVar("Part")
Result = TypeVar("Result")

# Determined once: it is read from files, which a decoder cannot open later.
CPUS = cpus()
# Pieces of work under way before their caller waits, which bounds memory.
AHEAD = 2 * CPUS


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    """Threads that all callers share; each starts when first needed."""
    return ThreadPoolExecutor(threads, "parts")


class OrderedWork(Generic[Result]):
    """Calls on a pool of `threads`, with at most `ahead` under way in addition to the oldest; for use by one
    thread.

    Work must not wait for other work of the same pool. With one processor, calls are made at once.
    """

    def __init__(self, ahead: int = AHEAD, threads: int = CPUS) -> None:
        """Start with nothing to do."""
        self._ahead = 0 if CPUS == 1 else ahead
        self._threads = threads
        self._jobs: deque[Future[Result]] = deque()

    def add(self, work: Callable[..., Result], *given: Any, alone: bool = False) -> None:
        """Call `work` on another thread; if it is `alone`, call it here, after all earlier work."""
        if alone or CPUS == 1:
            wait(self._jobs)
            done: Future[Result] = Future()
            done.set_result(work(*given))
            self._jobs.append(done)
            return
        self._jobs.append(pool(self._threads).submit(work, *given))
        if len(self._jobs) > self._ahead:
            wait([self._jobs[-1 - self._ahead]])

    def due(self) -> Iterator[Result]:
        """Yield the results of all but the newest work, which may still run; raises as the work does."""
        return self._taken(self._ahead)

    def results(self) -> Iterator[Result]:
        """Yield the results of all work; raises as the work does."""
        return self._taken(0)

    def cancel(self) -> None:
        """Drop work that has not begun."""
        for job in self._jobs:
            job.cancel()

    def _taken(self, left: int) -> Iterator[Result]:
        while len(self._jobs) > left:
            yield self._jobs.popleft().result()


def ordered_map(
    work: Callable[[Part], Result], parts: Sequence[Part], clock: Clock, *, ahead: int = AHEAD
) -> Iterator[Result]:
    """Yield `work` of each part in order, with up to `ahead` under way; checks the clock before each.

    A single part is not handed to another thread, which would take longer than small parts themselves.
    """
    ordered: OrderedWork[Result] = OrderedWork(ahead)
    try:
        for part in parts:
            clock.check()
            ordered.add(work, part, alone=len(parts) == 1)
            yield from ordered.due()
        yield from ordered.results()
    finally:
        ordered.cancel()
