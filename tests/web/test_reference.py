"""The reference page in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Studio

pytestmark = pytest.mark.long


def tagged(document: dict[str, Any], tag: str) -> dict[str, Any]:
    """The document with no operations but those that have a tag."""
    paths = {
        path: {method: one for method, one in found.items() if tag in one["tags"]}
        for path, found in document["paths"].items()
    }
    return document | {"paths": {path: found for path, found in paths.items() if found}}


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_the_reference_shows_operations_and_tries_them(studio: Studio, whole: bool) -> None:
    """The fixture checks that it loads nothing from other hosts and violates no policy.

    The viewer lays out all operations alike, and `make test` shows it those of a single tag.
    """
    page = studio.page
    if not whole:
        few = tagged(studio.server.send("GET", "/openapi.json").json, "Catalogue")
        page.route("**/openapi.json", lambda route: route.fulfill(json=few))
    page.goto(f"{studio.server.address}/docs#tag/catalogue/GET/api/v1/presets")
    expect(page.get_by_role("heading", name="List canvas presets")).to_be_visible()
    section = page.locator("section", has=page.get_by_role("heading", name="List canvas presets")).last
    section.get_by_role("button", name=re.compile("Test Request")).first.click()
    with page.expect_response("**/api/v1/presets") as answer:
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Send")).first.click()
    assert answer.value.status == 200
    assert answer.value.json()["presets"]
