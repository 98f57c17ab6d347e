"""Deadline, cancellation and per-stage timing of one piece of work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from .errors import Code, MockupError, counted


class CancelledError(Exception):
    """The caller has left; the result is no longer needed."""


class CancelFlag(Protocol):
    """A flag that is set once: a `threading.Event`, or a byte in shared memory."""

    def is_set(self) -> bool:
        """Whether the flag is set."""
        ...

    def set(self) -> None:
        """Set the flag."""
        ...


class Clock:
    """The clock of one render; `check` is called between stages and bands, never inside a kernel."""

    def __init__(
        self,
        timeout: float = float("inf"),
        *,
        started: float | None = None,
        cancelled: CancelFlag | None = None,
    ) -> None:
        """Start now, or at `started` on `time.perf_counter`; `timeout` in seconds."""
        self.started = time.perf_counter() if started is None else started
        self.timeout = timeout
        self.stages: dict[str, float] = {}
        # When each stage first began, on `time.perf_counter`.
        self.begun: dict[str, float] = {}
        # Seconds that a renderer spent on the work.
        self.worked = 0.0
        self._cancelled: CancelFlag = cancelled or threading.Event()
        self._waited: Callable[[], float] | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the start, without those that `wait` leaves out."""
        return time.perf_counter() - self.started - (self._waited() if self._waited else 0.0)

    @property
    def remaining(self) -> float:
        """Seconds until the deadline, never below zero."""
        return max(0.0, self.timeout - self.elapsed)

    def cancel(self) -> None:
        """Make the next `check` raise `CancelledError`; safe from any thread."""
        self._cancelled.set()

    def check(self) -> None:
        """Raise `CancelledError` if the caller has left, `RENDER_TIMEOUT` after the deadline."""
        if self._cancelled.is_set():
            raise CancelledError
        if self.elapsed > self.timeout:
            raise self.expired()

    def expired(self) -> MockupError:
        """The 504 for a render that missed its deadline."""
        message = f"Rendering took longer than {counted(self.timeout, 'second')}"
        return MockupError(Code.RENDER_TIMEOUT, message)

    def postpone(self, seconds: float) -> None:
        """Extend the deadline by time that was spent waiting for a turn."""
        self.started += seconds

    @contextmanager
    def wait(self, waited: Callable[[], float]) -> Iterator[None]:
        """Exclude waiting during the block from the deadline; `waited` returns the seconds waited so far.

        The rest of the block is work.
        """
        start, self._waited = time.perf_counter(), waited
        try:
            yield
        finally:
            spent, self._waited = waited(), None
            self.postpone(spent)
            self.worked += max(0.0, time.perf_counter() - start - spent)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Check, then add the block's duration in milliseconds to `stages[name]`."""
        self.check()
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, (time.perf_counter() - start) * 1e3, start)

    def add(self, name: str, spent: float, begun: float | None = None) -> None:
        """Add `spent` milliseconds to `stages[name]`; they end now unless they began at `begun`."""
        self.begun.setdefault(name, time.perf_counter() - spent / 1e3 if begun is None else begun)
        self.stages[name] = self.stages.get(name, 0.0) + spent
