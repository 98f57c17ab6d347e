"""The state of the server, and who may see it."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.live import Live

STATUS = "/api/v1/status"


PAGE = "/status"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


def asked(server: Live, path: str = STATUS, **headers: str) -> tuple[int, Any]:
    """The response to a client on this machine without a proxy."""
    parts = urlsplit(server.address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def samples(status: Any) -> dict[tuple[str, ...], float]:
    return {
        (sample["name"], *sample["labels"].values()): sample["value"]
        for metric in status["metrics"]
        for sample in metric["samples"]
    }


def test_this_machine_sees_the_metrics(server: Live) -> None:
    assert server.mockup().status == 200
    assert server.send("POST", "/api/v1/previews", {"maxPixels": 16_384}, key=server.key()).status == 200
    code, status = asked(server)
    assert code == 200
    assert set(status["versions"]) == {"service", "python"}
    found = samples(status)
    assert found["mockup_http_requests_total", "POST", "/api/v1/mockup", "200"] >= 1
    assert found["mockup_stage_seconds_count", "plate"] >= 2
    assert found["mockup_renders_held",] == found["mockup_previews_held",] == 0
    assert found["mockup_cache_misses_total", "plates"] >= 1
    assert found["mockup_cache_bytes", "plates"] > 0
    assert found["process_resident_memory_bytes",] > 0
    assert not [name for name, *_ in found if name.endswith("_created")]


@pytest.mark.parametrize(
    "headers",
    [{"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}, {"Host": "rebound.example.com"}],
)
def test_other_machines_may_not_see_the_metrics(server: Live, headers: dict[str, str]) -> None:
    code, answer = asked(server, **headers)
    assert (code, answer["error"]["code"]) == (401, "MISSING_AUTH")


def test_other_names_of_this_machine_are_accepted(server: Live) -> None:
    for host in ("localhost", "localhost:80", "127.0.0.1", "[::1]:8000", "[::1]"):
        assert asked(server, Host=host)[0] == 200


@pytest.mark.long
def test_administrators_see_the_metrics_from_anywhere(administered: Live) -> None:
    live = administered
    other = live.accounts.keys.issue(live.accounts.users.add("other@example.com", "free").id)
    assert live.send("GET", STATUS, key=other).json["versions"]
    answer = live.send("GET", STATUS, key=live.key())
    assert (answer.status, answer.code) == (403, "NOT_ALLOWED")
    assert live.send("GET", STATUS, key="unknown").code == "INVALID_API_KEY"


@pytest.mark.parametrize(
    "accept", [BROWSER, "text/html", "text/*", "text/html;q=0.05", "application/json;q=0.5, text/html"]
)
def test_browsers_get_a_page_without_figures(server: Live, accept: str) -> None:
    answer = server.send("GET", PAGE, headers={"Accept": accept})
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "Accept" in answer.headers["Vary"]
    assert b"mockup_" not in answer.body


@pytest.mark.parametrize("accept", ["application/json", "*/*", "", "text/html;q=0.1, */*", "text/html;q=x"])
def test_other_clients_get_json_if_authorised(server: Live, accept: str) -> None:
    code, status = asked(server, PAGE, Accept=accept)
    assert (code, set(status)) == (200, {"versions", "metrics"})
    refused = server.send("GET", PAGE, headers={"Accept": accept})
    assert (refused.status, refused.code) == (401, "MISSING_AUTH")


def test_the_figures_address_never_gives_a_page(server: Live) -> None:
    assert asked(server, STATUS, Accept=BROWSER)[0] == 200
