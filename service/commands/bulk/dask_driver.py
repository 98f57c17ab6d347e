"""Renders chunks in the workers of a Dask scheduler, and continues when a worker or the scheduler dies."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from distributed import Client, Future, KilledWorker, as_completed
from distributed.client import ClosedClientError
from distributed.comm import CommClosedError

from ...errors import invalid
from .chunks import Chunk, Report
from .dask_worker import NoRenderersError, RenderersPlugin
from .dask_worker import render as task
from .manifest import RowFault

# Chunks under way for each thread of the workers: one that is rendered and one that waits beside it.
WINDOW = 2
# Time for the first connection, and for a scheduler to come back.
CONNECT_S, COME_BACK_S = 30.0, 600.0
# Seconds between counts of the workers' threads.
COUNT_S = 1.0


class SchedulerLostError(Exception):
    """The scheduler has died, and its chunks are lost."""


class Driver:
    """Hands out chunks and reports the results of their rows; only the chunks under way are in memory."""

    def __init__(self, address: str, chunks: AsyncIterator[Chunk], report: Report) -> None:
        self._address, self._chunks, self._report = address, chunks, report
        # Chunks that were lost with a scheduler.
        self._again: deque[Chunk] = deque()
        self._threads, self._counted = 0, float("-inf")
        self._waiting = False

    async def render(self) -> None:
        """Render all chunks; raises a 400 if there is no scheduler, or a worker cannot render at all."""
        patience = CONNECT_S
        while True:
            client = await self._connected(patience)
            try:
                await client.register_plugin(RenderersPlugin())
                await self._rendered(client)
                return
            except (SchedulerLostError, CommClosedError, ClosedClientError):
                self._say("lost the scheduler; waiting for it to come back")
                patience = COME_BACK_S
            finally:
                await client.close()

    async def _connected(self, patience: float) -> Client:
        end = time.monotonic() + patience
        while True:
            client = Client(self._address, asynchronous=True, timeout=CONNECT_S, set_as_default=False)
            try:
                await client
            except (OSError, ValueError) as error:
                await client.close()
                if isinstance(error, ValueError) or time.monotonic() > end:
                    raise invalid(f"{self._address}: no scheduler: {error}") from error
                await asyncio.sleep(1)
            else:
                self._counted = float("-inf")
                return client

    async def _rendered(self, client: Client) -> None:
        under_way: dict[Future, Chunk] = {}
        completed = as_completed(loop=client.loop, with_results=True, raise_errors=False)
        try:
            while True:
                while len(under_way) < await self._window(client):
                    if (chunk := await self._next()) is None:
                        break
                    future = client.submit(task, chunk, pure=False)
                    under_way[future] = chunk
                    completed.add(future)
                if not under_way:
                    return
                future, outcomes = await anext(completed)
                self._settle(under_way[future], future, outcomes)
                del under_way[future]
                future.release()
        finally:
            self._again.extend(under_way.values())

    def _settle(self, chunk: Chunk, future: Future, outcomes: Any) -> None:
        if future.status == "finished":
            for outcome in outcomes:
                self._report(outcome)
        elif future.status != "error" or isinstance(error := outcomes[1], NoRenderersError):
            raise SchedulerLostError
        elif not isinstance(error, KilledWorker):
            raise invalid(f"{error.__class__.__name__}: {error}") from error
        elif len(chunk.tasks) > 1:
            # One row may have killed the workers. If it is alone in a chunk, it does not affect other rows.
            self._again.extend(replace(chunk, tasks=(task,)) for task in chunk.tasks)
        else:
            self._report(
                RowFault(chunk.tasks[0].line, "the workers that rendered it died", chunk.tasks[0].id)
            )

    async def _next(self) -> Chunk | None:
        return self._again.popleft() if self._again else await anext(self._chunks, None)

    async def _window(self, client: Client) -> int:
        """How many chunks may be under way: few, so that a lost scheduler costs little."""
        now = time.monotonic()
        if now - self._counted > COUNT_S:
            self._counted = now
            try:
                self._threads = sum((await client.nthreads()).values())
            except OSError as error:
                raise SchedulerLostError from error
            if not self._threads and not self._waiting:
                self._say("waiting for workers")
            self._waiting = not self._threads
        return WINDOW * max(self._threads, 1)

    def _say(self, text: str) -> None:
        print(f"mockup: {self._address}: {text}", file=sys.stderr)


async def render(chunks: AsyncIterator[Chunk], report: Report, address: str) -> None:
    """Render all chunks in the workers of the scheduler at an address; raises as `Driver.render`."""
    # These libraries' messages about lost connections repeat the message above at length.
    for name in ("distributed.client", "distributed.core", "distributed.comm", "distributed.batched"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    await Driver(address, chunks, report).render()
