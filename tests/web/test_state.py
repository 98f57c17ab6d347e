"""State that the page stores in the browser; the settings' state is tested in Node.js."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tests.support.live import Live
from tests.web.conftest import Studio, Visitors, discard, kept, watched


@pytest.mark.long
@pytest.mark.parametrize("visitor", ["first", "second"])
def test_visitors_find_no_data_of_earlier_ones(studio: Studio, visitor: str) -> None:
    studio.page.goto(studio.server.address)
    steps = """async () => {
        const databases = (await indexedDB.databases()).map((one) => one.name);
        const found = [localStorage.getItem('left'), databases.includes('left')];
        localStorage.setItem('left', 'something');
        await new Promise((done) => { indexedDB.open('left', 1).onsuccess = done; });
        return found;
    }"""
    assert studio.page.evaluate(steps) == [None, False], f"the {visitor}"


# This tests our own fixtures, and opens two pages.
@pytest.mark.long
@pytest.mark.thorough
def test_a_failed_test_leaves_no_data_behind(
    visitors: Visitors, server: Live, request: pytest.FixtureRequest
) -> None:
    stored = []
    for _ in range(2):
        page = visitors.page({"locale": "de"})
        with suppress(AssertionError), kept(page, request.session):
            page.goto(server.address)
            stored.append(page.evaluate("localStorage.getItem('left')"))
            page.evaluate("localStorage.setItem('left', 'something')")
            raise AssertionError("as of what the page logs")
    assert stored == [None, None]


@pytest.mark.long
def test_a_page_that_asks_another_host_fails(visitors: Visitors, server: Live) -> None:
    page, hosts = visitors.page({"locale": "fr"}), ("elsewhere.example", "192.0.2.1", "localhost")
    studio = Studio(page, server, "", failing=True)

    def ask() -> None:
        with watched(studio):
            page.goto("about:blank")
            page.set_content("".join(f"<img src='http://{host}/a.png'>" for host in hosts))
            page.wait_for_function("[...document.images].every((one) => one.complete)")

    with pytest.raises(AssertionError, match="console"):
        ask()
    for host in hosts:
        assert any(f"http://{host}/a.png" in line for line in studio.trouble), host
    discard(page)
