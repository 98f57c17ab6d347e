"""The other end of a decoder process."""

from __future__ import annotations

import select
import socket

from service.codec.sandbox.messages import KIND, MAX_REPLY
from service.processes.forks import Child, Forks
from service.processes.segments import Segment


class GoneError(Exception):
    """The process at the other end has died."""


class Process:
    """One decoder process; used by one thread at a time."""

    def __init__(self, child: Child) -> None:
        """Take over the forked process."""
        self._child = child
        self.filtered: bool | None = None

    @classmethod
    def forked(cls, forks: Forks) -> Process:
        """A fresh one, in milliseconds; raises OSError when there is no fork server and none can be had."""
        try:
            return cls(_met(forks))
        except OSError:
            forks.renew()
            return cls(_met(forks))

    def send(self, message: bytes, source: Segment, target: Segment) -> None:
        """Hand a picture over; raises GoneError."""
        try:
            socket.send_fds(self._child.channel, [message], [source.fd, target.fd])
        except OSError as error:
            raise GoneError from error

    def answer(self, seconds: float) -> bytes | None:
        """The next message, None when none came within `seconds`; raises GoneError."""
        poller = select.poll()
        poller.register(self._child.channel, select.POLLIN)
        if not poller.poll(max(0.0, seconds) * 1e3):
            return None
        try:
            message = self._child.channel.recv(MAX_REPLY)
        except OSError as error:
            raise GoneError from error
        if not message:
            raise GoneError
        if self.filtered is None and message in (b"filtered", b"unfiltered"):
            self.filtered = message == b"filtered"
            return self.answer(seconds)
        return message

    def is_alive(self) -> bool:
        """Whether the process has not closed its end."""
        poller = select.poll()
        poller.register(self._child.channel, select.POLLRDHUP)
        return not poller.poll(0)

    def kill(self) -> None:
        """End the process, whatever it does, and let go of it."""
        self._child.kill()


def _met(forks: Forks) -> Child:
    child = forks.fork(KIND)
    try:
        child.meet()
    except OSError:
        child.kill()
        raise
    return child
