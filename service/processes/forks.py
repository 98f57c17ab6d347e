"""The server's end of the fork server and of the processes that it forks."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .fork_server import MAX_FAULT

ROOT = Path(__file__).resolve().parents[2]
START = f"import sys; sys.path.insert(0, sys.argv[1]); from {__package__}.fork_server import main; \
main(int(sys.argv[2]), sys.argv[3:])"
EXIT_MS = 2000

log = logging.getLogger(__name__)


def missing() -> list[str]:
    """The features that this system lacks for sharing memory with processes and for killing them."""
    return [name for name, probe in (("memfd", _probe_memfd), ("pidfd", _probe_pidfd)) if not _works(probe)]


def _works(probe: Callable[[], None]) -> bool:
    try:
        probe()
    except (AttributeError, OSError):
        # The system is not Linux, or a container's filter does not know these calls.
        return False
    return True


def _probe_memfd() -> None:
    os.close(os.memfd_create("probe", os.MFD_ALLOW_SEALING))


def _probe_pidfd() -> None:
    pidfd = os.pidfd_open(os.getpid())
    try:
        signal.pidfd_send_signal(pidfd, 0)
    finally:
        os.close(pidfd)


class Child:
    """A forked process: the socket to it, and its pidfd from the handshake until it ends."""

    def __init__(self, channel: socket.socket) -> None:
        """`channel` is one end of a socket pair; the process got the other."""
        self.channel = channel
        self.pidfd: int | None = None

    def handshake(self) -> None:
        """Receive the process' first message, which brings its pidfd; raises OSError if it has died."""
        message, fds, _, _ = socket.recv_fds(self.channel, 1, 1)
        if not message or not fds:
            raise OSError("the process has gone")
        self.pidfd = fds[0]
        # The clock of its processor time, numbered as by `clock_getcpuclockid`, which Python does not have.
        self._cpu_clock = ~_pid(self.pidfd) << 3 | 2

    def cpu_seconds(self) -> float:
        """Processor time that the process has used; raises OSError when it has ended."""
        return time.clock_gettime(self._cpu_clock)

    @property
    def is_connected(self) -> bool:
        """Whether the pidfd has been received."""
        return self.pidfd is not None

    def is_alive(self) -> bool:
        """Whether the process still has its end of the channel open."""
        return _is_open(self.channel)

    def signal_kill(self) -> None:
        """Send the process SIGKILL."""
        if self.pidfd is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def kill(self) -> None:
        """Kill the process, wait for its end and release its resources."""
        if self.pidfd is not None:
            self.signal_kill()
            # Wait until it has ended: it could still write to memory that is about to be reused.
            poller = select.poll()
            poller.register(self.pidfd, select.POLLIN)
            poller.poll(EXIT_MS)
            os.close(self.pidfd)
            self.pidfd = None
        self.channel.close()


def _pid(pidfd: int) -> int:
    with open(f"/proc/self/fdinfo/{pidfd}", "rb") as lines:
        pid = next(int(line.split()[1]) for line in lines if line.startswith(b"Pid:"))
    if pid < 1:
        # The pid is -1 once the process has ended, and 0 if /proc belongs to another namespace. With such a
        # pid, the clock of another process would be read.
        raise OSError("the process has gone, or cannot be seen from here")
    return pid


class Forks:
    """Asks a fork server to fork; any number of processes may share the socket to one."""

    def __init__(self, control: socket.socket) -> None:
        """`control` leads to the fork server."""
        self.control = control

    def fork(self, kind: str, options: Mapping[str, Any], *fds: int) -> Child:
        """Have a process forked that runs module `kind` with `options`, as JSON, and `fds`.

        It starts within milliseconds and can be sent messages before that. Raises OSError if it cannot be
        forked.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                message = json.dumps([kind, dict(options)]).encode()
                socket.send_fds(self.control, [message], [theirs.fileno(), *fds])
            except OSError:
                ours.close()
                raise
        return Child(ours)

    def renew(self) -> None:
        """Replace a fork server that has died; raises OSError in a process that did not start it."""
        raise OSError("the fork server has gone")

    def close(self) -> None:
        """Stop forking."""
        self.control.close()


def launch(control: socket.socket, kinds: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the process of a fork server, which `control` leads to."""
    return subprocess.Popen(
        [sys.executable, "-I", "-c", START, str(ROOT), str(control.fileno()), *kinds],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[control.fileno()],
        cwd="/",
        # The process gets its own process group, by which the processes that it leaves behind can be found.
        process_group=0,
        # The new process gets none of the server's environment, which may hold secrets.
        env={"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"},
    )


class ForkServer(Forks):
    """A fork server that is started here, and ended here together with everything forked from it."""

    def __init__(self, *kinds: str) -> None:
        """Start the fork server; `kinds` are the modules that processes are forked for."""
        self._kinds = kinds
        self._lock = threading.Lock()
        self._closed = False
        #: Why the last fork server that died could not load its modules, if that was the cause.
        self.fault: str | None = None
        self._start()

    @property
    def closed(self) -> bool:
        """Whether it was closed, after which it forks no more."""
        return self._closed

    @property
    def pid(self) -> int:
        """The fork server's process."""
        return self._process.pid

    def renew(self) -> None:
        """Start another one if this one has died; raises OSError after `close`."""
        with self._lock:
            if self._closed:
                raise OSError("the fork server is closed")
            if self._process.poll() is not None or not _is_open(self.control):
                self.fault = self._received_fault()
                if self.fault:
                    log.error("the fork server could not start: %s", self.fault)
                self._stop()
                self._start()

    def close(self) -> None:
        """End the fork server, and everything forked from it."""
        with self._lock:
            self._closed = True
            self._stop()

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = launch(theirs, self._kinds)
        super().__init__(ours)

    def _received_fault(self) -> str | None:
        with contextlib.suppress(OSError):
            return self.control.recv(MAX_FAULT, socket.MSG_DONTWAIT).decode(errors="replace") or None
        return None

    def _stop(self) -> None:
        self.control.close()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.kill()
        self._process.wait()
        _reap(self._process.pid)


def _reap(group: int) -> None:
    """Wait for the processes that a fork server has left to this one, if this is a container's first process.

    The kernel kills them when the fork server ends; elsewhere init reaps them.
    """
    end = time.monotonic() + EXIT_MS / 1000
    with contextlib.suppress(ChildProcessError):
        while os.waitid(os.P_PGID, group, os.WEXITED | os.WNOHANG) or time.monotonic() < end:
            time.sleep(0.001)


def _is_open(channel: socket.socket) -> bool:
    """Whether the other end is still open."""
    poller = select.poll()
    poller.register(channel, select.POLLRDHUP)
    return not poller.poll(0)
