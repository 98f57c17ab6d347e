"""A fork server that several tests share, since starting one takes longer than most of what they do."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from service.processes.forks import Child, ForkServer
from tests.support.processes import children, send
from tests.support.waiting import until

#: Seconds within which processes end after their user has killed them or closed their channel.
ENDING_S = 60.0


class SharedForks(ForkServer):
    """A fork server that runs on when one of its users closes it."""

    def close(self) -> None:
        """Check that the user has left no process behind; kills those that are left, then fails."""
        try:
            until(lambda: not children(self.pid), "the end of all forked processes", ENDING_S)
        except AssertionError:
            # Later users would fail as well.
            for pid in children(self.pid):
                with suppress(ProcessLookupError):
                    send(pid, signal.SIGKILL)
            raise

    def end(self) -> None:
        """End the fork server."""
        super().close()


class BorrowedForks:
    """The shared fork server as seen by one user, which asked for the modules `kinds`."""

    def __init__(self, shared: SharedForks, *kinds: str) -> None:
        self._shared = shared
        self._kinds = kinds
        self.closed = False

    def fork(self, kind: str, options: Mapping[str, Any], *fds: int) -> Child:
        """As `ForkServer.fork`, but only for modules that this user asked for."""
        self._check_open()
        assert kind in self._kinds, f"the fork server was started without {kind}"
        return self._shared.fork(kind, options, *fds)

    def renew(self) -> None:
        """As `ForkServer.renew`."""
        self._check_open()
        self._shared.renew()

    def close(self) -> None:
        """Fork no more. Others may still use the shared fork server, so its processes are not checked."""
        self.closed = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._shared, name)

    def _check_open(self) -> None:
        if self.closed:
            raise OSError("the fork server is closed")


@contextmanager
def sharing(*kinds: str) -> Iterator[SharedForks]:
    """A fork server for the modules `kinds`."""
    forks = SharedForks(*kinds)
    try:
        yield forks
    finally:
        forks.end()
