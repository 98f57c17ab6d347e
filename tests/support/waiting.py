"""Waiting for what other processes, threads and tasks do, for as long as it takes and no longer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

#: Seconds after which what has not come will not come, on however slow a machine.
PATIENCE_S = 240.0
PAUSE_S = 0.01


def until(condition: Callable[[], object], what: str = "what was waited for") -> None:
    """Come back once `condition` holds; fails after `PATIENCE_S`."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"{what} did not come about"
        time.sleep(PAUSE_S)


async def soon(condition: Callable[[], object], what: str = "what was waited for") -> None:
    """As `until`, on an event loop."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"{what} did not come about"
        await asyncio.sleep(PAUSE_S)
