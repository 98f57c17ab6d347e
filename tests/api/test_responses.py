"""Successful responses: JSON, raw pictures and headers."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from service.settings.warnings import Warning
from tests.api.application import PICTURE, REQUEST, application


async def test_json(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        app.studio.warnings = (Warning("UPSCALED", "The screenshot was enlarged"),)
        reply = await app.send(key=app.key())
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/json"
    body = reply.json
    assert isinstance(body.pop("duration"), int)
    assert body == {
        "success": True,
        "image": {
            "data": base64.b64encode(PICTURE).decode(),
            "mimeType": "image/png",
            "width": 8,
            "height": 6,
        },
        "device": "iphone-16-pro",
        "warnings": [{"code": "UPSCALED", "message": "The screenshot was enlarged"}],
    }
    stages = reply.headers["server-timing"].split(", ")
    assert [stage.partition(";")[0] for stage in stages] == [
        "source",
        "header",
        "queue",
        "puppet",
        "serialize",
    ]
    assert all(re.fullmatch(r"[a-z]+;dur=\d+\.\d", stage) for stage in stages)


async def test_raw(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        app.studio.warnings = (Warning("UPSCALED", "enlarged"), Warning("CROPPED", "cropped"))
        reply = await app.send(key=app.key(), query="output=raw")
    assert reply.body == PICTURE
    assert reply.headers["content-type"] == "image/png"
    assert reply.headers["x-duration-ms"].isdecimal()
    assert reply.headers["x-mockup-device"] == "iphone-16-pro"
    assert reply.headers["x-mockup-warnings"] == "UPSCALED, CROPPED"
    assert reply.headers["x-ratelimit-remaining"] == "59"
    assert "puppet;dur=" in reply.headers["server-timing"]


async def test_settings_and_fast_reach_the_studio(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        key = app.key()
        await app.send({**REQUEST, "settings": {"shadow": {"blur": 3}}, "fast": True}, key=key)
        await app.send({**REQUEST, "settings": None, "projectId": None, "fast": None}, key=key)
    (first, second) = (scene.spec for scene in app.studio.seen)
    assert first.shadow is not None
    assert second.shadow is not None
    assert first.shadow.sigma / second.shadow.sigma == pytest.approx(3 / 5)
    assert (first.fast, second.fast) == (True, False)
