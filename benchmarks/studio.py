"""The latency of the studio's picture: `python -m benchmarks.studio [--seconds N] [--device ID ...]`.

A real browser on the server's own processors opens the page and drags each device for a while. All times are
measured in the page: from a pointer event to the frame with its picture, between frames, and from opening the
page to its first picture. Every pose is new, so no plate is used twice. The browser is driven through the
DevTools protocol without its inspectors of scripts and of the network, whose reports take processor time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.speed.machine import describe
from benchmarks.speed.peers.devtools import Browser
from frames import __file__ as frames
from tests.support.fragments import encoded
from tests.support.live import SERVICE, Live, running

SCREENSHOT = Path(frames).with_name("samples") / "screenshot.png"
SETTINGS = {"RATE_LIMIT": "1000000", "PREVIEW_LIMIT_S": "3600", "WRITE_RATE_LIMIT": "1000"}
OPENINGS = 7
HEIGHT = 800
# The picture's place has the window's width minus panels and margins.
ASIDE = 428
PATIENCE_S = 60
WATCH = """(() => {
    performance.clearMeasures();
    const note = (time) => { window.drawnAt.push(time); requestAnimationFrame(note); };
    if (!window.drawnAt) requestAnimationFrame(note);
    window.drawnAt = [];
})()"""
TOLD = """({
    frames: window.drawnAt,
    pictures: performance.getEntriesByName('pointer to picture').map((one) => one.duration),
    width: document.querySelector('.canvas').width,
})"""
FIRST = "performance.getEntriesByName('first picture')[0]?.startTime"
SETTLED = "document.querySelector('.app[data-status=settled] .shot-name') !== null"
CHOOSE = "[...document.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Choose').click()"
MIDDLE = """(() => {
    const { left, top, width, height } = document.querySelector('.stage').getBoundingClientRect();
    return [left + width / 2, top + height / 2];
})()"""
# A browser with a stored key, because the page would ask before it accepts one from the address.
KEPT = "localStorage.setItem('mockup.key', '%s')"


class Page:
    """A page of the studio."""

    def __init__(self, browser: Browser, live: Live, key: str, width: int, device: str) -> None:
        """Open the studio in a window with room for a picture of `width` CSS px."""
        self._browser = browser
        self._target, self._session = browser.page()
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width + ASIDE, height=HEIGHT, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self.call("Page.addScriptToEvaluateOnNewDocument", source=KEPT % key)
        settings = encoded({"device": device})
        self.call("Page.navigate", url=f"{live.address}#settings={settings}")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The response to a message to this page."""
        return self._browser.call(method, self._session, **parameters)

    def evaluate(self, script: str, **options: Any) -> Any:
        """The value of an expression, None for undefined."""
        return self.call("Runtime.evaluate", expression=script, returnByValue=True, **options)["result"].get(
            "value"
        )

    def until(self, script: str) -> Any:
        """The value of an expression, as soon as it is true."""
        end = time.monotonic() + PATIENCE_S
        while not (value := self.evaluate(script)):
            if time.monotonic() > end:
                raise RuntimeError(f"the page never had {script}")
            time.sleep(0.05)
        return value

    def first_picture(self) -> float:
        """Milliseconds from opening the page to its first picture."""
        return float(self.until(FIRST))

    def upload(self, file: Path) -> None:
        """Choose a screenshot, and wait until it is shown."""
        self.call("Page.setInterceptFileChooserDialog", enabled=True)
        self.evaluate(CHOOSE, userGesture=True)
        chooser = self._browser.wait("Page.fileChooserOpened", self._session)
        self.call("DOM.setFileInputFiles", files=[str(file)], backendNodeId=chooser["backendNodeId"])
        self.until(SETTLED)

    def drag(self, seconds: float) -> dict[str, Any]:
        """The page's own figures for a drag in wide circles, with 60 pointer events per second."""
        across, down = self.evaluate(MIDDLE)
        self._mouse("mouseMoved", across, down, buttons=0)
        self._mouse("mousePressed", across, down, button="left", clickCount=1)
        self.evaluate(WATCH)
        began = time.perf_counter()
        step = 0
        while (now := time.perf_counter() - began) < seconds:
            # No place occurs twice, and the speed is that of a hand.
            x, y = across + (step * 7.3) % 401 - 200, down + (step * 2.9) % 211 - 105
            self._mouse("mouseMoved", x, y, button="left")
            step += 1
            time.sleep(max(0.0, step / 60 - now))
        told: dict[str, Any] = self.evaluate(TOLD)
        self._mouse("mouseReleased", across, down, button="left", clickCount=1)
        return told

    def close(self) -> None:
        """Close the page."""
        self._browser.call("Target.closeTarget", targetId=self._target)

    def _mouse(self, kind: str, x: float, y: float, buttons: int = 1, **options: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, buttons=buttons, **options)


def measured(open_page: Callable[[], Page], seconds: float) -> dict[str, float]:
    """The figures of a device: of its openings, and of a drag."""
    openings = []
    for _ in range(OPENINGS + 1):
        with closing(open_page()) as page:
            openings.append(page.first_picture())
    with closing(open_page()) as page:
        page.first_picture()
        page.upload(SCREENSHOT)
        page.drag(2)  # seconds until caches are warm and the picture's size has settled
        told = page.drag(seconds)
    pictures = told["pictures"]
    gaps = [after - before for before, after in zip(told["frames"], told["frames"][1:], strict=False)]
    return {
        "first picture, first visit, ms": openings[0],
        "first picture, median of later visits, ms": statistics.median(openings[1:]),
        "pointer to picture, median, ms": statistics.median(pictures),
        "pointer to picture, 95 %, ms": share(pictures, 95),
        "new pictures a second": len(pictures) / seconds,
        "frames a second": 1000 / statistics.fmean(gaps),
        "longest frame of 99 %, ms": share(gaps, 99),
        "width of the pictures, px": told["width"],
    }


def share(values: Sequence[float], percent: int) -> float:
    """A percentile."""
    return statistics.quantiles(values, n=100)[percent - 1] if len(values) > 1 else float("nan")


def main() -> None:
    """Print a table for each device, and write them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="of dragging")
    parser.add_argument("--width", type=int, default=960, help="of the picture on the stage, px")
    parser.add_argument("--device", nargs="+", default=["auto"], help="ids of the catalogue")
    parser.add_argument("--json", type=Path, help="where to write the figures as well")
    wanted = parser.parse_args()
    figures = {}
    print("\n".join(describe()))
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), program=SERVICE, **SETTINGS) as live:
        key = live.key()
        for device in wanted.device:
            # A new browser for each, so that every first visit is one.
            with closing(Browser()) as browser:
                open_page = partial(Page, browser, live, key, wanted.width, device)
                figures[device] = measured(open_page, wanted.seconds)
            print(f"\n{device}")
            for name, figure in figures[device].items():
                print(f"{name:45} {figure:8.1f}")
    if wanted.json:
        wanted.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
