"""The process that decoders and renderers are forked from: a single thread with everything loaded.

The server itself has threads and secrets and is never forked. This process is started from scratch, has
neither, and does one thing: for every message on its socket, which names a module and has options for it, it
forks a process that runs the module and gets the descriptors that came with the message. It ends when the
server does, and takes the processes it forked with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import traceback
from typing import Any, Protocol, cast

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
MAX_MESSAGE = 1024
MAX_FAULT = 2**16
MAX_FDS = 4
# The largest oom_score_adj; see proc(5).
MOST_OOM_SCORE = 1000
# Only the server holds the other end of standard input: when it closes, the server has ended.
LIFELINE = 0


class ProcessKind(Protocol):
    """The functions that a module needs for processes to be forked for it."""

    def prepare(self) -> None:
        """Load, in the fork server, the modules that all of its processes share; must not start threads."""
        ...

    def run(self, options: dict[str, Any], channel: socket.socket, *fds: int) -> None:
        """Do the process's work until it ends."""
        ...


def main(fd: int, kinds: list[str]) -> None:
    """Fork for every message on the socket `fd`; `kinds` are the names of the modules.

    Two of the options are the process's `name`, and an `oom_score`, 0 to 1000, that is added to its own.
    """
    control = socket.socket(fileno=fd)
    # The kernel reaps the children; the server learns from their sockets that they have ended. Signals that
    # stop the server may reach the whole group; it is then up to the server to end the others.
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    # Loading creates little garbage, and searching for it took a sixth of the time.
    gc.disable()
    try:
        known = {name: cast(ProcessKind, importlib.import_module(name)) for name in kinds}
        for kind in known.values():
            kind.prepare()
    except BaseException:
        # The process has no other way to report a faulty installation.
        control.send(traceback.format_exc().encode()[-MAX_FAULT:])
        raise
    # Freeze all objects loaded so far: the garbage collector would write to their pages, which children
    # share.
    gc.freeze()
    gc.enable()
    poller = select.poll()
    poller.register(control, select.POLLIN)
    poller.register(LIFELINE, select.POLLIN)
    while LIFELINE not in (ready := dict(poller.poll())):
        if control.fileno() not in ready:
            continue
        message, fds, _, _ = socket.recv_fds(control, MAX_MESSAGE, MAX_FDS)
        if not message:
            return
        name, options = json.loads(message)
        parent = os.getpid()
        # If there is no memory or process number left, the caller finds its socket closed and asks again.
        with contextlib.suppress(OSError):
            if not os.fork():
                _child(control, parent, known[name], options, fds)
        for fd in fds:
            os.close(fd)


def _child(
    control: socket.socket, parent: int, kind: ProcessKind, options: dict[str, Any], fds: list[int]
) -> None:
    try:
        control.close()
        die_with(parent)
        channel = socket.socket(fileno=fds[0])
        pidfd = os.pidfd_open(os.getpid())
        socket.send_fds(channel, [b"+"], [pidfd])
        os.close(pidfd)
        raise_oom_score(options["oom_score"])
        # The name that ps and top show; the kernel keeps 15 bytes.
        ctypes.CDLL(None).prctl(PR_SET_NAME, options["name"].encode())
        kind.run(options, channel, *fds[1:])
    finally:
        os._exit(0)


def raise_oom_score(by: int) -> None:
    """Have the kernel kill this process before its ancestors when memory runs out."""
    with contextlib.suppress(OSError, ValueError), open("/proc/self/oom_score_adj", "r+") as score:
        value = min(MOST_OOM_SCORE, int(score.read()) + by)
        score.seek(0)
        score.write(str(value))


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent, process `parent`, ends."""
    unsigned = ctypes.c_ulong
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, unsigned(signal.SIGKILL), unsigned(0), unsigned(0), unsigned(0))
    if os.getppid() != parent:
        os._exit(0)
