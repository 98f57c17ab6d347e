"""The rate limit: which requests it counts, for whom, and the headers that report it."""

from __future__ import annotations

import time
import uuid

import pytest

from tests.support.live import Answer, Live, stranger
from tests.support.waiting import until

MOCKUP = "/api/v1/mockup"
UNKNOWN = "sk_live_" + "u" * 43


def remaining(answer: Answer) -> int:
    return int(answer.headers["X-RateLimit-Remaining"])


def test_the_61st_request_in_a_window(server: Live, key: str) -> None:
    answers = [server.send("POST", MOCKUP, {}, key=key) for _ in range(60)]
    assert {answer.status for answer in answers} == {400}
    assert [remaining(answer) for answer in answers] == list(range(59, -1, -1))
    refused = [server.send("POST", MOCKUP, {}, key=key) for _ in range(2)]
    for answer in refused:
        assert answer.status == 429
        wait = int(answer.headers["Retry-After"])
        assert 1 <= wait <= 60
        assert answer.json == {
            "success": False,
            "error": "Too Many Requests",
            "code": "RATE_LIMITED",
            "message": f"Rate limit exceeded. Try again in {wait} seconds",
            "retryAfter": wait,
        }
        assert remaining(answer) == 0
    resets = {answer.headers["X-RateLimit-Reset"] for answer in [*answers, *refused]}
    assert len(resets) == 1
    # Another key of the same user shares the limit; another user does not.
    user = server.accounts.authenticate(key)
    assert user is not None
    assert server.send("POST", MOCKUP, {}, key=server.accounts.keys.issue(user.user_id)).status == 429
    assert server.send("POST", MOCKUP, {}, key=server.key()).status == 400
    # A request that is not counted is not refused either.
    assert server.send("GET", "/api/v1/projects", key=key).status == 200


def test_limit_before_the_subscription(server: Live) -> None:
    key = server.key("free")
    statuses = [server.send("POST", MOCKUP, {}, key=key).status for _ in range(61)]
    assert statuses == [403] * 60 + [429]


@pytest.mark.long(seconds=2)
def test_a_window_ends(hurried: Live) -> None:
    key = hurried.key()
    statuses = [hurried.send("POST", MOCKUP, {}, key=key).status for _ in range(4)]
    assert statuses[-1] == 429 or 400 in statuses
    until(lambda: hurried.send("POST", MOCKUP, {}, key=key).status == 400, "the end of the window")


def test_requests_without_a_valid_key_count_by_address(server: Live) -> None:
    address, other = {"X-Forwarded-For": stranger()}, {"X-Forwarded-For": stranger()}
    answers = [server.send("POST", MOCKUP, {}, headers=address) for _ in range(30)]
    answers += [server.send("POST", MOCKUP, {}, key="unknown", headers=address) for _ in range(30)]
    assert [answer.status for answer in answers] == [401] * 60
    assert [remaining(answer) for answer in answers] == list(range(59, -1, -1))
    assert server.send("POST", MOCKUP, {}, headers=address).status == 429
    assert server.send("POST", MOCKUP, {}, headers=other).status == 401
    # A request with a valid key counts against the key's user, whatever address it comes from.
    assert server.send("POST", MOCKUP, {}, key=server.key(), headers=address).status == 400


@pytest.mark.parametrize(
    ("method", "path", "otherwise"),
    [
        ("GET", "/api/v1/projects", 401),
        ("DELETE", f"/api/v1/projects/{uuid.UUID(int=0)}", 401),
        ("POST", "/api/v1/screenshots", 401),
        ("GET", "/api/v1/admin/users", 401),
        ("GET", "/api/v1/devices", 200),
    ],
)
def test_invalid_keys_count_by_address_in_every_operation(
    server: Live, method: str, path: str, otherwise: int
) -> None:
    address = {"X-Forwarded-For": stranger()}
    answers = [server.send(method, path, key=UNKNOWN, headers=address) for _ in range(62)]
    assert [answer.status for answer in answers[:60]] == [otherwise] * 60
    # The server still serves public operations.
    assert {answer.status for answer in answers[60:]} == {429 if otherwise == 401 else 200}
    assert remaining(answers[-1]) == 0
    # A request with a valid key counts against the key's user, whatever address it comes from.
    assert server.send("GET", "/api/v1/projects", key=server.key(), headers=address).status == 200


def test_forwarded_addresses_only_from_trusted_proxies(small_bodies: Live) -> None:
    # Each request claims a different address in a header that the server ignores.
    answers = [small_bodies.send("POST", MOCKUP, {}) for _ in range(2)]
    assert remaining(answers[0]) - remaining(answers[1]) == 1


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/devices"),
        ("GET", "/api/v1/environments"),
        ("GET", "/api/v1/health"),
        ("GET", "/api/v1/projects"),
        ("GET", f"/api/v1/projects/{uuid.UUID(int=0)}"),
        ("GET", "/api/v1/nothing"),
        ("GET", "/api/v1/mockup"),
        ("DELETE", "/api/v1/devices"),
        ("HEAD", "/api/v1/devices"),
        ("GET", "/api/v1/devices/none/preview.png"),
    ],
)
def test_every_answer_shows_the_limit_and_only_mockups_use_it_up(
    server: Live, key: str, method: str, path: str
) -> None:
    server.send("POST", MOCKUP, {}, key=key)
    # An operation that needs a key counts requests without a valid one against their address.
    left_without = 59 if "/projects" in path else 60
    for credentials, left in ((key, 59), (None, left_without), ("unknown", left_without), (UNKNOWN, 59)):
        answer = server.send(method, path, key=credentials)
        assert answer.headers["X-RateLimit-Limit"] == "60"
        assert remaining(answer) == left
        assert 0 <= int(answer.headers["X-RateLimit-Reset"]) - time.time() <= 61


@pytest.mark.parametrize("path", ["/health", "/", "/docs", "/openapi.json", "/nothing"])
def test_other_paths_show_no_limit(server: Live, path: str) -> None:
    assert server.send("GET", path).headers["X-RateLimit-Limit"] is None
