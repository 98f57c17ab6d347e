"""The output of `render`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Reporter:
    """Progress, warnings and errors on stderr; with `json`, a line for each picture on stdout.

    `quiet` leaves only errors on stderr.
    """

    json: bool = False
    quiet: bool = False

    @property
    def shows_progress(self) -> bool:
        """Whether a progress bar would be seen, which it would not be in a log."""
        return not self.quiet and sys.stderr.isatty()

    def result(self, record: Mapping[str, Any]) -> None:
        """Print the result of one picture."""
        if self.json:
            print(orjson.dumps(record).decode(), flush=True)

    def warn(self, line: str) -> None:
        """Print a warning."""
        if not self.quiet:
            self.fail(line)

    def fail(self, line: str) -> None:
        """Print an error."""
        print(f"mockup: {line}", file=sys.stderr)

    @contextmanager
    def progress(self, total: int) -> Iterator[Any]:
        """Show a progress bar on a terminal for more than one picture; yields a function that advances it."""
        if total < 2 or not self.shows_progress:
            yield lambda: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("rendering"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("rendering", total=total)
            yield lambda: progress.advance(task)
