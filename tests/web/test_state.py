"""What the page keeps in the browser; what it keeps of settings is tested in Node.js."""

from __future__ import annotations

import pytest

from tests.web.conftest import Studio


@pytest.mark.long
@pytest.mark.parametrize("visitor", ["first", "second"])
def test_visitors_find_nothing_of_the_one_before(studio: Studio, visitor: str) -> None:
    studio.page.goto(studio.server.address)
    steps = """async () => {
        const databases = (await indexedDB.databases()).map((one) => one.name);
        const found = [localStorage.getItem('left'), databases.includes('left')];
        localStorage.setItem('left', 'something');
        await new Promise((done) => { indexedDB.open('left', 1).onsuccess = done; });
        return found;
    }"""
    assert studio.page.evaluate(steps) == [None, False], f"the {visitor}"
