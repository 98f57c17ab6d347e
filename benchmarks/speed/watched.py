"""The server with a watch on its event loop: `python -m benchmarks.speed.watched FILE`.

A task of the loop asks to be woken every 2 ms. How late it is woken is how long everything else on the loop
had to wait: for callbacks before it, for the interpreter's lock, and for a processor. How much processor time
the loop's thread itself used in between is how long the loop was really held. FILE gets a line for each
SIGUSR1: the most and the 99th percentile of both since the last, ms.
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
    """Fill both lists, ms, until cancelled."""
    while True:
        start, used = time.perf_counter(), time.thread_time()
        await asyncio.sleep(EVERY_S)
        late.append((time.perf_counter() - start - EVERY_S) * 1e3)
        held.append((time.thread_time() - used) * 1e3)


def watched(config: Config, file: Path) -> Starlette:
    """The service's application, its loop watched from its start on."""
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
