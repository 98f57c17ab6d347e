"""Pictures of the studio: `python -m benchmarks.studio_pictures [NAME ...]`.

A real browser opens the page of a separate server, with drawn samples; writes docs/pictures/NAME.webp.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.panels import write
from benchmarks.speed.peers.devtools import program
from benchmarks.studio import KEPT
from service.arrays import U8
from tests.support.fragments import encoded
from tests.support.live import Live, running

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SETTLED = ".app[data-status=settled] .canvas[data-number]"
#: Time until the small pictures have arrived as well, ms.
CALM_MS = 20_000
QUALITY = 82


@dataclass(frozen=True)
class Shot:
    """A picture of the page: settings, a scene's devices, open panel, theme, and size in CSS px."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    devices: tuple[Mapping[str, Any], ...] = ()
    panel: str = "Looks"
    scheme: Literal["light", "dark"] = "light"
    width: int = 1280
    height: int = 800


POSED = {"device": "iphone-16-pro", "deviceTransform": {"pose": "hero-left"}}
DUSK = {
    "backgroundColor": "#FF9A6C",
    "gradientEnabled": True,
    "gradientColor": "#6A5BFF",
    "gradientAngle": 35,
}
DESK = {
    "layout": "desk",
    "appearance": DUSK,
    "deviceTransform": {"positionY": -0.16},
    "captions": [{"text": "One plan on every screen", "y": 0.06, "color": "#FFFFFF", "font": {"size": 0.08}}],
}
DEVICES = ({"device": "macbook-pro-14"}, {"device": "ipad-mini"}, {"device": "iphone-16-pro"})
SHOTS = {
    "studio": Shot(DESK, DEVICES, "Layers"),
    "studio-dark": Shot(
        {**POSED, "deviceTransform": {"pose": "isometric-left"}}, panel="Device", scheme="dark"
    ),
}


def pictured(browser: Browser, live: Live, shot: Shot) -> U8:
    """The page (h, w, 3) once it no longer changes."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height}, color_scheme=shot.scheme
    )
    context.add_init_script(KEPT % live.key())
    page = context.new_page()
    scene = {"devices": shot.devices, "settings": shot.settings}
    name, given = ("scene", scene) if shot.devices else ("settings", shot.settings)
    written = encoded(given)
    page.goto(f"{live.address}/#{name}={written}")
    page.wait_for_selector(SETTLED, state="attached")
    page.get_by_role("button", name="Got it").click()
    page.get_by_role("tab", name=shot.panel).click()
    _calm(page)
    data = np.frombuffer(page.screenshot(), np.uint8)
    context.close()
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB), np.uint8)


def _calm(page: Page) -> None:
    page.wait_for_timeout(CALM_MS)
    page.wait_for_selector(SETTLED, state="attached")


def main() -> None:
    """Write the pictures named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(SHOTS)}")
    wanted = parser.parse_args().names or list(SHOTS)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as live,
        sync_playwright() as browsers,
    ):
        browser = browsers.chromium.launch(
            executable_path=program(), args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        for name in wanted:
            write(PICTURES / f"{name}.webp", pictured(browser, live, SHOTS[name]), QUALITY)
        browser.close()


if __name__ == "__main__":
    main()
