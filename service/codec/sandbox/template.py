"""The process that decoders are forked from: small, with a single thread, everything loaded.

The server itself has threads and secrets and is never forked. This process is started afresh, knows nothing
of either, and does one thing: for every byte it gets on its socket it forks a decoder, and sends back the
decoder's socket and pidfd. It ends when the server does, and the decoders end with it.
"""

from __future__ import annotations

import gc
import os
import signal
import socket

from service.codec.sandbox.confine import confine
from service.codec.sandbox.worker import prepare, serve


def main(fd: int, lives: int, file_bytes: int) -> None:
    """Fork decoders for whoever holds the other end of the socket `fd`, until that end is closed."""
    control = socket.socket(fileno=fd)
    # The kernel reaps the children; the server learns of their end from their sockets.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare()
    # What is loaded now stays shared with the children instead of being copied when it is counted.
    gc.collect()
    gc.freeze()
    while control.recv(1):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        parent = os.getpid()
        pid = os.fork()
        if not pid:
            _child(control, ours, theirs, parent, lives, file_bytes)
        theirs.close()
        _send(control, ours, pid)
        ours.close()


def _send(control: socket.socket, ours: socket.socket, pid: int) -> None:
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        # It died at once; the server sees that on the socket.
        socket.send_fds(control, [b"-"], [ours.fileno()])
        return
    socket.send_fds(control, [b"+"], [ours.fileno(), pidfd])
    os.close(pidfd)


def _child(
    control: socket.socket,
    ours: socket.socket,
    theirs: socket.socket,
    parent: int,
    lives: int,
    file_bytes: int,
) -> None:
    try:
        control.close()
        ours.close()
        filtered = confine(parent, file_bytes)
        theirs.send(b"filtered" if filtered else b"unfiltered")
        serve(theirs, lives)
    finally:
        os._exit(0)
