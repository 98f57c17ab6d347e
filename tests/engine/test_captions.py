"""Captions in the engine: their owner, and the warnings about missing glyphs."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from service.clock import Clock
from service.engine.request import RenderRequest
from service.engine.studio import Studio
from service.errors import MockupError
from service.fonts import extra
from service.settings.merge import MergedSettings
from tests.support.requests import prepared

SCREENSHOT = Path("frames/samples/screenshot.png").read_bytes()


def request(*captions: dict[str, Any], **settings: Any) -> RenderRequest:
    merged = MergedSettings({"canvas": {"width": 300, "height": 200}, "captions": list(captions), **settings})
    return prepared(SCREENSHOT, merged.resolve(), owner="somebody", fast=True)


def test_one_plate_serves_all_captions_and_they_belong_to_their_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Captions are cached by user, because the time of a render would otherwise tell other users whether a
    caption is cached."""
    monkeypatch.setattr(extra, "available", lambda: True)
    scenes = [request({"text": text}).scene for text in ("a", "b")]
    assert {one.owner for one in scenes} == {"somebody"}
    assert {one.spec for one in scenes} == {request().scene.spec}
    assert request().scene.spec.owner == ""


def test_without_the_extra_captions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "available", lambda: False)
    request()
    with pytest.raises(MockupError) as caught:
        request({"text": "Plan your day"})
    assert caught.value.details[0].path == "settings.captions"
    assert "setup/install.sh captions" in caught.value.details[0].message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": "inside", "y": 0}, None),
        ({"text": "ABC\n" * 20}, "35% of the letters of captions[0] lie off the canvas; move it, or set "),
        ({"text": "A", "x": 1, "anchor": "left"}, "100% of the letters"),
        ({"text": "A", "x": 1, "anchor": "left", "overflow": "shrink"}, "off the canvas; shorten its text"),
        ({"text": "A", "x": 1, "anchor": "right", "overflow": "shrink"}, None),
    ],
)
def test_letters_off_the_canvas_are_reported(given: dict[str, Any], said: str | None) -> None:
    pytest.importorskip("icu")
    pytest.importorskip("uharfbuzz")
    with closing(Studio()) as studio:
        warnings = studio.render(request(given), Clock()).warnings
    found = [one.message for one in warnings if one.code == "TEXT_CUT"]
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


def test_a_picture_has_its_captions_and_their_warnings() -> None:
    pytest.importorskip("icu")
    pytest.importorskip("uharfbuzz")
    faint = {"text": "faint", "color": "#F2F3F5", "x": 0.15, "width": 0.3}
    with closing(Studio()) as studio:
        bare = studio.render(request(), Clock())
        made = studio.render(request(faint, {"text": "seen", "y": 0.9, "anchor": "bottom"}), Clock())
        again = studio.render(request(faint, {"text": "seen", "y": 0.9, "anchor": "bottom"}), Clock())
        with pytest.raises(MockupError) as caught:
            studio.render(request({"text": "x", "font": {"family": "Intr"}}), Clock())
    assert made.data == again.data != bare.data
    for picture in (made, again):
        assert "LOW_CONTRAST" in {warning.code for warning in picture.warnings}
    assert caught.value.status == 400
    assert caught.value.details[0].path == "settings.captions[0].font.family"
    assert "did you mean Inter?" in caught.value.details[0].message
