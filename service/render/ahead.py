"""Parts of a picture processed in parallel, a little ahead of the caller, who gets the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from service.clock import Clock
from service.system.container import cpus

Part = TypeVar("Part")
Result = TypeVar("Result")

CPUS = cpus()  # asked once: the answer is read from files


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(CPUS, "parts")


def ahead(
    work: Callable[[Part], Result], parts: Iterable[Part], clock: Clock, *, most: int = 2 * CPUS
) -> Iterator[Result]:
    """Yield `work` of each part in order, with up to `most` under way; checks the clock before each."""
    if CPUS == 1:
        for part in parts:
            clock.check()
            yield work(part)
        return
    pending: deque[Future[Result]] = deque()
    try:
        for part in parts:
            clock.check()
            pending.append(_pool().submit(work, part))
            if len(pending) > most:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for job in pending:
            job.cancel()
