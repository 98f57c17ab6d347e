"""Accessibility faults of a page that axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).with_name("axe.min.js")
RUN = """([within, more]) =>
    axe.run(within ?? document, {resultTypes: ['violations'], preload: false, ...more})"""
# Rules that may pass in the light theme and fail in the dark one; all others give the same in both.
COLOURS = ["color-contrast", "link-in-text-block"]
# axe checks colours, so wait for fades to end.
STILL = {"reduced_motion": "reduce"}
PHONE = {
    **STILL,
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def load(page: Page) -> None:
    """Load axe in a page."""
    page.evaluate(AXE.read_text("utf-8"))


def faults(page: Page, within: str | None = None) -> list[str]:
    """The faults of the page, or of the elements of a selector, in the light and the dark theme."""
    told = _faults(page, within, {})
    page.emulate_media(color_scheme="dark")
    told += [f"in dark: {fault}" for fault in _faults(page, within, {"runOnly": COLOURS})]
    page.emulate_media(color_scheme="light")
    page.evaluate("window.violations = []")  # axe collects its violations here
    return told


def _faults(page: Page, within: str | None, more: dict[str, Any]) -> list[str]:
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in page.evaluate(RUN, [within, more])["violations"]
        for node in one["nodes"]
    ]
