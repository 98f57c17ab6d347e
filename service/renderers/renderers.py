"""What makes pictures for the event loop: an interface."""

from __future__ import annotations

from typing import Protocol

from service.clock import Clock
from service.rendering import Rendering
from service.settings import Settings

Size = tuple[int, int]


class Renderers(Protocol):
    """Used on one event loop; `at_once` pictures are made at a time, more have to wait."""

    @property
    def at_once(self) -> int:
        """Pictures that are made side by side."""
        ...

    def warm(self) -> None:
        """Make ready now, beside the caller, what would else be made for the first picture."""
        ...

    async def render(
        self,
        data: bytes,
        settings: Settings,
        *,
        fast: bool,
        clock: Clock,
        text: bool = False,
        size: Size | None = None,
    ) -> Rendering:
        """Make one picture, or its base64 (`text`); `size` is what the screenshot's header says, if known.

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
