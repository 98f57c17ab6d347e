"""Threads that encode the packets of one picture side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Generic, TypeVar

from service.system.container import cpus

Result = TypeVar("Result")


# Read once, since it comes from files.
CPUS = cpus()


@cache
def pool() -> ThreadPoolExecutor:
    """One thread per processor, started when first needed."""
    return ThreadPoolExecutor(CPUS, "encode")


# Packets of one picture in progress before its writer waits, which bounds memory.
AHEAD = 2 * CPUS


class Packets(Generic[Result]):
    """Work on packets, done on several threads; results keep the order in which it was added."""

    def __init__(self) -> None:
        """Start with nothing to do."""
        self._pending: deque[Future[Result]] = deque()
        self._done: list[Result] = []

    def add(self, work: Callable[[], Result], *, alone: bool = False) -> None:
        """Run `work` on another thread, or here if it is the picture's only packet (`alone`)."""
        if alone or CPUS == 1:
            self._drain(0)
            self._done.append(work())
            return
        self._pending.append(pool().submit(work))
        self._drain(AHEAD)

    def results(self) -> list[Result]:
        """Return the results of all work, in order; raises what the work raised."""
        self._drain(0)
        return self._done

    def _drain(self, left: int) -> None:
        while len(self._pending) > left:
            self._done.append(self._pending.popleft().result())
