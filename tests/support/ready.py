"""Processes of `python -m service` that begin with everything loaded, since loading takes most of a start.

A single-threaded process loads the modules, but no settings, and the new processes are forked from it. Their
own fork servers are forked, too, and have the renderers' modules and the default device's tables. Tests of
the start itself, or of the modules that it loads, start the service from scratch instead.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import secrets
import select
import shlex
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
MAX_MESSAGE = 2**16
# How many descriptors a message passes: the three standard streams.
FDS = 3
# A program that acts as `python -m service`; this variable has the name of the loaded process's socket.
# Programs pass on variables to those that they start, unlike descriptors.
LOADED = "LOADED_SERVICE"
CODE = f"""import json, os, socket, sys
loaded = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
loaded.connect(chr(0) + os.environ[{LOADED!r}])
message = json.dumps([sys.argv[1:], dict(os.environ), os.getcwd()]).encode()
socket.send_fds(loaded, [message], [0, 1, 2])
loaded.recv(32)
sys.exit(int(loaded.recv(32)) % 256)
"""
COMMAND = (sys.executable, "-IS", "-c", CODE)


class Ready:
    """A process forked from the loaded one, with the interface of `subprocess.Popen`."""

    def __init__(self, told: socket.socket) -> None:
        """The new process sends its pid through `told`, and its exit code when it ends."""
        self._told = told
        message, fds, _, _ = socket.recv_fds(told, 32, 1)
        self.pid, self._pidfd = int(message), fds[0]
        self._ended: int | None = None

    def poll(self) -> int | None:
        """The exit code; None as long as the process runs."""
        return self._result(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process has ended; raises subprocess.TimeoutExpired."""
        found = self._result(timeout)
        if found is None:
            raise subprocess.TimeoutExpired("service", timeout or 0)
        return found

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._pidfd, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def _result(self, timeout: float | None) -> int | None:
        if self._ended is None and select.select([self._told], [], [], timeout)[0]:
            self._ended = int(self._told.recv(32))
            self._told.close()
            os.close(self._pidfd)
        return self._ended


def start(arguments: Sequence[str], environment: Mapping[str, str], out: IO[bytes]) -> Ready:
    """`python -m service` with arguments, with its output and its errors in `out`."""
    told = connected()
    ask(told, arguments, environment, out)
    return Ready(told)


def ask(
    told: socket.socket, arguments: Sequence[str], environment: Mapping[str, str], out: IO[bytes]
) -> None:
    """Ask the loaded process at the other end of a connection for what `start` starts."""
    message = json.dumps([list(arguments), dict(environment), os.getcwd()]).encode()
    socket.send_fds(told, [message], [0, out.fileno(), out.fileno()])


def program(folder: Path) -> dict[str, str]:
    """Write an executable file `mockup` that does what `COMMAND` does.

    Returns the variables with which it is found.
    """
    file = folder / "mockup"
    # A `#!` line would end the interpreter's path at its first space.
    file.write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n')
    file.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", LOADED: loaded()}


def connected() -> socket.socket:
    """A connection to the loaded process."""
    told = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    told.connect(f"\0{loaded()}")
    return told


@cache
def loaded() -> str:
    """The name of the process that has everything loaded, which exits when this one does.

    The process listens at an abstract address, which is a zero byte and this name. A path in the temporary
    folder could be too long: addresses end at 107 bytes.
    """
    name = secrets.token_hex()
    ours, theirs = socket.socketpair()
    with theirs, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        fds = listener.fileno(), theirs.fileno()
        command = [sys.executable, "-m", "tests.support.ready", *map(str, fds)]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        process = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=fds)
    # The system reaps this process, because nobody waits for it.
    process.returncode = 0
    atexit.register(ours.close)
    return name


def main() -> None:
    """Load the service, and fork a process that serves for each connection, until the starter has ended."""
    listener, starter = (socket.socket(fileno=int(fd)) for fd in sys.argv[1:])
    import anyio._backends._asyncio  # noqa: F401
    import uvicorn.lifespan.on
    import uvicorn.loops.uvloop  # noqa: F401

    from service import (
        __main__,
        app,  # noqa: F401
        cli,
    )
    from service.api.operations import build_models
    from service.api.web_files import web_files
    from service.codec import support  # noqa: F401
    from service.codec.sandbox import worker
    from service.commands import demo, serve, startup_warnings  # noqa: F401
    from service.http import server  # noqa: F401
    from service.processes import forks
    from service.sources import session  # noqa: F401
    from service.workers import renderer
    from tests.support import drawn

    worker.prepare()
    renderer.prepare()
    drawn.prepare()
    build_models()
    web_files()
    cli.command_line()
    forks.launch = launch
    gc.freeze()
    children: dict[int, tuple[int, socket.socket]] = {}
    poller = select.poll()
    for known in (listener, starter):
        poller.register(known, select.POLLIN)
    while True:
        for fd, _ in poller.poll():
            if fd in children:
                poller.unregister(fd)
                pid, told = children.pop(fd)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                # Whoever started the process may have gone, with or without reading the first message.
                with told, contextlib.suppress(ConnectionError):
                    told.send(str(code).encode())
                os.close(fd)
                continue
            if fd == starter.fileno():
                return
            told = listener.accept()[0]
            # Any user may connect, because abstract addresses have no permissions.
            if _user(told) != os.getuid():
                told.close()
                continue
            message, fds, _, _ = socket.recv_fds(told, MAX_MESSAGE, FDS)
            if not message:
                told.close()
                continue
            if not (pid := os.fork()):
                # `_become` closes these descriptors; the objects must not close their numbers again.
                for known in (listener, starter, told, *(other for _, other in children.values())):
                    known.detach()
                _become(json.loads(message), fds)
                return __main__.main()
            pidfd = os.pidfd_open(pid)
            children[pidfd] = pid, told
            with contextlib.suppress(ConnectionError):
                socket.send_fds(told, [str(pid).encode()], [pidfd])
            poller.register(pidfd, select.POLLIN)
            for fd in fds:
                os.close(fd)


def _user(told: socket.socket) -> int:
    """The user id of the process that connected."""
    return int(struct.unpack("3i", told.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1])


def _become(message: tuple[list[str], dict[str, str], str], streams: list[int]) -> None:
    """Drop everything that the parent process had except its modules."""
    arguments, environment, folder = message
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.environ.clear()
    os.environ.update(environment)
    os.environ.pop(LOADED, None)
    os.chdir(folder)
    sys.argv = ["service", *arguments]


def launch(control: socket.socket, kinds: Sequence[str]) -> subprocess.Popen[bytes]:
    """A fork server that is forked from this process."""
    return subprocess.Popen(
        [sys.executable],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=False,
        cwd="/",
        process_group=0,
        # The forked process never returns from this, so it executes no other program.
        preexec_fn=partial(_fork_server, control.fileno(), kinds),
    )


def _fork_server(control: int, kinds: Sequence[str]) -> None:
    from service.processes import fork_server

    code = 1
    try:
        signal.set_wakeup_fd(-1)
        os.dup2(control, 3)
        os.closerange(4, os.sysconf("SC_OPEN_MAX"))
        os.environ.clear()
        fork_server.main(3, list(kinds))
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
