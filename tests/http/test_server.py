"""The server as a process: start, stop, and the same picture from two of them."""

from __future__ import annotations

import signal
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from service.http.server import listen, url
from tests.support import pictures
from tests.support.live import UNHURRIED, Answer, Live, running
from tests.support.waiting import PATIENCE_S, until

pytestmark = pytest.mark.long

EFFECTS = {
    "canvas": {"width": 320, "height": 240},
    "deviceTransform": {"rotationY": 25, "rotationX": -10},
    "postProcessing": {"bloom": True, "vignette": True, "grain": {"amount": 0.3, "seed": 5}},
}


@pytest.mark.parametrize("fast", [False, True])
def test_the_same_request_gives_the_same_bytes_in_two_processes(
    server: Live, tmp_path: Path, fast: bool
) -> None:
    first = server.mockup(query="?output=raw", settings=EFFECTS, fast=fast)
    with running(tmp_path, **UNHURRIED) as another:
        assert another.process.pid != server.process.pid
        second = another.mockup(query="?output=raw", settings=EFFECTS, fast=fast)
    assert first.status == second.status == 200
    assert first.body == second.body
    assert first.body == server.mockup(query="?output=raw", settings=EFFECTS, fast=fast).body


class Slow(BaseHTTPRequestHandler):
    """A web server that keeps its screenshot back until it is told to give it."""

    asked = threading.Event()
    told = threading.Event()

    def do_GET(self) -> None:
        self.asked.set()
        assert self.told.wait(PATIENCE_S)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(pictures.png())

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


def test_accepted_requests_finish_when_it_is_told_to_stop(tmp_path: Path) -> None:
    found: list[Answer] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as website, running(tmp_path, **UNHURRIED) as live:
        source = f"http://127.0.0.1:{website.server_port}/"
        threading.Thread(target=website.serve_forever, daemon=True).start()
        thread = threading.Thread(target=lambda: found.append(live.mockup(screenshot_url=source)))
        thread.start()
        assert Slow.asked.wait(PATIENCE_S)
        live.process.send_signal(signal.SIGTERM)
        parts = urlsplit(live.address)

        def refuses() -> bool:
            try:
                socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S).close()
            except OSError:
                return True
            return False

        until(refuses, "the end of new connections")
        assert not found
        Slow.told.set()
        thread.join(PATIENCE_S)
        assert live.process.wait(PATIENCE_S) == 0
        website.shutdown()
    assert [answer.status for answer in found] == [200]


def test_what_was_saved_survives_being_killed(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        key = live.key()
        made = live.send("POST", "/api/v1/projects", {"name": "kept", "settings": {}}, key=key).json
        live.process.kill()
        live.process.wait()
    with running(tmp_path) as again:
        assert again.send("GET", f"/api/v1/projects/{made['id']}", key=key).json == made


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert url(listener) == f"http://127.0.0.1:{port}"
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}"):
            listen("127.0.0.1", port)
