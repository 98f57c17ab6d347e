"""Requests that wait for their turns; subclasses are policies that choose the next."""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..errors import MockupError, busy

Want = TypeVar("Want")


@dataclass(eq=False, slots=True)
class Waiter(Generic[Want]):
    """A waiting request of `owner`; the future `turn` is done once its turn has come."""

    number: int
    owner: str
    want: Want
    turn: asyncio.Future[None]


class WaitingLine(ABC, Generic[Want]):
    """A line for each owner, in which the oldest request is first; for one event loop.

    Owners are in the order in which they began to wait or last got a turn. If a caller leaves, its request is
    forgotten, and a turn that came at the same moment goes to the next.
    """

    def __init__(self) -> None:
        """The line is empty at first."""
        self._lines: dict[str, deque[Waiter[Want]]] = {}
        self._numbers = itertools.count(1)

    @property
    def waiting(self) -> int:
        """Requests that wait for their turns."""
        return sum(len(line) for line in self._lines.values())

    @abstractmethod
    def _next(self) -> Waiter[Want] | None:
        """The waiter whose turn is next; None if no waiter can begin now."""

    @abstractmethod
    def _begin(self, waiter: Waiter[Want]) -> None:
        """Count a turn that begins."""

    @abstractmethod
    def _end(self, waiter: Waiter[Want]) -> None:
        """Count a turn that ends."""

    def _still_waits(self, waiter: Waiter[Want]) -> None:
        """Called each time that a request has waited for another grace period."""

    def busy(self) -> MockupError:
        """The error for a request whose turn does not come in time."""
        return busy()

    async def _wait(
        self, owner: str, want: Want, patience: float = math.inf, grace: float = math.inf
    ) -> Waiter[Want]:
        """Wait for a turn, which `_pass_on` must end; raises `busy` after `patience` seconds."""
        turn = asyncio.get_running_loop().create_future()
        waiter = Waiter(next(self._numbers), owner, want, turn)
        self._lines.setdefault(owner, deque()).append(waiter)
        self._admit()
        until = time.monotonic() + patience
        try:
            while not turn.done() and (left := until - time.monotonic()) > 0:
                await asyncio.wait({turn}, timeout=finite(min(left, grace)))
                if not turn.done():
                    self._still_waits(waiter)
        except asyncio.CancelledError:
            if turn.done() and turn.exception() is None:
                self._pass_on(waiter)
            raise
        finally:
            self._forget(waiter)
        if not turn.done():
            raise self.busy()
        turn.result()
        return waiter

    @asynccontextmanager
    async def _turn(self, owner: str, want: Want, patience: float = math.inf) -> AsyncIterator[None]:
        """Wait for a turn as `_wait` does, and hold it while the context lasts."""
        waiter = await self._wait(owner, want, patience)
        try:
            yield
        finally:
            self._pass_on(waiter)

    def _pass_on(self, waiter: Waiter[Want]) -> None:
        self._end(waiter)
        self._admit()

    def _admit(self) -> None:
        """Give turns to all who can begin."""
        while (waiter := self._next()) is not None:
            line = self._lines.pop(waiter.owner)
            line.remove(waiter)
            if line:
                self._lines[waiter.owner] = line
            self._begin(waiter)
            waiter.turn.set_result(None)

    def _forget(self, waiter: Waiter[Want]) -> None:
        line = self._lines.get(waiter.owner)
        if line is not None and waiter in line:
            line.remove(waiter)
            if not line:
                del self._lines[waiter.owner]
            # Others may have been waiting only for this request.
            self._admit()


def finite(seconds: float) -> float | None:
    """A time-out in asyncio's form."""
    return None if math.isinf(seconds) else seconds
