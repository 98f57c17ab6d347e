"""The interface of contenders."""

from __future__ import annotations

from typing import Protocol

from benchmarks.speed.cases import Case
from benchmarks.speed.sketch import Sketch


class Contender(Protocol):
    """Draws pictures; it is opened once, and then draws many."""

    name: str
    note: str

    def absent(self) -> str | None:
        """The reason why the contender cannot take part on this machine; None if it can."""
        ...

    def open(self, screenshot: bytes) -> None:
        """Start everything that would already run in a renderer in service."""
        ...

    def prepare(self, sketch: Sketch) -> None:
        """Prepare for a picture; this is not timed."""
        ...

    def draw(self, sketch: Sketch) -> bytes:
        """A picture file of the case; only this call is timed."""
        ...

    def stages(self) -> dict[str, float]:
        """The stages of the last picture, ms; empty if they are unknown."""
        ...

    def close(self) -> None:
        """Stop everything that was started."""
        ...

    def declines(self, case: Case) -> str | None:
        """The reason why the contender does not draw the case; None if it does."""
        ...


class Basis:
    """The parts most contenders share."""

    name = ""
    note = ""

    def absent(self) -> str | None:
        return None

    def open(self, screenshot: bytes) -> None:
        self.screenshot = screenshot

    def prepare(self, sketch: Sketch) -> None:
        pass

    def stages(self) -> dict[str, float]:
        return {}

    def close(self) -> None:
        pass

    def declines(self, case: Case) -> str | None:
        return None
