"""Renderers without processes and sandbox: only where the operator has allowed it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from ..admission.memory import plan
from ..arrays import U8
from ..clock import Clock
from ..codec.decode import decode
from ..codec.picture import Header
from ..codec.raw import RequestedSize
from ..config import Config
from ..engine.plates import Plates
from ..engine.request import DrawingRequest, RenderRequest
from ..engine.studio import Studio
from ..settings.rendering import Rendering
from .screenshot_cache import DecodedScreenshot, ScreenshotCache


class Unsandboxed:
    """Decodes and renders one picture after the other in a thread of this process."""

    at_once = 1
    up = True
    sandboxed = False
    replaced = 0
    forks = None

    def __init__(self, config: Config) -> None:
        """Load nothing yet."""
        self.plates = Plates(plan(config, self.at_once).plates)
        self._studio = Studio(plates=self.plates, decoder=_InProcessDecoder(), fonts=config.fonts_folder)
        # Keep no pixels: that pays only if they can be passed to several processes.
        self.screenshots = ScreenshotCache(0)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="render")

    def warm(self) -> None:
        """As `service.workers.renderers.Renderers.warm`."""
        self._thread.submit(self._studio.warm_up)

    async def render(
        self, request: RenderRequest, clock: Clock, screenshots: Sequence[DecodedScreenshot | None] = ()
    ) -> Rendering:
        """As `service.workers.renderers.Renderers.render`."""

        def work() -> Rendering:
            made = self._studio.render(request, clock)
            return made.in_base64() if request.options.text else made

        return await self._done(work, clock)

    async def draw(self, request: DrawingRequest, clock: Clock) -> Rendering:
        """As `service.workers.renderers.Renderers.draw`."""
        return await self._done(lambda: self._studio.draw(request, clock), clock)

    def close(self) -> None:
        """As `service.workers.renderers.Renderers.close`."""
        self._thread.shutdown(cancel_futures=True)
        self._studio.close()

    async def _done(self, work: Callable[[], Rendering], clock: Clock) -> Rendering:
        asked, begun = time.perf_counter(), list[float]()

        def waited() -> float:
            return (begun[0] if begun else time.perf_counter()) - asked

        def begin() -> Rendering:
            begun.append(time.perf_counter())
            clock.add("queue", waited() * 1e3)
            return work()

        with clock.wait(waited):
            job = asyncio.wrap_future(self._thread.submit(begin))
            try:
                return await asyncio.shield(job)
            except asyncio.CancelledError:
                clock.cancel()
                await asyncio.wait({job})
                if not job.cancelled():
                    job.exception()
                raise


class _InProcessDecoder:
    """Decodes in this process."""

    def decode(
        self,
        data: bytes | memoryview,
        header: Header,
        requested: RequestedSize,
        clock: Clock,
        number: int = 0,
    ) -> U8:
        clock.check()
        return decode(bytes(data), header, requested)

    def warm(self) -> None:
        pass

    def trim(self) -> None:
        pass

    def close(self) -> None:
        pass
