"""The server as a process: two processes give equal pictures, and the error if a port is in use."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from service.http.server import listen, url
from service.settings.formats import WRITTEN
from tests.support.live import Live, running

pytestmark = pytest.mark.long

EFFECTS: dict[str, Any] = {
    "canvas": {"width": 320, "height": 240},
    "appearance": {"gradientEnabled": True},
    "deviceTransform": {"rotationY": 25, "rotationX": -10},
    "postProcessing": {"bloom": True, "vignette": True, "grain": {"amount": 0.3, "seed": 5}},
}


def test_the_same_request_gives_the_same_bytes_in_two_processes(server: Live, tmp_path: Path) -> None:
    """The bytes do not depend on hash seeds or the number of renderers, in any format."""
    with running(tmp_path, RENDER_THREADS="1") as another:
        assert another.process.pid != server.process.pid
        for fast, name in itertools.product((False, True), sorted(one.name for one in WRITTEN)):
            asked: dict[str, Any] = {"settings": EFFECTS | {"export": {"format": name}}, "fast": fast}
            answers = [live.mockup(query="?output=raw", **asked) for live in (server, another, server)]
            assert [answer.status for answer in answers] == [200] * 3
            assert len({answer.body for answer in answers}) == 1, (name, fast)


def test_the_error_for_a_port_in_use(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert url(listener) == f"http://127.0.0.1:{port}"
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}"):
            listen("127.0.0.1", port)
