"""Successful responses: JSON, raw pictures and headers."""

from __future__ import annotations

import base64
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest

from service.accounts.limits import Window
from service.api import responses
from service.errors import Code, Detail, MockupError
from service.settings.rendering import Rendering
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


def failed(error: MockupError) -> tuple[dict[str, str], Any]:
    """The headers and the body of an error."""
    reply = responses.failure(error, {"X-Own": "kept"})
    assert reply.status_code == error.status
    assert reply.headers["x-own"] == "kept"
    return dict(reply.headers), json.loads(bytes(reply.body))


@pytest.mark.parametrize(("wait", "header", "told"), [(7, "7", 7), (None, None, 1), (0, "0", 1)])
def test_a_limit_of_requests_says_when_to_retry(wait: int | None, header: str | None, told: int) -> None:
    headers, body = failed(MockupError(Code.RATE_LIMITED, "Slower", retry_after=wait))
    assert headers.get("retry-after") == header
    assert body["retryAfter"] == told
    assert (body["success"], body["code"], body["message"]) == (False, "RATE_LIMITED", "Slower")
    assert "www-authenticate" not in headers


def test_errors_quote_long_texts_in_part() -> None:
    fault = Detail("p" * 1000, "m" * 5000)
    headers, body = failed(MockupError(Code.MISSING_AUTH, "n" * 5000, (fault,)))
    assert headers["www-authenticate"] == "Bearer"
    (told,) = body["error"]["details"]
    assert told == {"path": "p" * 200 + "…", "message": "m" * 1000 + "…"}
    assert body["error"]["message"] == "n" * 1000 + "…"
    _, body = failed(MockupError(Code.MISSING_AUTH, "n" * 1000))
    assert body["error"] == {"code": "MISSING_AUTH", "message": "n" * 1000}


def test_limits_are_told_in_headers() -> None:
    assert responses.limit_headers(
        Window(limit=60, remaining=59, reset=1234, allowed=True, retry_after=1)
    ) == {
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Remaining": "59",
        "X-RateLimit-Reset": "1234",
    }


def test_slices_are_zipped_without_compressing_them_again() -> None:
    rendering = Rendering(b"onetwo", "image/webp", 8, 6, "card", (), sizes=(3, 3))
    with ZipFile(BytesIO(responses.pictures_zip(rendering))) as archive:
        found = [(one.filename, archive.read(one), one.compress_type) for one in archive.infolist()]
    assert found == [("1.webp", b"one", ZIP_STORED), ("2.webp", b"two", ZIP_STORED)]
