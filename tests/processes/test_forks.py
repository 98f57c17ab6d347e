"""The fork server."""

from __future__ import annotations

import logging
import os

import pytest

from service.processes.forks import ForkServer


def test_it_says_why_it_cannot_start(caplog: pytest.LogCaptureFixture) -> None:
    """A module that cannot be imported, as when a library is missing, is named with its traceback."""
    server = ForkServer("service.processes.nowhere")
    try:
        os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)
        with caplog.at_level(logging.ERROR):
            server.renew()
    finally:
        server.close()
    assert "the fork server could not start" in caplog.text
    assert "ModuleNotFoundError: No module named 'service.processes.nowhere'" in caplog.text
