"""The headers of every response."""

from __future__ import annotations

import json
import re

import pytest

from tests.support.live import Live

PATHS = ["/health", "/", "/docs", "/api/v1/devices", "/api/v1/nothing", "/nothing", "/api/v1/mockup"]


@pytest.mark.parametrize("name", ["a", "A.b_c-9", "x" * 128])
@pytest.mark.parametrize("path", ["/api/v1/devices", "/api/v1/nothing", "/api/v1/mockup"])
def test_the_callers_request_id_comes_back(server: Live, name: str, path: str) -> None:
    assert server.send("GET", path, headers={"X-Request-Id": name}).headers["X-Request-Id"] == name


@pytest.mark.parametrize("name", ["", "x" * 129, "a b", "a/b", "ä", 'a"b', "a,b"])
def test_an_unfit_request_id_is_replaced(server: Live, name: str) -> None:
    given = server.send("GET", "/api/v1/devices", headers={"X-Request-Id": name}).headers["X-Request-Id"]
    assert re.fullmatch(r"[0-9a-f]{32}", given)


def test_every_request_has_an_id_of_its_own(server: Live) -> None:
    ids = {server.send("GET", "/api/v1/health").headers["X-Request-Id"] for _ in range(3)}
    assert len(ids) == 3


@pytest.mark.parametrize("path", PATHS)
def test_safe_headers(server: Live, path: str) -> None:
    headers = server.send("GET", path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Set-Cookie"] is None
    assert headers["Server"] is None


@pytest.mark.parametrize("path", PATHS[3:])
def test_api_answers_are_sandboxed(server: Live, path: str) -> None:
    assert "sandbox" in server.send("GET", path).headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/health", "/", "/docs", "/openapi.json", "/api/v1/devices"])
def test_head_is_get_without_a_body(server: Live, path: str) -> None:
    get, head = server.send("GET", path), server.send("HEAD", path)
    assert head.status == 200
    assert head.body == b""
    assert head.headers["Content-Length"] == get.headers["Content-Length"]


def test_keys_and_screenshots_are_not_logged(server: Live, key: str) -> None:
    server.mockup(key, screenshot_base64="c2VjcmV0cGljdHVyZQ" * 40)
    log = server.log.read_text()
    assert key not in log
    assert "c2VjcmV0cGljdHVyZQ" not in log


def test_log_lines_identify_the_key_by_its_prefix(server: Live) -> None:
    key = server.key()
    server.send("GET", "/api/v1/projects", key=key, headers={"X-Request-Id": "whose-key"})
    server.send("GET", "/api/v1/projects", key=key[:-1] + "!", headers={"X-Request-Id": "nobodys"})
    lines = {
        line["request_id"]: line
        for line in map(json.loads, server.log.read_text().splitlines())
        if line["event"] == "request"
    }
    assert lines["whose-key"]["key"] == key[:16]
    assert "key" not in lines["nobodys"]
    assert key not in server.log.read_text()
