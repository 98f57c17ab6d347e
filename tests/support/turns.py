"""Turns for tests that run in parallel, some of which need the machine to themselves."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Turns:
    """Locks that all workers of a test run share; `run` distinguishes test runs."""

    def __init__(self, run: str) -> None:
        folder = Path(tempfile.gettempdir())
        self._gate, self._floor = (folder / f"tests-{run}-{name}.lock" for name in ("gate", "floor"))

    @contextmanager
    def turn(self, *, alone: bool) -> Iterator[None]:
        """Hold a turn.

        During the block, no other test has a turn `alone`. If this test is `alone`, no other test has any
        turn.
        """
        kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        with self._floor.open("w") as floor:
            # A test that needs to be alone closes the gate first, so no further test starts before it gets
            # its turn.
            with self._gate.open("w") as gate:
                fcntl.flock(gate, kind)
                fcntl.flock(floor, kind)
            yield

    def remove(self) -> None:
        """Remove all files."""
        for file in (self._gate, self._floor):
            file.unlink(missing_ok=True)
