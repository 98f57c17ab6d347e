"""A key for tests never gets a picture without a watermark, nor a picture that another key requested."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from service.accounts import links
from service.accounts.grants import grant
from service.accounts.links import Link
from tests.api.application import application
from tests.api.test_form import TYPE, field, form, part
from tests.support import pictures
from tests.support.live import SMALL, Answer, Live

PREVIEWS = "/api/v1/previews"
SHOT: Any = {"screenshot": {"type": "base64", "src": pictures.text()}}
SLICES = {"canvas": {"width": 160, "height": 120, "slices": 2}}
PAIR = ("pixel-9-pro", "iphone-16-pro")

SEEN = 24  # levels; smaller differences count as invisible

Ask = Callable[[Live, str, str], Answer]


def linked(server: Live, key: str, website: str) -> Answer:
    secret, _ = server.accounts.keys.issue_link_secret(key)
    address = links.address(secret, Link(json.dumps(SMALL).encode(), f"{website}/shot.png", "png"))
    return server.send("GET", address)


def raw(**body: Any) -> Ask:
    return lambda server, key, website: server.mockup(key, "?output=raw", **body)


def kept(**body: Any) -> Ask:
    return lambda server, key, website: server.mockup(key, "?output=url", **body)


def fetched(server: Live, key: str, website: str) -> Answer:
    return server.mockup(key, screenshot_url=f"{website}/shot.png")


def uploaded(server: Live, key: str, website: str) -> Answer:
    made = server.send(
        "POST", "/api/v1/screenshots", pictures.png(), key=key, headers={"Content-Type": "image/png"}
    )
    return server.mockup(key, type="screenshot", screenshot={"type": "upload", "src": made.json["id"]})


def saved(server: Live, key: str, website: str) -> Answer:
    """A request with the settings of a project, which cannot turn the watermark off."""
    made = server.send("POST", "/api/v1/projects", {"name": "one", "settings": SMALL}, key=key)
    return server.mockup(key, projectId=made.json["id"])


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
    "slices": raw(settings=SLICES),
    "slices in JSON": lambda server, key, website: server.mockup(key, settings=SLICES),
    "slices kept": kept(settings=SLICES),
    "URL": fetched,
    "upload": uploaded,
    "project": saved,
    "drawing": raw(settings={**SMALL, "appearance": {"style": "outline"}}),
    "as small as can be": raw(settings={"canvas": {"width": 64, "height": 64}}),
    "twice the size": raw(settings={**SMALL, "export": {"scale": 2}}),
    **{name: raw(settings={**SMALL, "export": {"format": name}}) for name in ("jpg", "webp", "avif")},
    "scene": raw(type="scene", devices=[{"device": name, **SHOT} for name in PAIR], screenshot=None),
    "template": raw(template="open-graph"),
    "transparent": raw(settings={**SMALL, "appearance": {"backgroundColor": "transparent"}}),
    "json": lambda server, key, website: server.mockup(key),
    "form": sent,
    "kept": kept(),
    "link": linked,
    "preview": preview(),
    "preview of a scene": preview(type="scene", devices=[{"device": name} for name in PAIR]),
    "frames of a film": frames,
}


@pytest.mark.parametrize("way", WAYS)
def test_every_picture_of_a_key_for_tests_has_a_watermark(server: Live, website: str, way: str) -> None:
    """The test sends the same request with both of a user's keys; the watermark shows in every quarter of the
    pictures."""
    user = server.user()
    test, live = (server.accounts.keys.issue(user.id, grant=grant(test=one)) for one in (True, False))
    answers = [WAYS[way](server, key, website) for key in (test, live, live)]
    assert {answer.status for answer in answers} <= {200, 201}, answers[0].body[:500]
    marked, plain, again = (list(_pictures(server, answer)) for answer in answers)
    assert plain == again
    assert len(marked) == len(plain) > 0
    for one, other in zip(marked, plain, strict=True):
        assert all(part.max() > SEEN for part in _parts(_pixels(one), _pixels(other))), way


def _pictures(server: Live, answer: Answer) -> Iterator[bytes]:
    """The files in a response, or at the addresses in it."""
    kind = answer.headers["Content-Type"]
    if kind.startswith("image/"):
        yield answer.body
    elif kind == "application/zip":
        with zipfile.ZipFile(io.BytesIO(answer.body)) as slices:
            yield from map(slices.read, slices.namelist())
    else:
        said = answer.json
        for image in said.get("images") or [said["image"]]:
            yield (
                base64.b64decode(image["data"]) if "data" in image else server.send("GET", image["url"]).body
            )


def _pixels(data: bytes) -> Any:
    # Pillow cannot read AVIF by itself.
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert found is not None
    return found.astype(np.int16)


def _parts(one: Any, other: Any) -> list[Any]:
    """The differences of two pictures in each quarter."""
    assert one.shape == other.shape
    return [half for rows in np.array_split(abs(one - other), 2) for half in np.array_split(rows, 2, axis=1)]


def test_keys_for_tests_are_counted_separately(tmp_path: Path) -> None:
    """Requests with keys for tests have limits of their own."""
    with application(tmp_path, rate_limit=1, write_rate_limit=1) as app:
        accounts = app.app.state.services.accounts
        user = accounts.users.add("ada@example.com", "pro")
        test, live = (accounts.keys.issue(user.id, grant=grant(test=one)) for one in (True, False))
        project = {"name": "one", "settings": {}}
        for path, body in (("/api/v1/mockup", None), ("/api/v1/projects", project)):
            found = [
                asyncio.run(app.send(body, key=key, path=path)).status for key in (test, test, live, live)
            ]
            assert found[1::2] == [429, 429], path
            assert found[0::2] in ([200, 200], [201, 201]), path


def test_responses_are_never_shared_between_kinds_of_keys(server: Live) -> None:
    user = server.user()
    test, live = (server.accounts.keys.issue(user.id, grant=grant(test=one)) for one in (True, False))
    name = {"Idempotency-Key": "one"}
    first = server.mockup(live, "?output=raw", headers=name)
    again = server.mockup(test, "?output=raw", headers=name)
    assert (first.status, again.status, again.code) == (200, 409, "KEY_REUSED"), again.body
