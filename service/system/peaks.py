"""Returns memory to the system after a peak; runs on the event loop, so not in renderers, which have none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .idle import give_back, private, trim

# Growth that is not worth returning; seconds between checks, and the minimum between two releases.
SPARE = 12 * 2**20
LOOK_S = 1.0
REST_S = 3.0


async def give_back_peaks(size: Callable[[], int] | None = None) -> None:
    """Release memory whenever it has grown by more than `SPARE`, until cancelled.

    Garbage is collected only once growth has stopped, because that blocks the interpreter. `size` returns the
    bytes in use, by default this process's private memory.
    """
    size = size or private
    least = before = size()
    while True:
        await asyncio.sleep(LOOK_S)
        now = size()
        least = min(least, now)
        if now > least + SPARE:
            growing = now > before + SPARE // 8
            await asyncio.to_thread(trim if growing else give_back)
            now = size()
            if not growing:
                # The remaining memory is in use, so trying again would not help.
                least = now
            await asyncio.sleep(REST_S - LOOK_S)
        before = now
