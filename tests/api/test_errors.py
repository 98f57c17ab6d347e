"""Every row of the table of errors, in the order in which the server checks requests."""

from __future__ import annotations

import json
import socket
import uuid
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests.support import pictures
from tests.support.live import SMALL, Live
from tests.support.waiting import PATIENCE_S

MOCKUP = "/api/v1/mockup"


def assert_plain(body: Any) -> None:
    assert body["success"] is False
    assert set(body) == {"success", "error"}
    assert set(body["error"]) <= {"code", "message", "details"}


def test_missing_auth(server: Live) -> None:
    answer = server.send("POST", MOCKUP, {})
    assert (answer.status, answer.code) == (401, "MISSING_AUTH")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert_plain(answer.json)


@pytest.mark.parametrize("value", ["Basic dTpw", "Bearer", "Bearer ", "sk_live_x"])
def test_authorization_that_is_not_bearer(server: Live, value: str) -> None:
    answer = server.send("POST", MOCKUP, {}, headers={"Authorization": value})
    assert (answer.status, answer.code) == (401, "MISSING_AUTH")


@pytest.mark.parametrize("key", ["sk_live_" + "0" * 43, "nonsense", "sk_live_'; drop table users", "k\xe9y"])
def test_unknown_key(server: Live, key: str) -> None:
    answer = server.send("POST", MOCKUP, {}, key=key)
    assert (answer.status, answer.code) == (401, "INVALID_API_KEY")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_revoked_key(server: Live, key: str) -> None:
    assert server.mockup(key, screenshot_base64="!").status == 400
    server.accounts.keys.revoke(key[:16])
    answer = server.mockup(key)
    assert (answer.status, answer.code) == (401, "INVALID_API_KEY")


def test_scheme_in_any_case(server: Live, key: str) -> None:
    answer = server.send("POST", MOCKUP, {}, headers={"Authorization": f"bearer {key}"})
    assert answer.code == "INVALID_REQUEST"


def test_no_subscription(server: Live) -> None:
    answer = server.mockup(server.key("free"))
    assert (answer.status, answer.code) == (403, "SUBSCRIPTION_REQUIRED")
    assert_plain(answer.json)


def test_subscription_before_the_body(server: Live) -> None:
    answer = server.send("POST", MOCKUP, b"{", key=server.key("free"))
    assert answer.code == "SUBSCRIPTION_REQUIRED"


def test_key_before_the_body(server: Live) -> None:
    assert server.send("POST", MOCKUP, b"{").code == "MISSING_AUTH"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"settings": {"shadow": {"blur": NaN}}}', b"\xff"])
def test_body_that_is_not_an_object_of_json(server: Live, key: str, data: bytes) -> None:
    answer = server.send("POST", MOCKUP, data, key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert_plain(answer.json)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, {"type", "screenshot"}),
        ({"type": "screenshot"}, {"screenshot"}),
        ({"type": "video", "screenshot": {"type": "base64", "src": "x"}}, {"type"}),
        ({"screenshot": {"type": "base64", "src": "x"}}, {"type"}),
        ({"type": "screenshot", "screenshot": "x"}, {"screenshot"}),
        ({"type": "screenshot", "screenshot": {}}, {"screenshot.type", "screenshot.src"}),
        (
            {"type": "screenshot", "screenshot": {"type": "file", "src": 3}},
            {"screenshot.type", "screenshot.src"},
        ),
        ({"type": "screenshot", "screenshot": {"type": "url", "src": ""}}, {"screenshot.src"}),
        ({"type": "screenshot", "screenshot": {"type": "url", "src": "x", "a": 1}}, {"screenshot.a"}),
        ({"screenshot_url": 3, "fast": "yes", "projectId": 7}, {"screenshot_url", "fast", "projectId"}),
        ({"screenshot_url": "x", "screenshot_base64": "x"}, {"screenshot_base64"}),
        ({"screenshot_url": "x", "setings": {}}, {"setings"}),
        ({"screenshot_url": "x", "settings": []}, {"settings"}),
        ({"screenshot_url": "x", "projectId": "42"}, {"projectId"}),
        (
            {"screenshot_url": 1, "settings": {"shadow": {"blur": 21}, "exprot": {}}, "fast": 1},
            {"screenshot_url", "settings.shadow.blur", "settings.exprot", "fast"},
        ),
    ],
)
def test_every_path_is_named(server: Live, key: str, body: dict[str, Any], paths: set[str]) -> None:
    answer = server.send("POST", MOCKUP, body, key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert set(answer.details) == paths


def test_unknown_member_names_the_nearest(server: Live, key: str) -> None:
    answer = server.send("POST", MOCKUP, {"screenshot_url": "x", "setings": {}}, key=key)
    assert answer.details == {"setings": "unknown member; did you mean settings?"}


def test_setting_out_of_range_at_a_nested_path(server: Live, key: str) -> None:
    answer = server.mockup(key, settings={"postProcessing": {"grain": {"size": 5}}})
    assert answer.details == {"settings.postProcessing.grain.size": "expected a number from 1 to 4, got 5"}


@pytest.mark.parametrize("query", ["?output=xml", "?output=", "?output=json&output=raw", "?ouput=raw"])
def test_bad_output(server: Live, key: str, query: str) -> None:
    answer = server.mockup(key, query)
    assert answer.code == "INVALID_REQUEST"
    assert set(answer.details) == {query[1:].partition("=")[0]}


def test_unknown_project(server: Live, key: str) -> None:
    answer = server.mockup(key, projectId=str(uuid.uuid4()))
    assert (answer.status, answer.code) == (404, "PROJECT_NOT_FOUND")


def test_project_of_somebody_else(server: Live, key: str) -> None:
    project = server.accounts.projects.save(server.user().id, "theirs", {})
    answer = server.mockup(key, projectId=str(project.id))
    assert (answer.status, answer.code) == (403, "PROJECT_ACCESS_DENIED")


def test_request_settings_before_the_project(server: Live, key: str) -> None:
    answer = server.mockup(key, projectId=str(uuid.uuid4()), settings={"shadow": {"blur": -1}})
    assert answer.code == "INVALID_REQUEST"


def test_project_before_the_screenshot(server: Live, key: str) -> None:
    assert server.mockup(key, projectId=str(uuid.uuid4()), screenshot_base64="!").code == "PROJECT_NOT_FOUND"


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"screenshot_base64": "not base64!"}, "screenshot_base64"),
        ({"screenshot_base64": pictures.text(b"this is text, not an image")}, "screenshot_base64"),
        ({"screenshot_base64": pictures.text(pictures.png()[:60])}, "screenshot_base64"),
        ({"type": "screenshot", "screenshot": {"type": "base64", "src": "%"}}, "screenshot.src"),
        ({"type": "screenshot", "screenshot": {"type": "base64", "src": "aGFsbG8="}}, "screenshot.src"),
        ({"screenshot_url": "ftp://127.0.0.1/a.png"}, "screenshot_url"),
        ({"screenshot_url": "http://127.0.0.1:1/a.png"}, "screenshot_url"),
        ({"type": "screenshot", "screenshot": {"type": "url", "src": "nonsense"}}, "screenshot.src"),
    ],
)
def test_files_other_than_pictures_are_refused(
    server: Live, key: str, body: dict[str, Any], path: str
) -> None:
    answer = server.send("POST", MOCKUP, {"settings": SMALL, **body}, key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert list(answer.details) == [path]


def test_announced_body_too_large(server: Live) -> None:
    parts = urlsplit(server.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S) as connection:
        head = f"POST {MOCKUP} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"
        # The test sends no byte of the body, and the server does not wait for one.
        connection.sendall(head.encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 413 ")


@pytest.mark.long
def test_streamed_body_too_large(small_bodies: Live) -> None:
    parts = urlsplit(small_bodies.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S) as connection:
        head = f"POST {MOCKUP} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        # The test never sends the final chunk.
        connection.sendall(head.encode() + b"1000\r\n" + b" " * 4096 + b"\r\n")
        answer = b""
        # The head of the response may arrive before its body.
        while not answer.endswith(b"}") and (piece := connection.recv(4096)):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"PAYLOAD_TOO_LARGE" in answer


def test_size_before_the_key(small_bodies: Live) -> None:
    answer = small_bodies.send("POST", MOCKUP, b" " * 5000)
    assert (answer.status, answer.code) == (413, "PAYLOAD_TOO_LARGE")
    assert answer.headers["X-RateLimit-Limit"] == "60"


def test_a_client_that_sends_everything_first_reads_the_413(
    server: Live,
) -> None:
    """Like urllib, the client reads the response only after it has sent everything."""
    request = Request(f"{server.address}/api/v1/mockup", bytes(32 * 2**20))
    with pytest.raises(HTTPError) as refused:
        urlopen(request, timeout=PATIENCE_S)
    assert refused.value.code == 413
    assert json.load(refused.value)["error"]["code"] == "PAYLOAD_TOO_LARGE"


@pytest.mark.parametrize("kind", ["", "text/plain", "application/json; charset=latin-1", "multipart/mixed"])
def test_wrong_content_type(server: Live, key: str, kind: str) -> None:
    answer = server.mockup(key, headers={"Content-Type": kind})
    assert (answer.status, answer.code) == (415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
def test_right_content_types(server: Live, key: str, kind: str) -> None:
    answer = server.send("POST", MOCKUP, {}, key=key, headers={"Content-Type": kind})
    assert answer.code == "INVALID_REQUEST"


def test_compressed_body(server: Live, key: str) -> None:
    assert server.mockup(key, headers={"Content-Encoding": "gzip"}).code == "UNSUPPORTED_MEDIA_TYPE"


@pytest.mark.parametrize(
    "path", ["/nothing", "/api/v1/nothing", "/api/v1/mockup/", "/api/v2/mockup", "/api/v1/"]
)
def test_not_found(server: Live, path: str) -> None:
    answer = server.send("GET", path)
    assert (answer.status, answer.code) == (404, "NOT_FOUND")
    assert_plain(answer.json)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", MOCKUP, {"POST"}),
        ("OPTIONS", MOCKUP, {"POST"}),
        ("HEAD", MOCKUP, {"POST"}),
        ("DELETE", "/api/v1/projects", {"GET", "HEAD", "POST"}),
        ("POST", f"/api/v1/projects/{uuid.UUID(int=0)}", {"GET", "HEAD", "PUT", "PATCH", "DELETE"}),
        ("POST", "/health", {"GET", "HEAD"}),
        ("GET", "/api/v1/films/frames", {"POST"}),
        ("TRACE", "/api/v1/devices", {"GET", "HEAD"}),
    ],
)
def test_method_not_allowed(server: Live, method: str, path: str, allowed: set[str]) -> None:
    answer = server.send(method, path)
    assert answer.status == 405
    assert set(answer.headers["Allow"].split(", ")) == allowed
    if method != "HEAD":
        assert answer.code == "METHOD_NOT_ALLOWED"
        assert_plain(answer.json)


@pytest.mark.long
def test_render_timeout(hurried: Live) -> None:
    answer = hurried.mockup()
    assert (answer.status, answer.code) == (504, "RENDER_TIMEOUT")
    assert_plain(answer.json)


def test_causes_appear_only_in_the_log(server: Live) -> None:
    answer = server.mockup(screenshot_url="http://127.0.0.1:1/secret-path.png")
    said = json.dumps(answer.json)
    assert not any(word in said for word in ("127.0.0.1", "Errno", "aiohttp", "Traceback", "refused"))
