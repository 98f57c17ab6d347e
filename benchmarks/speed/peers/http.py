"""This service end to end: a server process on loopback that returns a picture's bytes over HTTP."""

from __future__ import annotations

import base64
import http.client
import itertools
import json
from contextlib import ExitStack
from typing import Any

from benchmarks.speed.contender import Basis
from benchmarks.speed.screenshots import again
from benchmarks.speed.server import Served, serving
from benchmarks.speed.sketch import Sketch
from service.codec import header
from service.settings.formats import FORMATS

NOTES = {
    "": "a server process; the screenshot in base64, a file it has not seen; the plate is in the cache",
    "cold": "the same, in a pose that it has not seen",
    "fast": "the same, `fast: true`, the plate is in the cache",
    "upload": "the same, the screenshot uploaded before and used again; the plate is in the cache",
}


class Server:
    """A server for all contenders over HTTP, each with its own user."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._served: Served | None = None
        self._keys: list[str] = []

    def key(self) -> str:
        """Another user's key."""
        if self._served is None:
            self._served = self._stack.enter_context(serving(len(NOTES), watched=False))
            self._keys = list(self._served.keys)
        return self._keys.pop()

    @property
    def host(self) -> str:
        """The address where the server listens."""
        assert self._served is not None
        return self._served.address.removeprefix("http://")

    def close(self) -> None:
        """Stop the server; another may be started."""
        self._stack.close()
        self._served = None


class Http(Basis):
    """The service over HTTP as a contender; `mode` is one of NOTES."""

    def __init__(self, mode: str, server: Server) -> None:
        self.name = "over HTTP" + (f", {mode}" if mode else "")
        self.note = NOTES[mode]
        self._mode = mode
        self._server = server
        self._numbers = itertools.count(1)

    def open(self, screenshot: bytes) -> None:
        super().open(screenshot)
        self._key = self._server.key()
        self._connection = http.client.HTTPConnection(self._server.host, timeout=60)
        self._stages: dict[str, float] = {}
        self._seen = ""
        if self._mode == "upload":
            mime = FORMATS[header.read(screenshot).format].mime
            self._upload = json.loads(self._sent("/api/v1/screenshots", screenshot, mime))["id"]

    def prepare(self, sketch: Sketch) -> None:
        if self._seen != sketch.case.name:
            self._seen = sketch.case.name
            self._body = self._asked(sketch)
            # The second request finds the plate and, if cached, the pixels.
            for _ in range(2):
                self.draw(sketch)
        self._body = self._asked(sketch)

    def draw(self, sketch: Sketch) -> bytes:
        return self._sent("/api/v1/mockup?output=raw", self._body, "application/json")

    def stages(self) -> dict[str, float]:
        return dict(self._stages)

    def close(self) -> None:
        self._connection.close()
        self._server.close()

    def _asked(self, sketch: Sketch) -> bytes:
        number = next(self._numbers)
        settings: dict[str, Any] = sketch.case.members
        if self._mode == "cold":
            settings["deviceTransform"]["rotationY"] += number * 1e-4
        if self._mode == "upload":
            shot = {"type": "upload", "src": self._upload}
        else:
            shot = {"type": "base64", "src": base64.b64encode(again(self.screenshot, number)).decode()}
        body = {"type": "screenshot", "screenshot": shot, "settings": settings, "fast": self._mode == "fast"}
        return json.dumps(body).encode()

    def _sent(self, path: str, body: bytes, kind: str) -> bytes:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": kind}
        self._connection.request("POST", path, body, headers)
        response = self._connection.getresponse()
        data = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{response.status}: {data[:200]!r}")
        entries = (entry.split(";dur=") for entry in response.headers.get("Server-Timing", "").split(","))
        self._stages = {name.strip(): float(spent[0]) for name, *spent in entries if spent}
        return data
