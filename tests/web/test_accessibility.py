"""The studio is accessible, in the light and the dark theme, on a desktop and a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web import axe
from tests.web.conftest import Studio

PANELS = (
    *("Layers", "Device", "Pose", "Looks", "Templates", "Settings"),
    *("Set", "Film", "Code", "Projects", "Image"),
)


@pytest.mark.long(seconds=20)
@pytest.mark.parametrize(
    "options",
    [pytest.param(axe.STILL, marks=pytest.mark.thorough), axe.PHONE],
    ids=["desk", "phone"],
    indirect=True,
)
def test_the_page_is_accessible(studio: Studio) -> None:
    studio.open()
    page = studio.page
    axe.load(page)
    for panel in PANELS:
        page.get_by_role("tab", name=panel, exact=True).click()
        studio.pictured()
        assert axe.faults(page) == [], panel
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), panel
    page.get_by_role("button", name="Download options").click()
    page.get_by_role("radio", name="JPEG").click()
    assert axe.faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="API key").click()
    assert axe.faults(page) == []
    page.get_by_role("button", name="Forget the key").click()
    expect(page.locator(".key-form")).to_be_visible()
    assert axe.faults(page) == []
