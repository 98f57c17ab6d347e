"""A job that was sent to the renderers: its memory, the segments sent with it, and the requests that wait."""

from __future__ import annotations

import asyncio
import contextvars
import time
from dataclasses import dataclass

from ..clock import Clock
from ..errors import MockupError
from ..processes.segments import Segment
from ..settings.rendering import Rendering
from ..settings.scene import PlateSpec
from .messages import CANCELLED_AT, OWNER, OWNER_AT, TAKEN, TAKEN_AT, RendererRequest
from .plate_cache import SharedPlate
from .screenshot_cache import DecodedScreenshot


@dataclass(slots=True, eq=False)
class PendingJob:
    """A job under way: its message, its plate or the plate spec to build, and who waits for it."""

    asked: float
    segment: Segment
    request: RendererRequest
    plate: SharedPlate | None
    spec: PlateSpec | None
    screenshots: tuple[DecodedScreenshot | None, ...]
    clock: Clock
    result: asyncio.Future[Rendering | None]
    context: contextvars.Context
    attempts: int = 1
    # The seconds that the job waited; set when its memory is given up for other jobs.
    _waited: float | None = None

    @property
    def descriptors(self) -> list[int]:
        """The descriptors that a renderer needs: the job's message, then plate and screenshots if kept."""
        others = (self.plate, *self.screenshots)
        return [self.segment.fd, *(other.fd for other in others if other is not None)]

    @property
    def owner(self) -> int:
        """The number of the renderer that took the job, written by the renderer; 0 until then."""
        return int(OWNER.unpack_from(self.segment.memory, OWNER_AT)[0])

    def waited(self) -> float:
        """Seconds from the request until a renderer took the job, or until now."""
        if self._waited is not None:
            return self._waited
        moment = TAKEN.unpack_from(self.segment.memory, TAKEN_AT)[0] if self.owner else time.perf_counter()
        return float(moment) - self.asked

    def settle(self) -> Segment:
        """Give up the job's memory, and return it."""
        self._waited = self.waited()
        return self.segment

    def hand_on(self) -> None:
        """Count another attempt, so that another renderer can take it."""
        self.attempts += 1
        OWNER.pack_into(self.segment.memory, OWNER_AT, 0)

    @property
    def cancelled(self) -> bool:
        """Whether the job's caller has left, as the job's renderer reads it."""
        return bool(self.segment.memory[CANCELLED_AT])

    def cancel(self) -> None:
        """Tell the job's renderer that the caller has left."""
        self.segment.memory[CANCELLED_AT] = 1

    def fail(self, error: MockupError) -> None:
        """End the job with an error, unless it has ended."""
        if not self.result.done():
            self.result.set_exception(error)
