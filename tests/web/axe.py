"""What axe finds wrong with a page for those who see, hear or move otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).with_name("axe.min.js")
RUN = "(more) => axe.run(document, {resultTypes: ['violations'], preload: false, ...more})"
# What may be right in light and wrong in dark; everything else is the same in both.
COLOURS = ["color-contrast", "link-in-text-block"]
# Colours are looked at, which what fades in does not have yet.
STILL = {"reduced_motion": "reduce"}
PHONE = {
    **STILL,
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def load(page: Page) -> None:
    """Make axe known to a page."""
    page.evaluate(AXE.read_text("utf-8"))


def faults(page: Page) -> list[str]:
    """What is wrong with the page as it is, in light and in dark."""
    told = _faults(page, {})
    page.emulate_media(color_scheme="dark")
    told += [f"in dark: {fault}" for fault in _faults(page, {"runOnly": COLOURS})]
    page.emulate_media(color_scheme="light")
    page.evaluate("window.violations = []")  # axe's own
    return told


def _faults(page: Page, more: dict[str, Any]) -> list[str]:
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in page.evaluate(RUN, more)["violations"]
        for node in one["nodes"]
    ]
