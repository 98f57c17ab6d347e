"""The contenders of the race."""

from __future__ import annotations

from typing import Protocol

from benchmarks.speed.cases import Case
from benchmarks.speed.sketch import Sketch


class Contender(Protocol):
    """Draws pictures; opened once, asked for many."""

    name: str
    note: str

    def absent(self) -> str | None:
        """Why it cannot take part on this machine, None when it can."""
        ...

    def open(self, screenshot: bytes) -> None:
        """Get ready: start what a renderer in service would have running."""
        ...

    def prepare(self, sketch: Sketch) -> None:
        """Prepare for a picture; this is not timed."""
        ...

    def draw(self, sketch: Sketch) -> bytes:
        """One picture file of the case; this is what is timed."""
        ...

    def stages(self) -> dict[str, float]:
        """Where the last picture's time went, ms; empty when it cannot say."""
        ...

    def close(self) -> None:
        """End what was started."""
        ...

    def declines(self, case: Case) -> str | None:
        """Why it does not draw the case, None when it does."""
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
