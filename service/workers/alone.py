"""Renders in a thread of this process: where there is nothing better."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from service.clock import Clock
from service.config import Config
from service.engine.plates import Plates
from service.engine.request import RenderRequest
from service.engine.studio import Studio
from service.models.rendering import Rendering


class Alone:
    """One picture at a time."""

    at_once = 1
    able = True

    def __init__(self, config: Config) -> None:
        """Nothing is loaded yet."""
        self._studio = Studio(plates=Plates(config.cache_bytes))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="render")

    def warm(self) -> None:
        """Make ready now, beside the caller, what would else be made for the first picture."""
        self._thread.submit(self._studio.warm_up)

    async def render(self, wanted: RenderRequest, clock: Clock) -> Rendering:
        """As `service.workers.renderers.Renderers.render`."""
        asked = clock.elapsed

        def work() -> Rendering:
            clock.add("queue", (clock.elapsed - asked) * 1e3)
            clock.check()
            made = self._studio.render(wanted, clock)
            return made.in_base64() if wanted.text else made

        return await self._done(work, clock)

    async def preview(self, device: str, clock: Clock) -> Rendering:
        """As `service.workers.renderers.Renderers.preview`."""
        return await self._done(lambda: self._studio.preview(device, clock), clock)

    def close(self) -> None:
        """Let go of processes and memory."""
        self._thread.shutdown(cancel_futures=True)
        self._studio.close()

    async def _done(self, work: Callable[[], Rendering], clock: Clock) -> Rendering:
        job = asyncio.wrap_future(self._thread.submit(work))
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            clock.cancel()
            await asyncio.wait({job})
            if not job.cancelled():
                job.exception()
            raise
