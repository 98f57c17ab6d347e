"""A fork server that several tests share, since starting one takes longer than most of what they do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.processes.forks import ForkServer
from tests.support.processes import children
from tests.support.waiting import until


class SharedForks(ForkServer):
    """A fork server that runs on when one of its users closes it."""

    def close(self) -> None:
        """Check that the user has left no process behind."""
        until(lambda: not children(self.pid), "the end of all forked processes")

    def end(self) -> None:
        """End the fork server."""
        super().close()


@contextmanager
def sharing(*kinds: str) -> Iterator[SharedForks]:
    """A fork server for the modules `kinds`."""
    forks = SharedForks(*kinds)
    try:
        yield forks
    finally:
        forks.end()
