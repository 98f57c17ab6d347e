"""Previews of the catalogue's devices in their finishes, each rendered on first request and cached."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass

from cachetools import LRUCache

from service.admission.queue import Queue
from service.clock import Clock
from service.workers.renderers import Renderers

# Requests without a key share one user's turns.
OWNER = "public"
KEPT = 24 * 2**20  # bytes of pictures

Finished = tuple[str, str]  # a device's id and the name of one of its finishes


@dataclass(frozen=True, slots=True)
class Preview:
    """A PNG and its entity tag."""

    data: bytes
    tag: str


class Previews:
    """The cache of previews; for use on one event loop."""

    def __init__(self, renderers: Renderers, queue: Queue, timeout: float, patience: float) -> None:
        self._renderers = renderers
        self._queue = queue
        self._timeout = timeout
        self._patience = patience
        self._kept: LRUCache[Finished, Preview] = LRUCache(KEPT, getsizeof=lambda made: len(made.data))
        self._making: dict[Finished, asyncio.Task[Preview]] = {}

    async def of(self, device: str, finish: str) -> Preview:
        """The preview of a catalogue device; raises as a render does, and retries on the next request."""
        wanted = device, finish
        kept = self._kept.get(wanted)
        if kept is not None:
            return kept
        task = self._making.get(wanted)
        if task is None:
            task = self._making[wanted] = asyncio.create_task(self._preview(device, finish))
            task.add_done_callback(lambda done: self._keep(wanted, done))
        return await asyncio.shield(task)

    def _keep(self, wanted: Finished, task: asyncio.Task[Preview]) -> None:
        del self._making[wanted]
        if not task.cancelled() and task.exception() is None:
            self._kept[wanted] = task.result()

    async def _preview(self, device: str, finish: str) -> Preview:
        clock = Clock(self._timeout)
        with self._queue.slot(OWNER):
            rendering = await self._queue.run(
                OWNER, lambda: self._renderers.preview(device, clock, finish), clock, patience=self._patience
            )
        data = bytes(rendering.data)
        return Preview(data, f'"{hashlib.blake2b(data, digest_size=12).hexdigest()}"')
