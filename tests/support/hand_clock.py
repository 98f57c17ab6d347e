"""A clock whose time passes only when a test says so."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import pytest


class HandClock:
    """Seconds that a test sets, in place of those of the module `time`."""

    def __init__(self) -> None:
        self.now = 100.0

    def read(self) -> float:
        """The time in seconds, as `time.monotonic` and `time.perf_counter` return it."""
        return self.now


def set_by_hand(module: ModuleType, patch: pytest.MonkeyPatch) -> HandClock:
    """Let a module read a new clock instead of `time`."""
    clock = HandClock()
    patch.setattr(module, "time", SimpleNamespace(monotonic=clock.read, perf_counter=clock.read))
    return clock
