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


@pytest.mark.parametrize(
    ("width", "height"), [(640, 400), (844, 390), (427, 300)], ids=["200 percent", "phone on its side", "300"]
)
def test_the_picture_has_room_in_low_windows(studio: Studio, width: int, height: int) -> None:
    studio.open()
    page = studio.page
    page.get_by_role("tab", name="Layers", exact=True).click()
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        """() => {
            const size = (one) => document.querySelector(one).getBoundingClientRect();
            const [picture, stage] = [size('.picture'), size('.stage')];
            return picture.width >= 100 && picture.width < stage.width && picture.height < stage.height;
        }"""
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('.panel:not([hidden]) button')].filter((one) =>
            one.getBoundingClientRect().right > one.closest('.panel').getBoundingClientRect().right)
            .map((one) => one.textContent)"""
    )
    assert beyond == [], "cut off at the panel's edge"


def test_the_field_for_the_colour_of_a_device_has_a_name(studio: Studio) -> None:
    studio.open()
    studio.page.get_by_role("tab", name="Device", exact=True).click()
    expect(studio.page.get_by_role("textbox", name="Device color", exact=True)).to_be_visible()
