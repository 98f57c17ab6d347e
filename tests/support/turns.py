"""Turns between tests that run side by side, of which some must have the machine to themselves."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Turns:
    """Locks that all workers of a test run share; `run` tells it from others."""

    def __init__(self, run: str) -> None:
        folder = Path(tempfile.gettempdir())
        self._gate, self._floor = (folder / f"tests-{run}-{name}.lock" for name in ("gate", "floor"))

    @contextmanager
    def turn(self, *, alone: bool) -> Iterator[None]:
        """While it lasts nobody has a turn who is `alone`; nobody at all, if we are."""
        kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        with self._floor.open("w") as floor:
            # Whoever wants to be alone closes the gate, so that no more come in before it is its turn.
            with self._gate.open("w") as gate:
                fcntl.flock(gate, kind)
                fcntl.flock(floor, kind)
            yield

    def remove(self) -> None:
        """Leave nothing behind."""
        for file in (self._gate, self._floor):
            file.unlink(missing_ok=True)
