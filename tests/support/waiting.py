"""Waits for conditions in other processes, threads and tasks, for no longer than necessary."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any
from unittest.mock import Mock

from structlog.testing import capture_logs

#: Seconds after which a condition fails, even on a slow machine.
PATIENCE_S = 240.0
#: Seconds between two checks, at first and after half a second: by then, checking often would cost more
#: time than it could save.
PAUSE_S, LONGEST_PAUSE_S = 0.01, 0.05


def until(
    condition: Callable[[], object], what: str = "what was waited for", patience_s: float | None = None
) -> None:
    """Return once `condition` holds; fails after `patience_s`, by default `PATIENCE_S`."""
    start = time.monotonic()
    while not condition():
        time.sleep(_pause(start, what, patience_s))


async def soon(condition: Callable[[], object], what: str = "what was waited for") -> None:
    """As `until`, on an event loop."""
    start = time.monotonic()
    while not condition():
        await asyncio.sleep(_pause(start, what))


async def called_twice(work: Coroutine[Any, Any, None], called: Mock) -> set[str]:
    """Run a task that never ends until it has called `called` twice; returns the events that it logged."""
    with capture_logs() as lines:
        task = asyncio.create_task(work)
        await soon(lambda: called.call_count > 1 or task.done())
        task.cancel()
        await asyncio.wait({task})
    assert task.cancelled(), task
    return {line["event"] for line in lines}


def _pause(start: float, what: str, patience_s: float | None = None) -> float:
    """Seconds until the next check; fails once the time is over."""
    waited = time.monotonic() - start
    assert waited < (PATIENCE_S if patience_s is None else patience_s), f"{what} did not come about"
    return min(max(PAUSE_S, waited / 10), LONGEST_PAUSE_S)
