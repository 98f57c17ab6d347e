"""A process that is forked when it is needed, and again after it has ended."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from .forks import Child, Forks

# The first message to a worker of a group is its number.
NUMBER = struct.Struct("<Q")


class Worker:
    """A process that runs one module: forked when it is started, and again after it has ended."""

    def __init__(
        self,
        forks: Forks,
        kind: str,
        options: dict[str, Any],
        descriptors: Callable[[], tuple[int, ...]] = lambda: (),
    ) -> None:
        """Nothing runs before `start`; the process runs module `kind` with `options` and `descriptors`."""
        self._forks = forks
        self._kind = kind
        self._options = options
        self._descriptors = descriptors
        self.child: Child | None = None

    def start(self) -> Child:
        """Fork the process, which runs within milliseconds and can be sent messages at once.

        A dead fork server is replaced; raises OSError if no process can be forked even then.
        """
        try:
            self.child = self._forks.fork(self._kind, self._options, *self._descriptors())
        except OSError:
            self._forks.renew()
            self.child = self._forks.fork(self._kind, self._options, *self._descriptors())
        return self.child

    def ready(self) -> Child:
        """The process; if it is not running, start it and wait for it. Raises OSError as `start` does."""
        if self.child is not None:
            if self.child.is_alive():
                return self.child
            self.end()
        try:
            self.start().handshake()
        except OSError:
            self.end()
            self._forks.renew()
            self.start().handshake()
        assert self.child is not None
        return self.child

    def end(self) -> None:
        """Kill the process if it is running."""
        if self.child is not None:
            self.child.kill()
            self.child = None
