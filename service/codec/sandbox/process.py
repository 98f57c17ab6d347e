"""The server's end of a decoder process, and of the process that decoders are forked from."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from service.codec.picture import Header
from service.codec.raw import Wanted
from service.codec.sandbox.segments import Segment
from service.codec.sandbox.worker import MAX_ANSWER, ORDER

ROOT = Path(__file__).resolve().parents[3]
START = "import sys; sys.path.insert(0, sys.argv[1]); from service.codec.sandbox.template import main; \
main(*map(int, sys.argv[2:]))"


EXIT_MS = 2000


class GoneError(Exception):
    """The process at the other end has died."""


class Process:
    """One decoder process; used by one thread at a time."""

    def __init__(self, channel: socket.socket, pidfd: int | None) -> None:
        """Take over the socket and the pidfd."""
        self._channel = channel
        self._pidfd = pidfd
        self.filtered: bool | None = None

    def order(self, source: Segment, target: Segment, data: bytes, header: Header, wanted: Wanted) -> None:
        """Hand a picture over; raises GoneError."""
        order = pickle.dumps((header, wanted))
        source.fill(order, data)
        message = ORDER.pack(len(order), len(data), target.size)
        try:
            socket.send_fds(self._channel, [message], [source.fd, target.fd])
        except OSError as error:
            raise GoneError from error

    def answer(self, seconds: float) -> bytes | None:
        """The next message, None when none came within `seconds`; raises GoneError."""
        poller = select.poll()
        poller.register(self._channel, select.POLLIN)
        if not poller.poll(max(0.0, seconds) * 1e3):
            return None
        try:
            message = self._channel.recv(MAX_ANSWER)
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
        poller.register(self._channel, select.POLLRDHUP)
        return not poller.poll(0)

    def kill(self) -> None:
        """End the process, whatever it does, and let go of it."""
        if self._pidfd is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            # Until it is gone it might still write to memory that another picture is to come back in.
            poller = select.poll()
            poller.register(self._pidfd, select.POLLIN)
            poller.poll(EXIT_MS)
            os.close(self._pidfd)
            self._pidfd = None
        self._channel.close()


class Template:
    """The process that decoders are forked from; started anew when it dies."""

    def __init__(self, lives: int, file_bytes: int) -> None:
        """Start it; decoders take `lives` pictures each and return at most `file_bytes`."""
        self._arguments = (lives, file_bytes)
        self._lock = threading.Lock()
        self._start()

    def fork(self) -> Process:
        """A fresh decoder process, in milliseconds."""
        with self._lock:
            try:
                return self._fork()
            except OSError:
                self._stop()
                self._start()
                return self._fork()

    def close(self) -> None:
        """End it, and with it every decoder."""
        with self._lock:
            self._stop()

    def _fork(self) -> Process:
        self._control.sendall(b"f")
        message, fds, _, _ = socket.recv_fds(self._control, 1, 2)
        if not message or not fds:
            raise OSError("the template has gone")
        return Process(socket.socket(fileno=fds[0]), fds[1] if len(fds) > 1 else None)

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            arguments = [str(value) for value in (theirs.fileno(), *self._arguments)]
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", START, str(ROOT), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd="/",
                # Nothing of the server's environment, which may hold secrets.
                env={"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"},
            )

    def _stop(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()
