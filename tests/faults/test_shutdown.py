"""Shutdown: the server reports that it is not ready, finishes accepted requests, and ends whatever clients
do."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from tests.faults.test_slow_clients import HEADS
from tests.support import pictures
from tests.support.live import ONE_AT_ONCE, Live, running
from tests.support.processes import alive, children, renderers, send, stop, tree
from tests.support.waiting import PATIENCE_S, until

pytestmark = pytest.mark.long

ENORMOUS = {
    "canvas": {"width": 4096, "height": 2304},
    "export": {"scale": 2},
    "postProcessing": {"bloom": True, "grain": True},
}
LARGE = {"canvas": {"width": 2000, "height": 1500}, "postProcessing": {"bloom": True, "grain": True}}

MANY_PROJECTS = {"MAX_PROJECTS": "100000", "WRITE_RATE_LIMIT": "100000"}


# Serves with a thread that ignores every deadline, as a faulty native library might.
STUCK = """
import concurrent.futures, functools, threading
from service.app import create_app
from service.http import server
from service.config import Config
pool = concurrent.futures.ThreadPoolExecutor(1)
pool.submit(threading.Event().wait)
server.serve(create_app, Config(), functools.partial(print, flush=True))
"""


class Slow(BaseHTTPRequestHandler):
    """A web server that withholds its screenshot until it is released."""

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


@pytest.fixture
def website() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_accepted_requests_are_finished(tmp_path: Path, website: str) -> None:
    """Requests finish whether they are rendering, waiting for their turn, or waiting for a screenshot to
    arrive."""
    with running(tmp_path, METRICS_PORT="0") as live, ThreadPoolExecutor(4) as pool:
        fetching = pool.submit(live.mockup, screenshot_url=website)
        renders = [pool.submit(live.mockup, live.key(), settings=LARGE) for _ in range(3)]
        assert Slow.asked.wait(PATIENCE_S)
        until(lambda: live.held() + sum(job.done() for job in renders) == 4, "the acceptance of all")
        live.process.send_signal(signal.SIGTERM)
        parts = urlsplit(live.address)

        def refuses() -> bool:
            try:
                socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S).close()
            except OSError:
                return True
            return False

        until(refuses, "the end of new connections")
        assert not fetching.done()
        Slow.told.set()
        assert [job.result().status for job in (fetching, *renders)] == [200] * 4
        assert live.process.wait(PATIENCE_S) == 0


def test_a_server_that_drains_serves_until_balancers_have_noticed(tmp_path: Path) -> None:
    with running(tmp_path, DRAIN_S="600", **ONE_AT_ONCE) as live:
        assert live.send("GET", "/health/ready").status == 200
        live.process.send_signal(signal.SIGTERM)
        until(lambda: live.send("GET", "/health/ready").status == 503, "the end of readiness")
        assert live.send("GET", "/health/ready").json["checks"]["accepting"] is False
        assert live.mockup().status == 200
        live.process.send_signal(signal.SIGTERM)
        assert live.process.wait(PATIENCE_S) == 0, "the second signal ends it at once"


def test_a_server_ends_by_itself_once_it_has_drained(tmp_path: Path) -> None:
    with running(tmp_path, DRAIN_S="0.5", **ONE_AT_ONCE) as live:
        assert live.send("GET", "/health").status == 200
        live.process.send_signal(signal.SIGTERM)
        assert live.process.wait(PATIENCE_S) == 0


def test_confirmed_writes_survive_a_kill(tmp_path: Path) -> None:
    saved: dict[str, Any] = {}
    keys: list[str] = []
    begun = threading.Event()

    def save(live: Live, key: str, number: int) -> None:
        with contextlib.suppress(OSError, HTTPException):
            for count in itertools.count():
                project = {"name": f"{number}-{count}", "settings": {"device": "iphone-16-pro"}}
                answer = live.send("POST", "/api/v1/projects", project, key=key)
                assert answer.status == 201
                saved[answer.json["id"]] = answer.json
                if count > 20:
                    begun.set()

    with running(tmp_path, **MANY_PROJECTS, **ONE_AT_ONCE) as live:
        threads = []
        for number in range(4):
            keys.append(live.key())
            threads.append(threading.Thread(target=save, args=(live, keys[-1], number)))
            threads[-1].start()
        assert begun.wait(PATIENCE_S)
        keys.append(live.key())
        live.process.kill()
        for thread in threads:
            thread.join(PATIENCE_S)
    assert len(saved) > 20
    with running(tmp_path, **MANY_PROJECTS, **ONE_AT_ONCE) as again:
        found: dict[str, Any] = {}
        for key in keys:
            query = ""
            while query is not None:
                answer = again.send("GET", f"/api/v1/projects{query}", key=key)
                assert answer.status == 200, "the key is lost"
                found |= {item["id"]: item for item in answer.json["projects"]}
                query = answer.json["next"] and f"?after={answer.json['next']}"
        assert saved.items() <= found.items()


def test_clients_that_leave_free_their_places(tmp_path: Path) -> None:
    with running(tmp_path, METRICS_PORT="0", RENDER_THREADS="1") as live:
        assert live.mockup().status == 200
        # Nothing finishes while the only renderer is stopped.
        (renderer,) = renderers(live.process.pid)
        assert stop(renderer)
        finished = live.log.read_text().count('"status": 200')
        body = json.dumps({"screenshot_base64": pictures.text(), "settings": ENORMOUS}).encode()
        parts = urlsplit(live.address)
        waiting = []
        for _ in range(6):
            connection = socket.create_connection((parts.hostname or "", parts.port or 0), PATIENCE_S)
            head = f"POST /api/v1/mockup HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {live.key()}\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            connection.sendall(head.encode() + body)
            waiting.append(connection)
        until(lambda: live.held() >= 4)
        for connection in waiting:
            connection.close()
        until(lambda: live.log.read_text().count("client left") >= 4)
        send(renderer, signal.SIGCONT)
        until(lambda: live.held() == 0)
        assert live.log.read_text().count('"status": 200') == finished


def test_slow_clients_do_not_delay_shutdown(tmp_path: Path) -> None:
    with running(tmp_path, SHUTDOWN_S="1", **ONE_AT_ONCE) as live:
        parts = urlsplit(live.address)
        slow = [
            socket.create_connection((parts.hostname or "", parts.port or 0), PATIENCE_S) for _ in range(9)
        ]
        key = live.key()
        for number, connection in enumerate(slow):
            head = HEADS[number % len(HEADS)]
            mark = b"POST /api/v1/mockup HTTP/1.1\r\n"
            connection.sendall(head.replace(mark, mark + f"Authorization: Bearer {key}\r\n".encode()))
        assert live.mockup().status == 200
        below = [pid for child in children(live.process.pid) for pid in tree(child)]
        assert below
        live.process.send_signal(signal.SIGTERM)
        assert live.process.wait(PATIENCE_S) == 0
        for connection in slow:
            connection.close()
        until(lambda: not any(map(alive, below)), "the end of the decoders with their server")


def test_shutdown_ends_despite_stuck_threads(tmp_path: Path) -> None:
    script = tmp_path / "stuck.py"
    script.write_text(STUCK)
    environment = {"MOCKUP_DATA_DIR": str(tmp_path), "MOCKUP_PORT": "0", "MOCKUP_SHUTDOWN_S": "0.5"}
    with subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": ".", **environment},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            # Once the server responds, it handles signals.
            with urlopen(f"{address}/health", timeout=PATIENCE_S) as answer:
                assert answer.status == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 1
        finally:
            process.kill()
