"""The reference page in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Studio

pytestmark = pytest.mark.long


def test_the_reference_shows_operations_and_tries_them(studio: Studio) -> None:
    """The fixture checks that it loads nothing from other hosts and violates no policy."""
    page = studio.page
    page.goto(f"{studio.server.address}/docs#tag/catalogue/GET/api/v1/presets")
    expect(page.get_by_role("heading", name="List canvas presets")).to_be_visible()
    section = page.locator("section", has=page.get_by_role("heading", name="List canvas presets")).last
    section.get_by_role("button", name=re.compile("Test Request")).first.click()
    with page.expect_response("**/api/v1/presets") as answer:
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Send")).first.click()
    assert answer.value.status == 200
    assert answer.value.json()["presets"]
