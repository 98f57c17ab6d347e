"""Small public pictures: devices, poses, looks and environments, rendered when first asked for and cached."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

from cachetools import LRUCache

from service.admission.queue import Queue
from service.api.file_responses import File
from service.clock import Clock
from service.models.rendering import Rendering

# Requests without a key share one user's turns.
OWNER = "public"
KEPT = 24 * 2**20  # bytes of pictures

Make = Callable[[Clock], Coroutine[Any, Any, Rendering]]


class Thumbnails:
    """The cache of small pictures; for use on one event loop."""

    def __init__(self, queue: Queue, timeout: float, patience: float) -> None:
        self._queue = queue
        self._timeout = timeout
        self._patience = patience
        self._kept: LRUCache[Hashable, File] = LRUCache(KEPT, getsizeof=lambda made: len(made.data))
        self._making: dict[Hashable, asyncio.Task[File]] = {}

    async def of(self, name: Hashable, make: Make) -> File:
        """The picture of that name, made by `make`; raises as it does, and tries again when asked again."""
        kept = self._kept.get(name)
        if kept is not None:
            return kept
        task = self._making.get(name)
        if task is None:
            task = self._making[name] = asyncio.create_task(self._made(make))
            task.add_done_callback(lambda done: self._keep(name, done))
        return await asyncio.shield(task)

    def _keep(self, name: Hashable, task: asyncio.Task[File]) -> None:
        del self._making[name]
        if not task.cancelled() and task.exception() is None:
            self._kept[name] = task.result()

    async def _made(self, make: Make) -> File:
        clock = Clock(self._timeout)
        with self._queue.slot(OWNER):
            made = await self._queue.run(OWNER, lambda: make(clock), clock, patience=self._patience)
        data = bytes(made.data)
        return File(data, made.mime, f'"{hashlib.blake2b(data, digest_size=12).hexdigest()}"')
