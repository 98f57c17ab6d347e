"""An object store on loopback that implements the parts of S3 that pictures need, and fails on request.

It must fail between a write and its response, which moto cannot do; moto would also take 130 MB.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import unquote, urlsplit


class ObjectStore:
    """Objects by `/bucket/key`. Every `nth` request fails, and reads of `held` keys wait until these are
    released."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[bytes, dict[str, str]]] = {}
        self.versions: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.nth = 0
        self.failed = 0
        self.held: dict[str, threading.Event] = {}
        # Requests for held keys that have arrived.
        self.waiting = threading.Semaphore(0)
        self.url = ""
        self._lock = threading.Lock()
        self._numbers = count(1)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables through which clients find the store."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "here",
        }

    def fails(self) -> bool:
        with self._lock:
            fails = self.nth > 0 and next(self._numbers) % self.nth == 0
            self.failed += fails
        return fails

    def put(self, path: str, data: bytes, headers: Any) -> int:
        """The status of a write, which takes effect if the conditions in its headers hold."""
        with self._lock:
            there = self.objects.get(path)
            if headers.get("If-None-Match") == "*" and there is not None:
                return 412
            wanted = headers.get("If-Match")
            if wanted is not None and (there is None or there[1]["ETag"] != wanted):
                return 412
            kept = {name: value for name, value in headers.items() if name.lower().startswith("x-amz-meta-")}
            kept |= {
                "Content-Type": headers.get("Content-Type", ""),
                "Last-Modified": formatdate(usegmt=True),
            }
            # As in other stores, the ETag does not depend on the content alone.
            kept["ETag"] = f'"{md5(data).hexdigest()}-{self.versions[path]}"'  # noqa: S324
            self.objects[path] = data, kept
            self.versions[path] += 1
            return 200


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Do not report clients that were killed while they waited."""


@contextmanager
def running() -> Iterator[ObjectStore]:
    """A store that serves until the end of the block."""
    store = ObjectStore()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self._path()
            if (event := store.held.get(path)) is not None and self.command == "GET":
                store.waiting.release()
                event.wait(120)
            there = store.objects.get(path)
            if store.fails():
                self._reply(503, {}, b"<Error><Code>SlowDown</Code></Error>")
            elif there is None:
                self._reply(404, {}, b"<Error><Code>NoSuchKey</Code></Error>")
            else:
                self._reply(200, there[1], there[0])

        do_HEAD = do_GET  # noqa: N815

        def do_PUT(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if store.fails():
                if store.failed % 2:
                    # The write has taken effect; only the response is lost.
                    store.put(self._path(), data, self.headers)
                    self.close_connection = True
                    return
                self._reply(503, {}, b"<Error><Code>SlowDown</Code></Error>")
                return
            status = store.put(self._path(), data, self.headers)
            there = store.objects[self._path()]
            self._reply(status, {"ETag": there[1]["ETag"]}, b"")

        def log_message(self, *_: object) -> None:
            pass

        def _path(self) -> str:
            store.requests[self.command] += 1
            return unquote(urlsplit(self.path).path)

        def _reply(self, status: int, headers: dict[str, str], data: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

    with _Server(("127.0.0.1", 0), Handler) as server:
        store.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield store
        finally:
            for event in store.held.values():
                event.set()
            server.shutdown()
            thread.join()
