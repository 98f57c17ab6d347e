"""A headless Chromium and the DevTools protocol over its pipe: JSON messages that end with a zero byte."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)
TIMEOUT_S = 60.0


def program() -> str | None:
    """The browser's path; None if there is no browser."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A browser with an empty profile; messages are sent one at a time, each after the previous response."""

    def __init__(self) -> None:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        reading, theirs_out = os.pipe()
        theirs_in, writing = os.pipe()
        self._in, self._out = reading, writing
        self._rest = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []

        def ends() -> None:
            # The protocol uses descriptors 3 and 4, so first move the pipes elsewhere, to overwrite neither.
            source, target = os.dup(theirs_in), os.dup(theirs_out)
            high = os.dup2(source, 60), os.dup2(target, 61)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self._process = subprocess.Popen(
            [program() or "", *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            preexec_fn=ends, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self.version = str(self.call("Browser.getVersion")["product"])

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """The response to a message; raises RuntimeError for the browser's errors."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            if "method" in answer:
                self._events.append(answer)

    def page(self) -> tuple[str, str]:
        """The target of a new page, and its session."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", session)
        return target, session

    def wait(self, event: str, session: str) -> dict[str, Any]:
        """Wait for an event of a session; returns its parameters."""
        while True:
            for found in self._events:
                if found["method"] == event and found.get("sessionId") == session:
                    self._events.clear()
                    parameters: dict[str, Any] = found["params"]
                    return parameters
            self._events.append(self._next())

    def close(self) -> None:
        """End the browser."""
        try:
            self.call("Browser.close")
            self._process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()

    def _next(self) -> dict[str, Any]:
        pieces = [self._rest]
        until = time.monotonic() + TIMEOUT_S
        while b"\0" not in pieces[-1]:
            if not select.select([self._in], [], [], max(0.0, until - time.monotonic()))[0]:
                raise RuntimeError("the browser does not answer")
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has gone")
            pieces.append(piece)
        message, _, self._rest = b"".join(pieces).partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer
