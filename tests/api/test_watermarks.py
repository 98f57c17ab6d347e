"""A key for tests never gets a picture without a watermark, nor a picture that another key requested."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from service.accounts import links
from service.accounts.grants import grant
from service.accounts.links import Link
from tests.api.test_form import TYPE, field, form, part
from tests.support import pictures
from tests.support.live import SMALL, Answer, Live

PREVIEWS = "/api/v1/previews"
SHOT: Any = {"screenshot": {"type": "base64", "src": pictures.text()}}
PAIR = ("pixel-9-pro", "iphone-16-pro")

Ask = Callable[[Live, str, str], Answer]


def linked(server: Live, key: str, website: str) -> Answer:
    secret, _ = server.accounts.keys.issue_link_secret(key)
    address = links.address(secret, Link(json.dumps(SMALL).encode(), f"{website}/shot.png", "png"))
    return server.send("GET", address)


def kept(server: Live, key: str, website: str) -> Answer:
    return server.send("GET", server.mockup(key, "?output=url").json["image"]["url"])


def raw(**body: Any) -> Ask:
    return lambda server, key, website: server.mockup(key, "?output=raw", **body)


def preview(**body: Any) -> Ask:
    return lambda server, key, website: server.send("POST", PREVIEWS, {"settings": SMALL, **body}, key=key)


def sent(server: Live, key: str, website: str) -> Answer:
    body = form(part(pictures.png()), field("canvas.width", "160"))
    kind = {"Content-Type": TYPE}
    return server.send("POST", "/api/v1/mockup?output=raw", body, key=key, headers=kind)


def frames(server: Live, key: str, website: str) -> Answer:
    body = {**SHOT, "settings": SMALL, "motion": {"duration": 0.1, "fps": 25}, "times": [0]}
    return server.send("POST", "/api/v1/films/frames", body, key=key)


WAYS: dict[str, Ask] = {
    "raw": raw(),
    "fast": raw(fast=True),
    "slices": raw(settings={"canvas": {"width": 160, "height": 120, "slices": 2}}),
    "scene": raw(type="scene", devices=[{"device": name, **SHOT} for name in PAIR], screenshot=None),
    "template": raw(template="open-graph"),
    "transparent": raw(settings={**SMALL, "appearance": {"backgroundColor": "transparent"}}),
    "json": lambda server, key, website: server.mockup(key),
    "form": sent,
    "kept": kept,
    "link": linked,
    "preview": preview(),
    "preview of a scene": preview(type="scene", devices=[{"device": name} for name in PAIR]),
    "frames of a film": frames,
}


@pytest.mark.parametrize("way", WAYS)
def test_every_picture_of_a_key_for_tests_has_a_watermark(server: Live, website: str, way: str) -> None:
    """The same request is sent with both keys of a user."""
    user = server.user()
    test, live = (server.accounts.keys.issue(user.id, grant=grant(test=one)) for one in (True, False))
    answers = [WAYS[way](server, key, website) for key in (test, live, live)]
    assert [answer.status for answer in answers] == [200] * 3, answers[0].body[:500]
    marked, plain, again = map(_picture, answers)
    assert marked != plain == again


def _picture(answer: Answer) -> Any:
    """The response without the time that it took."""
    if not answer.headers["Content-Type"].startswith("application/json"):
        return answer.body
    return {name: value for name, value in answer.json.items() if name != "duration"}


def test_no_answer_of_one_key_is_repeated_to_the_other(server: Live) -> None:
    user = server.user()
    test, live = (server.accounts.keys.issue(user.id, grant=grant(test=one)) for one in (True, False))
    name = {"Idempotency-Key": "one"}
    first = server.mockup(live, "?output=raw", headers=name)
    again = server.mockup(test, "?output=raw", headers=name)
    assert (first.status, again.status, again.code) == (200, 409, "KEY_REUSED"), again.body
