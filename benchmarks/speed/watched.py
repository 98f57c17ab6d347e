"""The server with measurements of its event loop: `python -m benchmarks.speed.watched FILE`.

A task asks to be woken every 2 ms. Its delay is the time for which everything else on the loop had to wait:
for earlier callbacks, for the interpreter's lock, and for a processor. The processor time of the loop's
thread between two ticks is the time for which the loop itself was blocked. FILE gets a line for each SIGUSR1:
the maximum and the 99th percentile of both since the last line, ms.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette

from benchmarks.speed.figures import percentile
from service.app import create_app
from service.config import Config
from service.http import server

EVERY_S = 0.002


async def watch(late: list[float], held: list[float]) -> None:
    """Append a tick's delay to `late` and the loop's processor time to `held`, both in ms, until
    cancelled."""
    while True:
        start, used = time.perf_counter(), time.thread_time()
        await asyncio.sleep(EVERY_S)
        late.append((time.perf_counter() - start - EVERY_S) * 1e3)
        held.append((time.thread_time() - used) * 1e3)


def watched(config: Config, file: Path) -> Starlette:
    """The service's application, with a watched event loop."""
    app = create_app(config)
    inner: Any = app.router.lifespan_context
    late: list[float] = []
    held: list[float] = []

    def tell() -> None:
        figures = {
            name: {"max": max(values, default=0.0), "p99": percentile(values, 0.99)}
            for name, values in (("late", late), ("held", held))
        }
        with file.open("a") as out:
            out.write(json.dumps(figures) + "\n")
        late.clear()
        held.clear()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[Any]:
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, tell)
        task = asyncio.create_task(watch(late, held))
        async with inner(app) as state:
            yield state
        task.cancel()

    app.router.lifespan_context = lifespan
    return app


if __name__ == "__main__":
    server.serve(lambda config: watched(config, Path(sys.argv[1])), Config())
