"""Renderers that make no picture: where screenshots could not be decoded in a sandbox."""

from __future__ import annotations

from collections.abc import Sequence

from ..clock import Clock
from ..engine.request import DrawingRequest, RenderRequest
from ..errors import Code, MockupError
from ..settings.rendering import Rendering
from .plate_cache import PlateCache
from .screenshot_cache import DecodedScreenshot, ScreenshotCache

# Seconds after which clients should retry, when another instance or machine may have taken over.
RETRY_S = 60


class Refusing:
    """Refuses every picture with a 503."""

    at_once = 1
    up = False
    sandboxed = False
    replaced = 0
    forks = None

    def __init__(self) -> None:
        self.screenshots = ScreenshotCache(0)
        self.plates = PlateCache(0)

    def warm(self) -> None:
        """As `service.workers.renderers.Renderers.warm`."""

    async def render(
        self, request: RenderRequest, clock: Clock, screenshots: Sequence[DecodedScreenshot | None] = ()
    ) -> Rendering:
        """As `service.workers.renderers.Renderers.render`."""
        raise _refused()

    async def draw(self, request: DrawingRequest, clock: Clock) -> Rendering:
        """As `service.workers.renderers.Renderers.draw`."""
        raise _refused()

    def close(self) -> None:
        """As `service.workers.renderers.Renderers.close`."""


def _refused() -> MockupError:
    return MockupError(
        Code.SERVER_BUSY, "This server has no sandbox to decode screenshots in", retry_after=RETRY_S
    )
