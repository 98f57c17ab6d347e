"""The operators' page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.live import ONE_AT_ONCE, Live, running
from tests.web import axe
from tests.web.conftest import Studio

pytestmark = pytest.mark.long

ELSEWHERE = {"X-Forwarded-For": "203.0.113.7"}
PREVIEWS = "/api/v1/previews"


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server that has an administrator."""
    with running(tmp_path_factory.mktemp("operated"), ADMINS="ops@example.com", **ONE_AT_ONCE) as live:
        yield live


@pytest.fixture
def operator(studio: Studio, operated: Live) -> Studio:
    """A visitor of the server that has an administrator."""
    studio.server = operated
    return studio


def opened(studio: Studio) -> None:
    studio.page.goto(f"{studio.server.address}/status")


def made(live: Live, **settings: object) -> None:
    live.send("POST", PREVIEWS, {"maxPixels": 16_384, "settings": settings}, key=live.key())


def test_plots_are_read_by_keyboard_paused_and_follow_the_metrics(operator: Studio) -> None:
    page = operator.page
    made(operator.server)
    opened(operator)
    expect(page.get_by_text("Taking work")).to_be_visible()
    memory = page.get_by_role("group", name="Memory", exact=True)
    expect(memory.locator(".plot-line").first).to_have_attribute("d", re.compile("L"))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Resume")).to_be_focused()
    memory.focus()
    page.keyboard.press("Home")
    expect(memory.locator(".plot-note")).to_contain_text("s ago")
    expect(memory.locator("dl")).to_have_attribute("aria-live", "polite")
    page.keyboard.press("Tab")
    expect(memory.locator(".plot-note")).to_contain_text("of ")
    page.get_by_role("button", name="Resume").click()
    for title in ("Pictures a minute", "Queue", "Wait for a turn", "Cache hits", "Memory"):
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    page.get_by_role("radio", name="Since the start").click()
    outcomes = page.get_by_role("table", name="By outcome")
    row = outcomes.get_by_role("row", name=re.compile("^ok made"))
    number = int(row.get_by_role("cell").inner_text())
    assert number >= 1
    expect(page.get_by_role("table", name="Time by stage")).to_contain_text("plate")
    line = memory.locator(".plot-line").first
    before = line.get_attribute("d")
    made(operator.server)
    made(operator.server, shadow={"blur": 99})
    expect(row.get_by_role("cell")).to_have_text(str(number + 1))
    expect(outcomes.get_by_role("row", name=re.compile("^invalid an error in the request"))).to_be_visible()
    assert line.get_attribute("d") != before
    page.get_by_text("All figures").click()
    expect(page.get_by_role("cell", name="operation=preview outcome=ok")).to_be_visible()


@pytest.mark.parametrize("options", [{"extra_http_headers": ELSEWHERE}], indirect=True)
def test_other_machines_need_an_administrators_key(operator: Studio) -> None:
    page, live = operator.page, operator.server
    operator.failing = True
    opened(operator)
    field = page.get_by_label("API key")
    field.fill(live.key())
    field.press("Enter")
    expect(page.get_by_role("heading", name="not an administrator")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("MOCKUP_ADMINS")
    assert page.get_by_role("group", name="Queue").count() == 0
    with page.expect_request("**/api/v1/status"):
        field.press("Enter")  # the same key loads the page again, because something else may have changed
    field.fill(live.accounts.keys.issue(live.accounts.users.add("ops@example.com", "free").id))
    field.press("Enter")
    expect(page.get_by_text("Taking work")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Taking work")).to_be_visible()


def test_an_unreachable_server_is_reported(operator: Studio) -> None:
    operator.failing = True
    opened(operator)
    expect(operator.page.get_by_text("Taking work")).to_be_visible()
    operator.page.context.set_offline(True)
    expect(operator.page.get_by_text("The server cannot be reached")).to_be_visible()
    operator.page.context.set_offline(False)
    expect(operator.page.get_by_text("Taking work")).to_be_visible()


@pytest.mark.long(seconds=10)
@pytest.mark.parametrize(
    "options",
    [axe.PHONE, pytest.param(axe.STILL, marks=pytest.mark.thorough)],
    ids=["phone", "desk"],
    indirect=True,
)
def test_the_operators_page_is_accessible(operator: Studio) -> None:
    page = operator.page
    made(operator.server)
    opened(operator)
    page.get_by_role("radio", name="Since the start").click()
    page.get_by_text("All figures").click()
    expect(page.get_by_role("table", name="Time by stage")).to_be_visible()
    axe.load(page)
    assert axe.faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
