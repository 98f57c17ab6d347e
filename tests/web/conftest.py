"""The studio in a real browser, with a check for errors, policy violations and requests to other hosts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect
from playwright.sync_api import sync_playwright as playwright

from service.api.web_files import web_files
from tests.support.browser import program
from tests.support.live import Live
from tests.support.waiting import PATIENCE_S

PATIENCE_MS = PATIENCE_S * 1000
# Without a graphics card, the GPU process would take a third of the time for nothing.
# The browser finds no host but this machine. To be told of each request would cost a tenth of the time.
FLAGS = (
    "--no-sandbox",
    "--force-color-profile=srgb",
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
# Painting fades frame by frame takes processor time, and few tests are about fades; those emulate media.
USUAL: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
# Only the page itself learns of policy violations, so it logs them.
WATCH = """
    window.violations = [];
    addEventListener('securitypolicyviolation', (event) =>
        window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`));
"""


# Counts previews on the page: how many are under way, the most at once, and how many were aborted; keeps the
# last request.
COUNT = """
    window.previews = {now: 0, most: 0, sent: 0, last: null, aborted: 0};
    const fetched = window.fetch;
    window.fetch = async (path, options) => {
        if (!String(path).endsWith('/previews')) return fetched(path, options);
        const {previews} = window;
        previews.sent += 1;
        previews.now += 1;
        previews.most = Math.max(previews.most, previews.now);
        previews.last = JSON.parse(options.body);
        try {
            return await fetched(path, options);
        } catch (error) {
            previews.aborted += 1;
            throw error;
        } finally {
            previews.now -= 1;
        }
    };
"""


@dataclass
class Studio:
    """The page of one visitor, with a key of its own."""

    page: Page
    server: Live
    key: str
    trouble: list[str] = field(default_factory=list)
    #: Whether the test expects a request to fail, which the browser reports as an error of the page.
    failing: bool = False

    def open(self, fragment: str = "") -> None:
        """Open the page, accept the key in its address, and wait for the first picture."""
        self.page.goto(f"{self.server.address}/#key={self.key}{fragment and '&' + fragment}")
        self.page.get_by_role("button", name="Use this key").click()
        self.pictured()

    def pictured(self) -> None:
        """Wait until the picture is final and at its full size."""
        expect(self.page.locator(".app[data-status=settled] .canvas[data-number]")).to_be_attached()

    def setting(self, path: str) -> Any:
        """The value of a setting."""
        return self.module("state/store.js", "value(given)", path)

    def module(self, name: str, expression: str, given: Any = None) -> Any:
        """The value of an expression that uses the exports of one of the page's modules."""
        code = "async ([name, given]) => { const {%s} = await import(name); return %s; }"
        names = expression.partition("(")[0]
        return self.page.evaluate(code % (names, expression), [self.folder + name, given])

    @property
    def folder(self) -> str:
        """The address of the page's modules."""
        return f"/studio/{web_files().tag}/"

    def drawn(self) -> str:
        """The picture on the stage, as a data URL of a PNG."""
        # Playwright's screenshots would add styles to the page, which its policy forbids.
        return str(self.page.evaluate("document.querySelector('.canvas').toDataURL()"))

    def drag(self, right: float, down: float, modifier: str = "", steps: int = 8) -> None:
        """Drag from the middle of the stage with the mouse."""
        mouse, keys = self.page.mouse, self.page.keyboard
        box = self.page.locator(".stage").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse.move(x, y)
        if modifier:
            keys.down(modifier)
        mouse.down()
        mouse.move(x + right, y + down, steps=steps)
        mouse.up()
        if modifier:
            keys.up(modifier)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A headless Chromium; the tests are skipped if it is not installed.

    Its driver keeps an event loop running; beside it, tests of other folders could not run loops of their
    own.
    """
    path = program()
    if path is None:
        pytest.skip("no Chromium is installed")
    expect.set_options(timeout=PATIENCE_MS)
    with playwright() as running:
        launched = running.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


class Visitors:
    """Pages that tests reuse, each with its own storage, since creating a page takes as long as a whole test.

    A reused page's files are already cached and compiled.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._pages: dict[str, Page] = {}

    def page(self, options: dict[str, Any]) -> Page:
        """An empty page in a context with these options; the context stores nothing."""
        page = self._pages.get(key := json.dumps(options))
        if page is None or page.is_closed():
            self._pages[key] = page = self._context(options).new_page()
        # A test may have changed these.
        whole = {**USUAL, **options}
        page.set_viewport_size(whole["viewport"])
        page.emulate_media(reduced_motion=whole["reduced_motion"])
        return page

    def _context(self, options: dict[str, Any]) -> BrowserContext:
        context = self._browser.new_context(**{**USUAL, **options})
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(WATCH + COUNT)
        return context


def forget(page: Page) -> None:
    """Remove all data of a visitor except cached files."""
    context = page.context
    context.set_offline(False)
    context.clear_cookies()
    context.clear_permissions()
    page.unroute_all(behavior="ignoreErrors")
    parts = urlsplit(page.url)
    kinds = {
        "origin": f"{parts.scheme}://{parts.netloc}",
        "storageTypes": "local_storage,indexeddb,service_workers,cache_storage",
    }
    # Once the page is closed, it cannot write anything more.
    page.goto("about:blank")
    session = context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", kinds)
    session.detach()


@pytest.fixture(scope="package")
def visitors(browser: Browser) -> Visitors:
    """The pages of this browser."""
    return Visitors(browser)


@pytest.fixture
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A context's options; `parametrize("options", [{…}], indirect=True)` gives others."""
    return dict(getattr(request, "param", {}))


@contextmanager
def watched(studio: Studio) -> Iterator[Studio]:
    """Fail if the browser logs an error, or the page violates its policy, as requests to other hosts do."""

    def told(message: ConsoleMessage) -> None:
        own = message.location["url"].startswith((f"{studio.server.address}/", "blob:"))
        expected = studio.failing and own and "Failed to load" in message.text
        if message.type in ("error", "warning") and not expected:
            studio.trouble.append(f"console: {message.text} {message.location}")

    def failed(error: Error) -> None:
        studio.trouble.append(f"error: {error}")

    page = studio.page
    page.on("console", told)
    page.on("pageerror", failed)
    yield studio
    assert page.evaluate("window.violations") == []
    assert studio.trouble == []
    page.remove_listener("console", told)
    page.remove_listener("pageerror", failed)


def discard(page: Page) -> None:
    """Close the page and forget what it stored. Requests that were to be answered by the test are dropped."""
    page.unroute_all(behavior="ignoreErrors")
    page.context.close()


@contextmanager
def kept(page: Page, session: pytest.Session) -> Iterator[None]:
    """Keep the page for later tests, unless the test fails: it might have left a button pressed or a key
    stored."""
    before = session.testsfailed
    try:
        yield
    except BaseException:
        discard(page)
        raise
    if session.testsfailed != before:
        discard(page)


@pytest.fixture
def studio(
    visitors: Visitors, options: dict[str, Any], server: Live, key: str, request: pytest.FixtureRequest
) -> Iterator[Studio]:
    """The page of a visitor, which `watched` checks."""
    page = visitors.page(options)
    with kept(page, request.session):
        with watched(Studio(page, server, key)) as studio:
            yield studio
        forget(page)


def sample() -> bytes:
    """A screenshot that differs from the initial one."""
    return (Path(__file__).resolve().parents[2] / "frames" / "samples" / "tablet.png").read_bytes()
