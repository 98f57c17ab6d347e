"""Threads that encode the packets of one picture side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Generic, TypeVar

from service.system.container import cpus

Result = TypeVar("Result")


# Asked once: the answer is read from files.
CPUS = cpus()


@cache
def pool() -> ThreadPoolExecutor:
    """The threads, as many as processors, started when first needed."""
    return ThreadPoolExecutor(CPUS, "encode")


# Packets of one picture under way before its writer waits, so that memory stays bounded.
AHEAD = 2 * CPUS


class Packets(Generic[Result]):
    """Work on one packet after the other, done on several threads, its results in the order it was given."""

    def __init__(self) -> None:
        """Begin without work."""
        self._pending: deque[Future[Result]] = deque()
        self._done: list[Result] = []

    def add(self, work: Callable[[], Result], *, alone: bool = False) -> None:
        """Do `work` on another thread, or right here when it is the picture's only packet (`alone`)."""
        if alone or CPUS == 1:
            self._drain(0)
            self._done.append(work())
            return
        self._pending.append(pool().submit(work))
        self._drain(AHEAD)

    def results(self) -> list[Result]:
        """What all the work gave, in order; raises what it raised."""
        self._drain(0)
        return self._done

    def _drain(self, left: int) -> None:
        while len(self._pending) > left:
            self._done.append(self._pending.popleft().result())
