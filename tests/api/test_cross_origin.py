"""Access by pages of other sites: to public pictures and lists always, to the rest by configuration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.config import Config
from tests.api.application import application
from tests.support.live import ONE_AT_ONCE, Answer, Live, running

MOCKUP = "/api/v1/mockup"
ORIGIN = "https://app.example.com"
OTHER = "https://elsewhere.example.com"
ASKING = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
}
ASKING_TO_READ = {
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match,x-my",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that pages of one other origin may call."""
    with running(
        tmp_path_factory.mktemp("shared"),
        CORS_ORIGINS=f"{ORIGIN}, http://localhost:3000",
        RATE_LIMIT="2",
        **ONE_AT_ONCE,
    ) as live:
        yield live


def exposed(answer: Answer) -> set[str]:
    return {name.lower() for name in answer.headers["Access-Control-Expose-Headers"].split(", ")}


def preflight(live: Live, path: str, origin: str, asking: dict[str, str]) -> Answer:
    """The answer to a browser that asks whether a page of `origin` may send a request."""
    return live.send("OPTIONS", path, headers={"Origin": origin, **asking})


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/devices", 200),
        ("/api/v1/devices/iphone-16-pro", 200),
        ("/api/v1/devices/iphone-16-pro/preview.png", 200),
        ("/api/v1/environments", 200),
        ("/api/v1/presets", 200),
        ("/api/v1/devices/moto-edge", 404),
    ],
)
def test_public_pictures_and_lists_may_be_used_from_anywhere(server: Live, path: str, status: int) -> None:
    for headers in ({}, {"Origin": OTHER}):
        answer = server.send("GET", path, headers=headers)
        assert answer.status == status
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "x-request-id" in exposed(answer)


@pytest.mark.parametrize("path", ["/api/v1/devices", "/api/v1/devices/iphone-16-pro/preview.png"])
@pytest.mark.parametrize("origin", [ORIGIN, OTHER])
def test_pages_may_send_headers_with_requests_for_public_lists(
    server: Live, shared: Live, path: str, origin: str
) -> None:
    for live in (server, shared):
        answer = preflight(live, path, origin, ASKING_TO_READ)
        assert answer.status == 204
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "*" in answer.headers["Access-Control-Allow-Headers"]
        # Two hours, which is as long as Chromium keeps it.
        assert answer.headers["Access-Control-Max-Age"] == "7200"
        assert preflight(live, path, origin, {}).status == 405


@pytest.mark.parametrize("origin", [ORIGIN, OTHER])
def test_pages_may_not_send_headers_with_other_requests(server: Live, origin: str) -> None:
    answer = preflight(server, "/api/v1/projects", origin, ASKING_TO_READ)
    assert answer.status == 405
    assert answer.headers["Access-Control-Allow-Origin"] is None


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/"), ("GET", "/docs"), ("GET", "/api/v1/projects"), ("POST", MOCKUP)]
)
def test_other_origins_are_refused_by_default(server: Live, key: str, method: str, path: str) -> None:
    answer = server.send(method, path, key=key, headers={"Origin": ORIGIN})
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["Access-Control-Allow-Origin"] is None
    assert preflight(server, MOCKUP, ORIGIN, ASKING).status == 405


@pytest.mark.long
def test_configured_origins_may_call_the_api(shared: Live) -> None:
    key = shared.key()
    answer = shared.mockup(key, "?output=raw", headers={"Origin": ORIGIN})
    assert answer.status == 200
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "Origin" in answer.headers["Vary"]
    assert exposed(answer) >= {
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-request-id",
        "x-duration-ms",
        "x-mockup-device",
        "x-mockup-warnings",
        "server-timing",
        "retry-after",
    }
    assert answer.headers["Access-Control-Allow-Credentials"] is None
    # The page can read refusals as well.
    refused = [shared.mockup(key, screenshot_base64="!", headers={"Origin": ORIGIN}) for _ in range(2)]
    assert [one.status for one in refused] == [400, 429]
    assert {one.headers["Access-Control-Allow-Origin"] for one in refused} == {ORIGIN}
    assert shared.send("POST", MOCKUP, {}, headers={"Origin": ORIGIN}).headers["Access-Control-Allow-Origin"]


def test_unconfigured_origins_are_refused(shared: Live) -> None:
    answer = shared.mockup(headers={"Origin": OTHER})
    assert answer.status == 200
    assert answer.headers["Access-Control-Allow-Origin"] is None
    asked = preflight(shared, MOCKUP, OTHER, ASKING)
    assert asked.status == 400
    assert asked.headers["Access-Control-Allow-Origin"] is None


def test_public_lists_stay_public_beside_configured_origins(shared: Live) -> None:
    answer = shared.send("GET", "/api/v1/devices", headers={"Origin": OTHER})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_preflight_requests_need_no_key_and_do_not_count(shared: Live) -> None:
    address = {"X-Forwarded-For": "198.18.254.1"}
    for _ in range(4):
        answer = preflight(shared, MOCKUP, ORIGIN, ASKING | address)
        assert answer.status == 200
        assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert "POST" in answer.headers["Access-Control-Allow-Methods"]
        assert "authorization" in answer.headers["Access-Control-Allow-Headers"].lower()
        assert answer.headers["X-RateLimit-Remaining"] == "2"
        assert answer.headers["X-Request-Id"]


@pytest.mark.parametrize(
    ("origins", "origin", "allowed"),
    [((ORIGIN,), ORIGIN, ORIGIN), ((ORIGIN,), OTHER, None), (("*",), OTHER, "*")],
)
async def test_pages_can_read_the_refusal_of_a_full_queue(
    tmp_path: Path, origins: tuple[str, ...], origin: str, allowed: str | None
) -> None:
    with application(tmp_path, cors_origins=origins) as app:
        app.fill()
        reply = await app.send(key=app.key(), headers={"origin": origin})
        assert reply.status == 503
        assert reply.headers.get("access-control-allow-origin") == allowed


@pytest.mark.parametrize("text", ["*", "https://a.example", "http://localhost:3000", "http://[::1]:80"])
def test_origins(text: str) -> None:
    assert Config(cors_origins=text).cors_origins == (text,)


@pytest.mark.parametrize(
    "text", ["a.example", "https://a.example/", "https://A.example", "https://*.a.example"]
)
def test_invalid_origins_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an origin such as"):
        Config(cors_origins=text)
