"""Small public pictures of devices, poses, looks and environments, rendered on first request and kept.

Their requests need no key, so they are rendered one at a time, and only when nothing else waits for a
renderer.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable
from typing import Any

from ..admission.queue import Demand, Queue, TurnKind
from ..clock import Clock
from ..concurrency.async_single_flight import AsyncSingleFlight
from ..limits import THUMBNAILS
from ..settings.rendering import Rendering
from .file_responses import File
from .picture_file import PictureFile

# Requests without a key share one user's turns.
OWNER = "public"

Make = Callable[[Clock], Coroutine[Any, Any, Rendering]]


class Thumbnails:
    """Makes each small picture once for all requests; for use on one event loop."""

    def __init__(self, queue: Queue, kept: PictureFile, timeout: float, patience: float) -> None:
        self._queue = queue
        self._kept = kept
        self._timeout = timeout
        self._patience = patience
        self._flights: AsyncSingleFlight[Hashable, File] = AsyncSingleFlight()

    async def of(self, name: Hashable, make: Make) -> File:
        """The picture of that name, made by `make`; raises as `make` does, and then tries again next time.

        Raises `SERVER_BUSY` if too many pictures are wanted or the turn does not come.
        """
        kept = self._kept.find(name)
        if kept is not None:
            return kept
        if name not in self._flights and len(self._flights) >= THUMBNAILS:
            raise self._queue.busy()
        return await self._flights.run(name, lambda: self._made(name, make))

    async def _made(self, name: Hashable, make: Make) -> File:
        clock = Clock(self._timeout)
        demand = Demand(OWNER, kind=TurnKind.PUBLIC, parallel=1)
        made = await self._queue.run(demand, lambda: make(clock), clock, self._patience)
        return self._kept.keep(name, made)
