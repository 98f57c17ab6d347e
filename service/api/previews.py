"""Previews of the catalogue's devices, each rendered on first request and cached."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass

from service.admission.queue import Queue
from service.clock import Clock
from service.workers.renderers import Renderers

# Requests without a key share one user's turns.
OWNER = "public"


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
        self._made: dict[str, asyncio.Task[Preview]] = {}

    async def of(self, device: str) -> Preview:
        """The preview of a catalogue device; raises as a render does, and retries on the next request."""
        task = self._made.get(device)
        if task is None:
            task = self._made[device] = asyncio.create_task(self._preview(device))
            task.add_done_callback(lambda done: self._keep(device, done))
        return await asyncio.shield(task)

    def _keep(self, device: str, task: asyncio.Task[Preview]) -> None:
        if task.cancelled() or task.exception() is not None:
            del self._made[device]

    async def _preview(self, device: str) -> Preview:
        clock = Clock(self._timeout)
        with self._queue.slot(OWNER):
            rendering = await self._queue.run(
                OWNER, lambda: self._renderers.preview(device, clock), clock, patience=self._patience
            )
        data = bytes(rendering.data)
        return Preview(data, f'"{hashlib.blake2b(data, digest_size=12).hexdigest()}"')
