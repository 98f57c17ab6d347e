"""Headless Chromium on the CPU: HTML and CSS, captured by Page.captureScreenshot."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from benchmarks.speed.contender import Basis
from benchmarks.speed.peers.devtools import Browser, program
from benchmarks.speed.peers.page import html
from benchmarks.speed.sketch import Sketch

NOTES = {
    "page": "the browser is kept running, each picture is a page of its own",
    "kept": "browser and page are kept, each picture is loaded into the same page",
}
# The page is complete once its picture is decoded and a frame has been drawn.
READY = (
    "document.images[0].decode().then(() => new Promise(done =>"
    " requestAnimationFrame(() => requestAnimationFrame(done))))"
)


class Chromium(Basis):
    """Chromium as a contender; `mode` is one of NOTES."""

    def __init__(self, mode: str) -> None:
        self.name = "Chromium" if mode == "page" else "Chromium, page kept"
        self.note = NOTES[mode]
        self._keep = mode == "kept"
        self._page: tuple[str, str] | None = None

    def absent(self) -> str | None:
        return None if program() else "no Chromium is installed"

    def open(self, screenshot: bytes) -> None:
        super().open(screenshot)
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        # A file URL counts as a picture only if its name has the format's extension.
        self._shot = folder / ("shot.png" if screenshot[:1] == b"\x89" else "shot.jpg")
        self._shot.write_bytes(screenshot)
        self._file = folder / "scene.html"
        self._browser = Browser()
        self.note = f"{self._browser.version}; {NOTES['kept' if self._keep else 'page']}"

    def prepare(self, sketch: Sketch) -> None:
        self._file.write_text(html(sketch, self._shot.as_uri()), encoding="utf-8")

    def draw(self, sketch: Sketch) -> bytes:
        target, session = self._page or self._browser.page()
        call = self._browser.call
        width, height = sketch.size
        call(
            "Emulation.setDeviceMetricsOverride", session,
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        call("Page.navigate", session, url=self._file.as_uri())
        self._browser.wait("Page.loadEventFired", session)
        call("Runtime.evaluate", session, expression=READY, awaitPromise=True)
        lossy = {} if sketch.case.format == "png" else {"quality": 85}
        shot = call("Page.captureScreenshot", session, format=sketch.case.format, **lossy)
        if self._keep:
            self._page = target, session
        else:
            call("Target.closeTarget", targetId=target)
        return base64.b64decode(shot["data"])

    def close(self) -> None:
        self._browser.close()
        self._folder.cleanup()
