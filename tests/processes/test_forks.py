"""The fork server."""

from __future__ import annotations

import logging
import os
import socket

import pytest

from service.codec.sandbox.messages import KIND, options
from service.processes.forks import ForkServer
from tests.support.processes import children
from tests.support.waiting import until


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


def test_a_process_that_has_ended_has_no_clock() -> None:
    server = ForkServer(KIND)
    try:
        child = server.fork(KIND, options())
        # The process ends before anybody reads its message of the handshake.
        until(lambda: child.channel.recv(1, socket.MSG_PEEK))
        child.channel.shutdown(socket.SHUT_WR)
        # Wait until the fork server has reaped the process, since a zombie still has its pid.
        until(lambda: not children(server.pid) and not child.is_alive())
        with pytest.raises(OSError, match="has gone"):
            child.handshake()
        child.kill()
    finally:
        server.close()
