"""What makes pictures for the event loop, and what it is told: an interface."""

from __future__ import annotations

from typing import Protocol

from service.clock import Clock
from service.engine.request import RenderRequest
from service.models.rendering import Rendering


class Renderers(Protocol):
    """Used on one event loop; `at_once` pictures are made at a time, more have to wait."""

    @property
    def at_once(self) -> int:
        """Pictures that are made side by side."""
        ...

    @property
    def able(self) -> bool:
        """Whether pictures can be made, as far as is known."""
        ...

    def warm(self) -> None:
        """Make ready now, beside the caller, what would else be made for the first picture."""
        ...

    async def render(self, wanted: RenderRequest, clock: Clock) -> Rendering:
        """Make one picture.

        Raises MockupError for a bad screenshot, a missed deadline or a failure. When the caller is cancelled,
        so is the work; the call ends once nobody is at it any more.
        """
        ...

    async def preview(self, device: str, clock: Clock) -> Rendering:
        """A PNG of a catalogue device with a blank screen on transparent ground; raises KeyError."""
        ...

    def close(self) -> None:
        """Let go of processes and memory; whoever still waits is told so."""
        ...
