"""What the page keeps: settings as they are sent, and steps that can be undone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Studio

pytestmark = pytest.mark.long

IMPORTS = """
    const {change, settings, undo, redo, begin, commit, cancel, canUndo, replaceSettings} =
        await import(folder + 'state/store.js');
    const {transformBy} = await import(folder + 'state/transform.js');
    const {poses} = await import(folder + 'server/catalogue.js');
"""


@pytest.fixture
def state(studio: Studio) -> Studio:
    """A page that has its lists, and no picture to make."""
    studio.page.goto(studio.server.address)
    expect(studio.page.locator(".app[data-status=unauthorized]")).to_be_attached()
    return studio


def run(state: Studio, steps: str) -> Any:
    """What `steps` give, JavaScript with the page's state at hand."""
    return state.page.evaluate(f"async (folder) => {{ {IMPORTS} {steps} }}", state.folder)


def test_only_what_differs_is_sent(state: Studio) -> None:
    steps = """
        replaceSettings({});
        change({'shadow.blur': 9, 'shadow.opacity': 0.2});
        const both = settings.value;
        change({'shadow.blur': 5});
        const one = settings.value;
        change({'shadow.opacity': undefined});
        return [both, one, settings.value];
    """
    assert run(state, steps) == [{"shadow": {"blur": 9, "opacity": 0.2}}, {"shadow": {"opacity": 0.2}}, {}]


def test_steps_of_undo(state: Studio) -> None:
    steps = """
        performance.now = () => 0;  // however slow the machine
        const seen = [];
        const see = () => seen.push(settings.value.shadow?.blur ?? null);
        change({'shadow.blur': 6});
        change({'shadow.blur': 7});
        change({'shadow.color': '#ff0000'});
        undo(); see();
        undo(); see();
        redo(); see();
        begin(); change({'shadow.blur': 1}); change({'shadow.blur': 2}); change({'shadow.blur': 3}); commit();
        undo(); see();
        begin(); change({'shadow.blur': 1}); cancel(); see();
        begin(); change({'shadow.blur': 1}); change({'shadow.blur': 7}); commit();
        undo(); see();
        return [seen, canUndo.value];
    """
    seen, more = run(state, steps)
    assert seen == [7, None, 7, 7, 7, None], (
        "a slider's changes are one step, and a gesture that ends where it began none"
    )
    assert more is False


def test_turning_leaves_a_pose_where_it_is(state: Studio) -> None:
    steps = """
        while (!poses.value.length) await new Promise((done) => setTimeout(done, 20));
        change({'deviceTransform.pose': 'hero-left'});
        transformBy({rotationY: -20});
        const turned = settings.value.deviceTransform;
        undo();
        transformBy({scale: 1.2});
        return [turned, settings.value.deviceTransform];
    """
    turned, larger = run(state, steps)
    assert turned == {"rotationX": 10, "rotationY": -20, "rotationZ": 6, "framing": "posed"}
    assert larger == {"pose": "hero-left", "scale": 1.2}


def test_null_stands_for_a_default(state: Studio) -> None:
    steps = """
        const effects = {grain: {amount: null}};
        replaceSettings({shadow: {blur: null, opacity: 0.1}, canvas: null, postProcessing: effects});
        return settings.value;
    """
    assert run(state, steps) == {"shadow": {"opacity": 0.1}, "postProcessing": {"grain": {}}}


@pytest.mark.parametrize("visitor", ["first", "second"])
def test_visitors_find_nothing_of_the_one_before(state: Studio, visitor: str) -> None:
    steps = """
        const databases = (await indexedDB.databases()).map((one) => one.name);
        const found = [localStorage.getItem('left'), databases.includes('left')];
        localStorage.setItem('left', 'something');
        await new Promise((done) => { indexedDB.open('left', 1).onsuccess = done; });
        return found;
    """
    assert run(state, steps) == [None, False], f"the {visitor}"
