"""A fixture for pytest-playwright: a page's screenshot on a device, by the mockup service.

    def test_home(page, mockup):
        page.goto("https://example.com")
        mockup(page, "home.png", {"device": "macbook-pro-14"})

MOCKUP_URL and MOCKUP_API_KEY name the service and the key. Without a service, the fixture skips the test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mockup_client import Client, Picture

if TYPE_CHECKING:
    from playwright.sync_api import Page

Mockup = Callable[..., Picture]


@pytest.fixture
def mockup() -> Iterator[Mockup]:
    """A function that renders a page's screenshot with settings and saves the picture."""
    if not os.environ.get("MOCKUP_URL"):
        pytest.skip("MOCKUP_URL names no service")
    with Client() as client:

        def render(page: Page, path: str | Path, settings: Any = None) -> Picture:
            picture = client.render(page.screenshot(animations="disabled"), settings)
            picture.save(path)
            return picture

        yield render
