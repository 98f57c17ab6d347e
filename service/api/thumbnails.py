"""Small public pictures: devices, poses, looks and environments, rendered when first asked for and cached."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any

from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import Response

from service.admission.queue import Queue
from service.clock import Clock
from service.models.rendering import Rendering

# Requests without a key share one user's turns.
OWNER = "public"
KEPT = 24 * 2**20  # bytes of pictures

Make = Callable[[Clock], Coroutine[Any, Any, Rendering]]


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A picture's file, its media type and its entity tag."""

    data: bytes
    mime: str
    tag: str

    def response(self, request: Request) -> Response:
        """The picture, or a 304 if the client has it."""
        headers = {"Cache-Control": "public, max-age=86400", "ETag": self.tag}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(self.data, media_type=self.mime, headers=headers)


class Thumbnails:
    """The cache of small pictures; for use on one event loop."""

    def __init__(self, queue: Queue, timeout: float, patience: float) -> None:
        self._queue = queue
        self._timeout = timeout
        self._patience = patience
        self._kept: LRUCache[Hashable, Thumbnail] = LRUCache(KEPT, getsizeof=lambda made: len(made.data))
        self._making: dict[Hashable, asyncio.Task[Thumbnail]] = {}

    async def of(self, name: Hashable, make: Make) -> Thumbnail:
        """The picture of that name, made by `make`; raises as it does, and tries again when asked again."""
        kept = self._kept.get(name)
        if kept is not None:
            return kept
        task = self._making.get(name)
        if task is None:
            task = self._making[name] = asyncio.create_task(self._made(make))
            task.add_done_callback(lambda done: self._keep(name, done))
        return await asyncio.shield(task)

    def _keep(self, name: Hashable, task: asyncio.Task[Thumbnail]) -> None:
        del self._making[name]
        if not task.cancelled() and task.exception() is None:
            self._kept[name] = task.result()

    async def _made(self, make: Make) -> Thumbnail:
        clock = Clock(self._timeout)
        with self._queue.slot(OWNER):
            made = await self._queue.run(OWNER, lambda: make(clock), clock, patience=self._patience)
        data = bytes(made.data)
        return Thumbnail(data, made.mime, f'"{hashlib.blake2b(data, digest_size=12).hexdigest()}"')
