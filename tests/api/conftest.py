"""Servers with unusual limits, and a web server with screenshots, shared by the folder's tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.support import pictures
from tests.support.live import ONE_AT_ONCE, Live, running


@pytest.fixture(scope="session")
def small_bodies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that takes bodies of at most 2048 bytes, and does not trust the tests as a proxy."""
    with running(
        tmp_path_factory.mktemp("small"), MAX_BODY_BYTES="2048", TRUSTED_PROXIES="10.0.0.0/8", **ONE_AT_ONCE
    ) as live:
        yield live


@pytest.fixture(scope="session")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service with a deadline that no render can meet, and with windows of one second."""
    with running(
        tmp_path_factory.mktemp("hurried"),
        RENDER_TIMEOUT_S="0.001",
        RATE_WINDOW_S="1",
        RATE_LIMIT="3",
        **ONE_AT_ONCE,
    ) as live:
        yield live


@pytest.fixture(scope="session")
def administered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service with two administrators."""
    admins = "Ops@example.com other@example.com"
    with running(tmp_path_factory.mktemp("admin"), ADMINS=admins, **ONE_AT_ONCE) as live:
        yield live


@pytest.fixture(scope="session")
def ops(administered: Live) -> str:
    """The key of an administrator."""
    return administered.accounts.keys.issue(administered.accounts.users.add("ops@example.com").id)


@pytest.fixture(scope="session")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that stores few uploads for each user, and gives previews little time."""
    with running(
        tmp_path_factory.mktemp("narrow"),
        MAX_UPLOADS="2",
        MAX_SOURCE_BYTES="2000",
        WRITE_RATE_LIMIT="6",
        PREVIEW_LIMIT_S="0.02",
        **ONE_AT_ONCE,
    ) as live:
        yield live


class Screenshots(BaseHTTPRequestHandler):
    """A web server that has one screenshot and one page of text."""

    def do_GET(self) -> None:
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/shot.png")
            self.end_headers()
            return
        found = {"/shot.png": pictures.png(), "/page": b"<html>no picture</html>"}.get(self.path)
        self.send_response(404 if found is None else 200)
        self.end_headers()
        self.wfile.write(found or b"")

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def website() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Screenshots) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()
        thread.join()
