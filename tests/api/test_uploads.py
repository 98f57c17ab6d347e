from __future__ import annotations

import base64
import re
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from service.api import uploads
from service.errors import failed
from tests.support import pictures
from tests.support.live import ONE_AT_ONCE, Answer, Live, running
from tests.support.waiting import called_twice, until

UPLOADS = "/api/v1/screenshots"


def send(
    server: Live, key: str, data: bytes | None = None, kind: str = "image/png", query: str = ""
) -> Answer:
    body = pictures.png() if data is None else data
    return server.send("POST", UPLOADS + query, body, key=key, headers={"Content-Type": kind})


def upload(server: Live, key: str, data: bytes | None = None) -> Any:
    answer = send(server, key, data)
    assert answer.status == 201, answer.body
    assert answer.headers["Location"] == f"{UPLOADS}/{answer.json['id']}"
    return answer.json


def render(server: Live, key: str, src: str, query: str = "?output=raw") -> Answer:
    return server.mockup(key, query, screenshot={"type": "upload", "src": src}, type="screenshot")


def test_an_upload_is_stored_read_and_deleted(server: Live) -> None:
    key = server.key()
    made = upload(server, key)
    assert set(made) == {"id", "width", "height", "expiresAt"}
    assert (made["width"], made["height"]) == (120, 260)
    left = datetime.fromisoformat(made["expiresAt"]) - datetime.now(UTC)
    assert timedelta(minutes=59) < left <= timedelta(hours=1)
    path = f"{UPLOADS}/{made['id']}"
    assert server.send("GET", path, key=key).json == made
    gone = server.send("DELETE", path, key=key)
    assert (gone.status, gone.body) == (204, b"")
    for method in ("GET", "DELETE"):
        answer = server.send(method, path, key=key)
        assert (answer.status, answer.code) == (404, "NOT_FOUND")
    answer = render(server, key, made["id"])
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert "it has expired; upload it again" in answer.json["error"]["details"][0]["message"]


@pytest.mark.parametrize("query", ["", "?output=raw"])
def test_the_picture_is_that_of_the_same_bytes_in_base64(server: Live, query: str) -> None:
    key, src = server.key(), pictures.text()
    again = server.mockup(key, query, screenshot_base64=src)
    answers = [render(server, key, upload(server, key)["id"], query) for _ in range(2)]
    for answer in answers:
        assert answer.status == 200
        if query:
            assert answer.body == again.body
        else:
            assert answer.json["image"] == again.json["image"]


def test_a_file_of_a_form(server: Live) -> None:
    key = server.key()
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    answer = send(server, key, head + pictures.png() + b"\r\n--b--\r\n", "multipart/form-data; boundary=b")
    assert answer.status == 201, answer.body
    assert render(server, key, answer.json["id"]).status == 200


def test_a_picture_by_its_url(server: Live, key: str, website: str) -> None:
    made = server.send("POST", UPLOADS, {"url": f"{website}/moved"}, key=key)
    assert made.status == 201, made.body
    assert (made.json["width"], made.json["height"]) == (120, 260)
    assert render(server, key, made.json["id"]).body == render(server, key, upload(server, key)["id"]).body


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"url": "{website}/page"}, "url"),
        ({"url": "{website}/none"}, "url"),
        ({"url": "ftp://example.com/a.png"}, "url"),
        ({"url": ""}, "url"),
        ({}, "url"),
        ({"url": "http://127.0.0.1:1/a.png", "src": "x"}, "src"),
    ],
)
def test_urls_that_are_no_pictures(
    server: Live, key: str, website: str, body: dict[str, str], path: str
) -> None:
    sent = {name: value.replace("{website}", website) for name, value in body.items()}
    answer = server.send("POST", UPLOADS, sent, key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert set(answer.details) == {path}


def test_one_upload_at_its_flat_forms_is_refused(server: Live, key: str) -> None:
    made = upload(server, key)
    answer = server.mockup(key, screenshot={"type": "url", "src": made["id"]}, type="screenshot")
    assert answer.status == 400


def test_uploads_of_other_users_are_404(server: Live) -> None:
    path = f"{UPLOADS}/{upload(server, server.key())['id']}"
    key = server.key()
    bodies = set()
    for place in (path, f"{UPLOADS}/{uuid.uuid4()}"):
        answer = server.send("GET", place, key=key)
        assert answer.status == server.send("DELETE", place, key=key).status == 404
        bodies.add(answer.body)
        answer = render(server, key, place.rpartition("/")[2])
        assert (answer.status, answer.json["error"]["details"][0]["path"]) == (400, "screenshot.src")
        bodies.add(answer.body)
    assert len(bodies) == 2


@pytest.mark.parametrize("src", ["", "1", "x" * 100_000, "../../mockup.db", "https://example.com/a.png"])
def test_malformed_upload_ids_are_refused(server: Live, key: str, src: str) -> None:
    answer = render(server, key, src)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert answer.json["error"]["details"][0]["path"] == "screenshot.src"
    assert len(answer.body) < 1000
    if src and "/" not in src:
        assert server.send("GET", f"{UPLOADS}/{src[:100]}", key=key).status == 400


def test_uploads_need_a_key_and_a_subscription(server: Live) -> None:
    assert server.send("POST", UPLOADS, b"x").code == "MISSING_AUTH"
    assert server.send("POST", UPLOADS, b"x", key="unknown").code == "INVALID_API_KEY"
    assert send(server, server.key("free")).code == "SUBSCRIPTION_REQUIRED"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("", "missing"),
        ("text/plain", "not that of a picture"),
        ("application/json; charset=latin-1", "JSON in UTF-8"),
        ("application/x-www-form-urlencoded", "curl does with -d"),
        ("image/png;" + "x" * 300, ""),
    ],
)
def test_other_content_types_are_refused(server: Live, key: str, kind: str, said: str) -> None:
    answer = send(server, key, kind=kind)
    assert (answer.status, answer.code) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert said in answer.json["error"]["message"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"GIF87", "plain text; PNG"),
        (b"<svg/>", "SVG"),
        (pictures.png()[:40], "truncated"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 30, ""),
    ],
)
def test_files_other_than_screenshots_are_refused(server: Live, key: str, data: bytes, said: str) -> None:
    answer = send(server, key, data)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    (detail,) = answer.json["error"]["details"]
    assert detail["path"] == "screenshot"
    assert said in detail["message"]


def test_unknown_query_parameters(server: Live, key: str) -> None:
    answer = send(server, key, query="?width=3")
    assert (answer.status, answer.json["error"]["details"][0]["path"]) == (400, "width")


@pytest.mark.long
def test_uploads_are_bounded_in_size_number_and_rate(narrow: Live) -> None:
    key = narrow.key()
    answer = send(narrow, key, bytes(2001))
    assert (answer.status, answer.json["error"]["details"][0]["path"]) == (400, "screenshot")
    assert send(narrow, key, bytes(70_000)).status == 413
    for _ in range(2):
        upload(narrow, key)
    answer = send(narrow, key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert "at most 2 screenshots" in answer.json["error"]["message"]
    assert send(narrow, key).status == 400
    answer = send(narrow, key)
    assert (answer.status, answer.code) == (429, "RATE_LIMITED")


@pytest.mark.long
def test_expired_uploads_are_refused(tmp_path: Path) -> None:
    with running(tmp_path, UPLOAD_LIFETIME_S="1", **ONE_AT_ONCE) as server:
        key = server.key()
        made = upload(server, key)
        until_gone = datetime.fromisoformat(made["expiresAt"])
        until(lambda: datetime.now(UTC) > until_gone)
        assert render(server, key, made["id"]).status == 400


@pytest.mark.long
def test_uploads_outlive_a_restart(tmp_path: Path) -> None:
    with running(tmp_path, **ONE_AT_ONCE) as server:
        key = server.key()
        made = upload(server, key)
    with running(tmp_path, **ONE_AT_ONCE) as server:
        assert render(server, key, made["id"]).status == 200


def test_base64_is_refused_as_an_upload(server: Live, key: str) -> None:
    answer = send(server, key, base64.b64encode(pictures.png()))
    assert answer.status == 400


@pytest.mark.long
def test_an_upload_is_decoded_once_for_its_owner_only(tmp_path: Path) -> None:
    data = pictures.png(240, 520)

    def figure(name: str) -> int:
        line = rf'^mockup_cache_{name}\{{cache="screenshots"\}} (.+)$'
        (found,) = re.findall(line, live.figures(), re.MULTILINE)
        return int(float(found))

    with running(tmp_path, METRICS_PORT="0", **ONE_AT_ONCE) as live:
        key, other = live.key(), live.key()
        made = upload(live, key, data)
        answers = [render(live, key, made["id"]) for _ in range(3)]
        assert [answer.status for answer in answers] == [200] * 3
        assert len({answer.body for answer in answers}) == 1
        assert (figure("hits_total"), figure("misses_total")) == (2, 1)
        assert "decode" in answers[2].headers["Server-Timing"]
        assert render(live, other, made["id"]).status == 400
        assert render(live, other, upload(live, other, data)["id"]).body == answers[0].body
        assert (figure("hits_total"), figure("misses_total")) == (2, 2)
        before = figure("bytes")
        assert before >= 2 * 240 * 520 * 3
        assert live.send("DELETE", f"{UPLOADS}/{made['id']}", key=key).status == 204
        assert figure("bytes") == before // 2
        assert render(live, key, made["id"]).status == 400


@pytest.mark.parametrize("error", [failed(), OSError("no disk"), ValueError("something else")])
async def test_files_are_swept_again_after_a_failure(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "SWEEP_S", 0.0)
    sweep = Mock(side_effect=error)
    events = await called_twice(uploads.sweep(Mock(accounts=Mock(sweep=sweep))), sweep)
    assert events == {"expired files not deleted"}
