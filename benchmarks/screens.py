"""The studio as someone sees it who has turned a device: pictures of the page for the documentation."""

from __future__ import annotations

import base64
import json
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.speed.peers.devtools import program
from service.arrays import U8
from tests.support.live import UNHURRIED, running

SIZE = {"width": 1440, "height": 860}
SHARP = 1.5  # device pixels for each CSS pixel
SETTINGS: dict[str, Any] = {
    "canvas": {"width": 1600, "height": 1000},
    "appearance": {"backgroundColor": "#FDE7C7", "gradientEnabled": True, "gradientColor": "#F59E8B"},
    "deviceTransform": {"pose": "hero-left"},
}
# A font that looks alike on all machines that have it, as Debian's package fonts-inter gives.
FONT = ":root { --font: Inter, system-ui, sans-serif }"


def studio(dark: bool, panel: str = "", settings: dict[str, Any] | None = None) -> U8:
    """The page in its light or dark colours, with a panel open, RGB."""
    chosen = base64.urlsafe_b64encode(json.dumps(settings or SETTINGS).encode()).decode().rstrip("=")
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), **UNHURRIED) as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        page = browser.new_page(
            viewport=SIZE,  # type: ignore[arg-type]
            device_scale_factor=SHARP,
            color_scheme="dark" if dark else "light",
            bypass_csp=True,
        )
        page.add_init_script("localStorage.setItem('mockup.hinted', 'yes')")
        page.goto(f"{live.address}/#key={live.key()}&settings={chosen}")
        page.add_style_tag(content=FONT)
        if panel:
            page.get_by_role("tab", name=panel).click()
        page.wait_for_load_state("networkidle")
        page.wait_for_selector(".app[data-status=settled]")
        taken = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        browser.close()
    assert taken is not None
    return np.asarray(cv2.cvtColor(taken, cv2.COLOR_BGR2RGB), np.uint8)
