"""The fork server."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.codec.sandbox.messages import KIND, options
from service.processes import forks
from service.processes.forks import ForkServer, missing
from tests.support.processes import children
from tests.support.waiting import PATIENCE_S, until

PR_SET_CHILD_SUBREAPER = 36


@pytest.fixture
def server() -> Iterator[ForkServer]:
    """A fork server of decoders."""
    server = ForkServer(KIND)
    try:
        yield server
    finally:
        server.close()


def descriptors(pid: int) -> list[str]:
    """What a process has open."""
    return [os.readlink(path) for path in Path(f"/proc/{pid}/fd").iterdir() if path.is_symlink()]


def test_the_log_says_why_it_cannot_start(caplog: pytest.LogCaptureFixture) -> None:
    """If a module cannot be imported, perhaps because a library is missing, the log has its traceback."""
    server = ForkServer("service.processes.nowhere")
    try:
        os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)
        with caplog.at_level(logging.ERROR):
            server.renew()
    finally:
        server.close()
    assert "the fork server could not start" in caplog.text
    assert "ModuleNotFoundError: No module named 'service.processes.nowhere'" in caplog.text


def test_a_process_that_has_ended_has_no_clock(server: ForkServer) -> None:
    child = server.fork(KIND, options())
    # The process ends before anybody reads its message of the handshake.
    until(lambda: child.channel.recv(1, socket.MSG_PEEK))
    child.channel.shutdown(socket.SHUT_WR)
    # Wait until the fork server has reaped the process, since a zombie still has its pid.
    until(lambda: not children(server.pid) and not child.is_alive())
    with pytest.raises(OSError, match="has gone"):
        child.handshake()
    child.kill()


def test_processes_die_with_the_fork_server(server: ForkServer) -> None:
    """They die although the server still has its end of their sockets."""
    child = server.fork(KIND, options())
    child.handshake()
    os.kill(server.pid, signal.SIGKILL)
    until(lambda: not child.is_alive())
    child.kill()


def test_a_killed_process_is_not_waited_for_once_it_has_ended(
    server: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = server.fork(KIND, options())
    child.handshake()
    monkeypatch.setattr(forks, "EXIT_MS", 3_600_000)
    killing = threading.Thread(target=child.kill, daemon=True)
    killing.start()
    killing.join(PATIENCE_S)
    assert not killing.is_alive()
    assert not child.is_connected


@pytest.fixture
def reaper() -> Iterator[None]:
    """Makes orphans children of this process, as those of a container's first process are."""
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def test_a_containers_first_process_leaves_no_zombies(reaper: None) -> None:
    server = ForkServer(KIND)
    child = server.fork(KIND, options())
    child.handshake()
    (pid,) = children(server.pid)
    server.close()
    assert not Path(f"/proc/{pid}").exists()
    child.kill()


def test_the_fork_server_and_its_processes_keep_no_descriptors(server: ForkServer) -> None:
    def forked() -> int:
        child = server.fork(KIND, options())
        child.handshake()
        (pid,) = children(server.pid)
        until(lambda: "anon_inode:[pidfd]" not in descriptors(pid))
        child.kill()
        until(lambda: not children(server.pid))
        return len(descriptors(server.pid))

    assert forked() == forked()


def test_looking_for_missing_features_leaves_nothing_open() -> None:
    before = descriptors(os.getpid())
    assert missing() == []
    assert len(descriptors(os.getpid())) == len(before)
