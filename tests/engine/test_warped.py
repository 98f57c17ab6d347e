"""Warped screenshots are cached, so a scene warps only those that have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Event
from typing import Any

import pytest

from service.clock import Clock
from service.codec.sandbox.client import Sandboxed
from service.engine.request import GivenScreenshot, RenderOptions, RenderRequest, by_digest, prepare
from service.engine.studio import Studio
from service.render.compose import shot
from service.settings.merge import MergedSettings
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from tests.support import pictures

COLORS = ((20, 160, 60), (200, 40, 40), (40, 60, 200), (240, 240, 240), (10, 10, 10))


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    made = Studio()
    yield made
    made.close()


def scene(colors: Sequence[int], owner: str = "a", fast: bool = True, **settings: Any) -> RenderRequest:
    files = [pictures.png(90, 160, color=COLORS[one]) for one in colors]
    members = tuple(Member(SceneDevice(), number) for number in range(len(files)))
    given = {"canvas": {"width": 320, "height": 200}, "layout": "row", **settings}
    wanted = SceneSettings(MergedSettings(given).resolve(), members, named=True)
    sources = [GivenScreenshot(data, by_digest(owner, data)) for data in files]
    return prepare(sources, wanted, options=RenderOptions(fast), owner=owner)


def test_only_changed_screenshots_are_warped(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    expose, warped = shot.expose, list[int]()

    def counted(*args: Any, **kwargs: Any) -> Any:
        warped.append(1)
        return expose(*args, **kwargs)

    monkeypatch.setattr(shot, "expose", counted)

    def count(request: RenderRequest) -> int:
        warped.clear()
        studio.render(request, Clock())
        return len(warped)

    assert count(scene((0, 1, 2, 3))) == 4
    assert count(scene((0, 1, 2, 3))) == 0
    assert count(scene((0, 4, 2, 3))) == 1
    # The cache's key includes the sampling and the owner, but not the background.
    assert count(scene((0, 4, 2, 3), appearance={"backgroundColor": "#203040"})) == 0
    assert count(scene((0, 1, 2, 3), screen={"fit": "contain"})) == 4
    assert count(scene((0, 1, 2, 3), owner="b")) == 4
    assert count(scene((0, 1), fast=False)) == 2
    studio.trim()
    assert count(scene((0, 1, 2, 3))) == 4


def test_cached_screenshots_give_the_same_picture(studio: Studio) -> None:
    studio.render(scene((0, 1)), Clock())
    kept = studio.render(scene((0, 2)), Clock()).data
    studio.trim()
    assert studio.render(scene((0, 2)), Clock()).data == kept


def test_a_screenshot_is_decoded_while_another_is_warped(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second screenshot is not decoded until the first has been warped, so the test fails if warping
    waits for all of them to be decoded."""
    warped, decode, expose = Event(), Sandboxed.decode, shot.expose
    studio.render(scene((0, 1)), Clock())
    met: list[bool] = []

    def decoded(self: Sandboxed, *args: Any) -> Any:
        if args[-1] == 1:
            met.append(warped.wait(30))
        return decode(self, *args)

    def exposed(*args: Any, **kwargs: Any) -> Any:
        warped.set()
        return expose(*args, **kwargs)

    monkeypatch.setattr(Sandboxed, "decode", decoded)
    monkeypatch.setattr(shot, "expose", exposed)
    studio.render(scene((3, 4)), Clock())
    assert met == [True]


def test_the_background_is_the_first_devices_screenshot(studio: Studio) -> None:
    """The first device's screenshot counts even if it is not the first file of the request."""
    blurred = {"backgroundImage": {"type": "screenshot", "blur": 0}}
    one, other = (studio.render(scene((n, 3), appearance=blurred, fast=False), Clock()) for n in (0, 1))
    assert one.data != other.data
    assert one.data == studio.render(scene((0, 3), appearance=blurred, fast=False), Clock()).data
