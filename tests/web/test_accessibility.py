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
        # The rest of the page stays the same.
        within = None if panel == PANELS[0] else ".panel:not([hidden])"
        assert axe.faults(page, within) == [], panel
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


def test_the_picture_has_room_in_low_windows(studio: Studio) -> None:
    """The windows are one at 200 percent, one at 300 percent, and a phone on its side."""
    studio.open()
    page = studio.page
    page.get_by_role("tab", name="Layers", exact=True).click()
    for width, height in ((640, 400), (844, 390), (427, 300)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            """(width) => {
                const size = (one) => document.querySelector(one).getBoundingClientRect();
                const [picture, stage] = [size('.picture'), size('.stage')];
                return innerWidth === width && picture.width >= 100
                    && picture.width < stage.width && picture.height < stage.height;
            }""",
            arg=width,
        )
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        beyond = page.evaluate(
            """() => [...document.querySelectorAll('.panel:not([hidden]) button')].filter((one) =>
                one.getBoundingClientRect().right > one.closest('.panel').getBoundingClientRect().right)
                .map((one) => one.textContent)"""
        )
        assert beyond == [], f"cut off at the panel's edge at {width}"
