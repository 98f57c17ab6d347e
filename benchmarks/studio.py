"""The latency of the studio's picture: `python -m benchmarks.studio [--seconds N] [--width W] [--json FILE]`.

A real browser on the server's own processors opens the page and drags the device for a while. All times are
measured in the page: from the pointer's event to the frame with its picture, between frames, and from opening
the page to its first picture. Every pose is new, so no plate is used twice.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks.speed.machine import describe
from benchmarks.speed.peers.devtools import program
from frames import __file__ as frames
from tests.support.live import SERVICE, Live, running

SCREENSHOT = Path(frames).with_name("samples") / "screenshot.png"
SETTINGS = {"RATE_LIMIT": "1000000", "PREVIEW_LIMIT_S": "3600", "WRITE_RATE_LIMIT": "1000"}
OPENINGS = 7
# The picture's place has the window's width minus panels and margins.
ASIDE = 428
WATCH = """() => {
    performance.clearMeasures();
    const note = (time) => { window.drawnAt.push(time); requestAnimationFrame(note); };
    if (!window.drawnAt) requestAnimationFrame(note);
    window.drawnAt = [];
}"""
TOLD = """() => ({
    frames: window.drawnAt,
    pictures: performance.getEntriesByName('pointer to picture').map((one) => one.duration),
    width: document.querySelector('.canvas').width,
})"""
PICTURE = ".canvas[data-number]"
# A browser with a stored key, because the page would ask before it accepts one from the address.
KEPT = "localStorage.setItem('mockup.key', '%s')"


def opening(context: BrowserContext, live: Live) -> float:
    """Milliseconds from opening the page to its first picture, in a browser with cached files."""
    page = context.new_page()
    page.goto(live.address, wait_until="commit")
    page.wait_for_selector(PICTURE, state="attached")
    taken = float(page.evaluate("performance.getEntriesByName('first picture')[0].startTime"))
    page.close()
    return taken


def dragging(page: Page, seconds: float) -> dict[str, Any]:
    """The page's own figures for a drag in wide circles, with 60 pointer events per second."""
    box = page.locator(".stage").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.evaluate(WATCH)
    began = time.perf_counter()
    step = 0
    while (now := time.perf_counter() - began) < seconds:
        # No place occurs twice, and the speed is that of a hand.
        page.mouse.move(middle[0] + (step * 7.3) % 401 - 200, middle[1] + (step * 2.9) % 211 - 105)
        step += 1
        time.sleep(max(0.0, step / 60 - now))
    told: dict[str, Any] = page.evaluate(TOLD)
    page.mouse.up()
    return told


def share(values: Sequence[float], percent: int) -> float:
    """A percentile."""
    return statistics.quantiles(values, n=100)[percent - 1] if len(values) > 1 else float("nan")


def main() -> None:
    """Print the table, and write it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="of dragging")
    parser.add_argument("--width", type=int, default=960, help="of the picture on the stage, px")
    parser.add_argument("--json", type=Path, help="where to write the figures as well")
    wanted = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), program=SERVICE, **SETTINGS) as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": wanted.width + ASIDE, "height": 800})
        context.add_init_script(KEPT % live.key())
        openings = [opening(context, live) for _ in range(OPENINGS + 1)]
        page = context.new_page()
        page.goto(live.address)
        page.wait_for_selector(PICTURE, state="attached")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Choose", exact=True).click()
        chooser.value.set_files(SCREENSHOT)
        page.wait_for_selector(".app[data-status=settled] .shot-name")
        dragging(page, 2)  # seconds until caches are warm and the picture's size has settled
        told = dragging(page, wanted.seconds)
        browser.close()
    pictures = told["pictures"]
    gaps = [after - before for before, after in zip(told["frames"], told["frames"][1:], strict=False)]
    figures = {
        "first picture, first visit, ms": openings[0],
        "first picture, median of later visits, ms": statistics.median(openings[1:]),
        "pointer to picture, median, ms": statistics.median(pictures),
        "pointer to picture, 95 %, ms": share(pictures, 95),
        "new pictures a second": len(pictures) / wanted.seconds,
        "frames a second": 1000 / statistics.fmean(gaps),
        "longest frame of 99 %, ms": share(gaps, 99),
        "width of the pictures, px": told["width"],
    }
    print("\n".join(describe()), end="\n\n")
    for name, figure in figures.items():
        print(f"{name:45} {figure:8.1f}")
    if wanted.json:
        wanted.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
