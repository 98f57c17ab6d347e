"""Screenshots of web pages, taken by Chromium."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from ...errors import invalid

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Playwright

# First the one without windows, which takes two thirds of the processor time.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_TIMEOUT_MS = 30_000
# On a busy machine, Chromium now and then refuses to capture a page that it would capture a moment later.
_REFUSAL, _REPEATS = "Unable to capture screenshot", 2


@dataclass(frozen=True, slots=True)
class Viewport:
    """The window of a page in CSS pixels, and the number of the device's pixels in a CSS pixel."""

    width: int
    height: int
    scale: float


class Pages:
    """A browser, started for the first page, and again if it has ended."""

    def __init__(self) -> None:
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._starting = anyio.Lock()

    async def screenshot(self, url: str, viewport: Viewport) -> bytes:
        """The page as PNG once it has loaded; raises a 400 if it cannot be captured."""
        from playwright.async_api import Error

        if not url.startswith(("http://", "https://")):
            raise invalid(f"{url}: expected a page's address, beginning with http:// or https://")
        browser = await self._opened()
        size = {"width": viewport.width, "height": viewport.height}
        mobile = viewport.width < 600
        context = await browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            device_scale_factor=viewport.scale,
            is_mobile=mobile,
            has_touch=mobile,
        )
        try:
            page = await context.new_page()
            await page.goto(url, wait_until="networkidle", timeout=_TIMEOUT_MS)
            return await captured(page)
        except Error as error:
            raise invalid(f"{url}: {str(error).partition(chr(10))[0]}") from error
        finally:
            await context.close()

    async def _opened(self) -> Browser:
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                self._browser = await self._started()
            return self._browser

    async def _started(self) -> Browser:
        from playwright.async_api import async_playwright

        path = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if path is None:
            raise invalid("no Chromium is installed; give the tool a screenshot")
        if self._driver is None:
            self._driver = await async_playwright().start()
        return await self._driver.chromium.launch(executable_path=path, chromium_sandbox=os.geteuid() != 0)

    async def close(self) -> None:
        """End the browser."""
        if self._browser is not None:
            await self._browser.close()
        if self._driver is not None:
            await self._driver.stop()


async def captured(page: Page) -> bytes:
    """The page as PNG; raises Playwright's Error if the browser cannot capture it."""
    from playwright.async_api import Error

    for _ in range(_REPEATS):
        try:
            return await page.screenshot(animations="disabled")
        except Error as error:
            if _REFUSAL not in error.message:
                raise
    return await page.screenshot(animations="disabled")
