"""A second thread, for what can be done to a picture while it is still being unpacked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any, Generic, TypeVar

from service.system.container import cpus

Result = TypeVar("Result")

# Work that waits before its caller does, which bounds memory.
AHEAD = 4
# Read once, since it comes from files; a decoder cannot open them later.
CPUS = cpus()


@cache
def thread() -> ThreadPoolExecutor:
    """The second thread; it starts with the first work it is given."""
    return ThreadPoolExecutor(1, "second")


class Ordered(Generic[Result]):
    """Work done on the second thread, in the order in which it was added."""

    def __init__(self) -> None:
        """Start with nothing to do."""
        self._pending: deque[Future[Result]] = deque()
        self._done: list[Result] = []

    def add(self, work: Callable[..., Result], *given: Any, alone: bool = False) -> None:
        """Call `work`; here if there is nothing to do beside it (`alone`), or only one processor."""
        if alone or CPUS == 1:
            self._drain(0)
            self._done.append(work(*given))
            return
        self._pending.append(thread().submit(work, *given))
        self._drain(AHEAD)

    def results(self) -> list[Result]:
        """Return the results of all work, in order; raises what the work raised."""
        self._drain(0)
        return self._done

    def _drain(self, left: int) -> None:
        while len(self._pending) > left:
            self._done.append(self._pending.popleft().result())
