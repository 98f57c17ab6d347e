"""The server as a process: the same picture from two of them, and a port that is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.http.server import listen, url
from tests.support.live import UNHURRIED, Live, running

pytestmark = pytest.mark.long

EFFECTS = {
    "canvas": {"width": 320, "height": 240},
    "deviceTransform": {"rotationY": 25, "rotationX": -10},
    "postProcessing": {"bloom": True, "vignette": True, "grain": {"amount": 0.3, "seed": 5}},
}


def test_the_same_request_gives_the_same_bytes_in_two_processes(server: Live, tmp_path: Path) -> None:
    with running(tmp_path, **UNHURRIED) as another:
        assert another.process.pid != server.process.pid
        for fast in (False, True):
            asked = [
                live.mockup(query="?output=raw", settings=EFFECTS, fast=fast)
                for live in (server, another, server)
            ]
            assert [answer.status for answer in asked] == [200] * 3
            assert len({answer.body for answer in asked}) == 1


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert url(listener) == f"http://127.0.0.1:{port}"
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}"):
            listen("127.0.0.1", port)
