"""Deadline, cancellation and per-stage timing of one piece of work, in one small object."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from service.errors import Code, MockupError, counted


class CancelledError(Exception):
    """The caller has left; nobody waits for the answer."""


class Flag(Protocol):
    """Set once; `threading.Event` is one, a byte that processes share is another."""

    def is_set(self) -> bool:
        """Whether it was set."""
        ...

    def set(self) -> None:
        """Set it."""
        ...


class Clock:
    """Counts one render's time; `check` is called between stages and bands, never inside a kernel."""

    def __init__(
        self, timeout: float = float("inf"), *, started: float | None = None, cancelled: Flag | None = None
    ) -> None:
        """Start now, or at `started` of `time.perf_counter`; `timeout` in seconds."""
        self.started = time.perf_counter() if started is None else started
        self.timeout = timeout
        self.stages: dict[str, float] = {}
        self._cancelled: Flag = cancelled or threading.Event()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @property
    def remaining(self) -> float:
        """Seconds until the deadline, never below zero."""
        return max(0.0, self.timeout - self.elapsed)

    def cancel(self) -> None:
        """Make the next `check` raise `CancelledError`; safe from any thread."""
        self._cancelled.set()

    def check(self) -> None:
        """Raise `CancelledError` when the caller left, `RENDER_TIMEOUT` when the deadline has passed."""
        if self._cancelled.is_set():
            raise CancelledError
        if self.elapsed > self.timeout:
            raise self.expired()

    def expired(self) -> MockupError:
        """What is said when the deadline has passed."""
        message = f"Rendering took longer than {counted(self.timeout, 'second')}"
        return MockupError(Code.RENDER_TIMEOUT, message)

    def postpone(self, seconds: float) -> None:
        """Let time that was spent waiting for a turn not count: the deadline comes so much later."""
        self.started += seconds

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Check, then add the block's duration in milliseconds to `stages[name]`."""
        self.check()
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, (time.perf_counter() - start) * 1e3)

    def add(self, name: str, spent: float) -> None:
        """Add `spent` milliseconds to `stages[name]`."""
        self.stages[name] = self.stages.get(name, 0.0) + spent
