"""The interface of all kinds of renderers that the event loop uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..clock import Clock
from ..engine.request import DrawingRequest, RenderRequest
from ..processes.forks import Forks
from ..settings.rendering import Rendering
from ..settings.scene import PlateSpec
from .screenshot_cache import DecodedScreenshot, ScreenshotCache


class PlatesKept(Protocol):
    """A cache of plates that counts its hits and misses."""

    hits: int
    misses: int

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether a plate need not be built."""
        ...

    @property
    def limit(self) -> int:
        """The memory that plates may take, in bytes."""
        ...

    @property
    def nbytes(self) -> int:
        """The memory that plates take, in bytes."""
        ...


class Renderers(Protocol):
    """Makes pictures, at most `at_once` at a time, while other requests wait; for use on one event loop."""

    @property
    def at_once(self) -> int:
        """Pictures that are made in parallel."""
        ...

    @property
    def replaced(self) -> int:
        """Processes that have died and been replaced."""
        ...

    @property
    def screenshots(self) -> ScreenshotCache:
        """The cache of decoded screenshots."""
        ...

    @property
    def up(self) -> bool:
        """Whether pictures can be made; a failure is noticed with some delay."""
        ...

    @property
    def sandboxed(self) -> bool:
        """Whether screenshots are decoded in a sandbox."""
        ...

    @property
    def forks(self) -> Forks | None:
        """The fork server's client; None if this kind of renderer forks no processes."""
        ...

    @property
    def plates(self) -> PlatesKept:
        """The cache of plates."""
        ...

    def warm(self) -> None:
        """Prepare in the background, so that the first picture need not wait."""
        ...

    async def render(
        self, request: RenderRequest, clock: Clock, screenshots: Sequence[DecodedScreenshot | None] = ()
    ) -> Rendering:
        """Make one picture from cached, decoded `screenshots`, or from their files.

        There is an entry for each file, or none at all.

        Raises MockupError for a bad screenshot, a missed deadline or a failure. Cancelling the call cancels
        the work; the call returns once the work has stopped.
        """
        ...

    async def draw(self, request: DrawingRequest, clock: Clock) -> Rendering:
        """Do work that needs no screenshot; raises as `render` does."""
        ...

    def close(self) -> None:
        """Release processes and memory; callers still waiting get a 503."""
        ...
