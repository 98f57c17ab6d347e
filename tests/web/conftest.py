"""The studio in a real browser, which notes everything that must not happen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect
from playwright.sync_api import sync_playwright as playwright

from benchmarks.speed.peers.devtools import program
from service.api.web_files import web_files
from tests.support.live import Live
from tests.support.waiting import PATIENCE_S

PATIENCE_MS = PATIENCE_S * 1000
# Without a graphics card, its process would take a third of the time for nothing.
FLAGS = ("--no-sandbox", "--force-color-profile=srgb", "--disable-gpu")
# Browsers tell pages of violations, and nobody else.
WATCH = """
    window.violations = [];
    addEventListener('securitypolicyviolation', (event) =>
        window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`));
"""


# How many previews were under way at once, what the last one asked for, and whether one was aborted.
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
    #: Whether a request is expected to fail, which browsers report as an error of the page.
    failing: bool = False

    def open(self, fragment: str = "") -> None:
        """Open the page, and wait for its first picture."""
        self.page.goto(f"{self.server.address}/#key={self.key}{fragment and '&' + fragment}")
        self.pictured()

    def pictured(self) -> None:
        """Wait until the picture has come to rest at its full size."""
        expect(self.page.locator(".app[data-status=settled] .canvas[data-number]")).to_be_attached()

    def setting(self, path: str) -> Any:
        """The value of a setting."""
        return self.module("state/store.js", "value(given)", path)

    def module(self, name: str, expression: str, given: Any = None) -> Any:
        """The value of an expression of what a module of the page exports."""
        code = "async ([name, given]) => { const {%s} = await import(name); return %s; }"
        names = expression.partition("(")[0]
        return self.page.evaluate(code % (names, expression), [self.folder + name, given])

    @property
    def folder(self) -> str:
        """Where the page's modules are."""
        return f"/studio/{web_files().tag}/"

    def drawn(self) -> str:
        """The picture on the stage, as a data URL of a PNG."""
        # Playwright's own screenshots add styles to the page, against its policy.
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium; the tests are skipped where there is none.

    Its driver keeps an event loop running, beside which tests of other modules could run none.
    """
    path = program()
    if path is None:
        pytest.skip("no Chromium is installed")
    expect.set_options(timeout=PATIENCE_MS)
    with playwright() as running:
        launched = running.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@contextmanager
def opened(browser: Browser, options: dict[str, Any]) -> Iterator[BrowserContext]:
    """A visitor's own storage."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(WATCH + COUNT)
    yield context
    context.close()


@pytest.fixture(scope="module")
def usual(browser: Browser) -> Iterator[BrowserContext]:
    """What visitors without options share: the page's files, which take half the time of opening it."""
    with opened(browser, {}) as context:
        yield context


@pytest.fixture
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """Empty storage of a visitor; `parametrize("context", [{…}], indirect=True)` gives options."""
    if options := getattr(request, "param", {}):
        with opened(browser, options) as context:
            yield context
        return
    context = request.getfixturevalue("usual")
    yield context
    forget(context)


def forget(context: BrowserContext) -> None:
    """Leave nothing of a visitor but the files in the browser's cache."""
    context.set_offline(False)
    context.clear_cookies()
    context.clear_permissions()
    for page in context.pages:
        page.unroute_all()
        parts = urlsplit(page.url)
        kinds = {
            "origin": f"{parts.scheme}://{parts.netloc}",
            "storageTypes": "local_storage,indexeddb,service_workers,cache_storage",
        }
        # Without its page, nothing more is written.
        page.goto("about:blank")
        context.new_cdp_session(page).send("Storage.clearDataForOrigin", kinds)
        page.close()


@pytest.fixture
def studio(context: BrowserContext, server: Live, key: str) -> Iterator[Studio]:
    """A visitor; afterwards, the page must not have logged errors, broken its policy or asked other hosts."""
    studio = Studio(context.new_page(), server, key)

    def told(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (studio.failing and "Failed to load" in message.text):
            studio.trouble.append(f"console: {message.text} {message.location}")

    def asked(request: Request) -> None:
        if not request.url.startswith((f"{studio.server.address}/", "blob:")):
            studio.trouble.append(f"asks {request.url}")

    studio.page.on("console", told)
    studio.page.on("pageerror", lambda error: studio.trouble.append(f"error: {error}"))
    studio.page.on("request", asked)
    yield studio
    assert studio.page.evaluate("window.violations") == []
    assert studio.trouble == []


@pytest.fixture
def blank(studio: Studio) -> Studio:
    """A visitor without a key, who gets no picture; for tests of single modules."""
    studio.page.goto(studio.server.address)
    return studio


def sample() -> bytes:
    """A screenshot that is not the one shown at first."""
    return (Path(__file__).resolve().parents[2] / "frames" / "samples" / "tablet.png").read_bytes()
