"""Administration over HTTP, with a real server."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from service.accounts.grants import LIVE
from service.api.access import ADMIN as ADMINISTRATORS
from service.api.operation import Operation
from service.api.operations import OPERATIONS
from tests.support.live import Answer, Live

ADMIN = "/api/v1/admin"
PATHS = [(operation.method, operation.path) for operation in OPERATIONS if operation.access is ADMINISTRATORS]
QUERIES = [operation for operation in OPERATIONS if operation.query and operation.method == "GET"]


@pytest.fixture(scope="session")
def live(administered: Live) -> Live:
    """A service with an administrator."""
    return administered


def events(live: Live, ops: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = live.send("GET", f"{ADMIN}/audit", key=ops).json["events"]
    return found


def added(live: Live, ops: str, plan: str = "pro") -> dict[str, Any]:
    email = f"{uuid.uuid4().hex}@example.com"
    made = live.send("POST", f"{ADMIN}/users", {"email": email, "plan": plan}, key=ops)
    assert made.status == 201, made.body
    found: dict[str, Any] = made.json
    assert (found["email"], found["plan"], found["active"]) == (email, plan, plan == "pro")
    assert live.send("GET", made.headers["Location"], key=ops).json == found
    return found


@pytest.mark.long
def test_a_user_is_added_renders_and_is_removed(live: Live, ops: str) -> None:
    user = added(live, ops)
    made = live.send("POST", f"{ADMIN}/keys", {"userId": user["id"], "name": "ci"}, key=ops)
    assert made.status == 201, made.body
    assert made.headers["Cache-Control"] == "no-store"
    key = made.json.pop("key")
    assert key[:16] == made.json["id"]
    assert live.mockup(key).status == 200
    described = live.send("GET", made.headers["Location"], key=ops).json
    assert described == {name: value for name, value in made.json.items() if name != "key"}
    body = {"overlapSeconds": 60, "expiresAt": "2099-01-01T00:00:00+01:00"}
    rotated = live.send("POST", f"{ADMIN}/keys/{key[:16]}/rotation", body, key=ops)
    assert rotated.status == 201, rotated.body
    new = rotated.json["issued"]
    assert new["expiresAt"] == "2098-12-31T23:00:00+00:00"
    assert (new["name"], rotated.json["replaced"]["id"]) == ("ci", key[:16])
    assert {live.mockup(one).status for one in (key, new["key"])} == {200}
    for _ in range(2):
        assert live.send("DELETE", f"{ADMIN}/keys/{new['id']}", key=ops).status == 204
    assert live.mockup(new["key"]).code == "INVALID_API_KEY"
    listed = live.send("GET", f"{ADMIN}/keys?userId={user['id']}", key=ops).json
    assert [(one["id"], one["valid"]) for one in listed["keys"]] == [(key[:16], True), (new["id"], False)]
    ended = {"plan": "free"}
    changed = live.send("PUT", f"{ADMIN}/users/{user['id']}/subscription", ended, key=ops)
    assert (changed.status, changed.json["active"]) == (200, False)
    assert live.mockup(key).code == "SUBSCRIPTION_REQUIRED"
    assert live.send("DELETE", f"{ADMIN}/users/{user['id']}", key=ops).status == 204
    assert live.mockup(key).code == "INVALID_API_KEY"
    assert live.send("GET", f"{ADMIN}/users/{user['id']}", key=ops).code == "NOT_FOUND"
    found = [event for event in events(live, ops) if user["email"] in str(event)]
    assert [event["action"] for event in found] == [
        *("users.remove", "users.subscribe", "keys.revoke", "keys.revoke", "keys.rotate", "keys.issue"),
        "users.add",
    ]
    assert {(event["actor"], event["keyPrefix"]) for event in found} == {("ops@example.com", ops[:16])}
    log = live.log.read_text()
    lines = [json.loads(line) for line in log.splitlines() if user["email"] in line]
    assert [line["action"] for line in lines if line["event"] == "administration"] == [
        "users.add",
        "users.subscribe",
        "users.remove",
    ]
    assert {line["request_id"] for line in lines} <= {event["requestId"] for event in found}
    assert not any(secret[16:] in text for secret in (key, new["key"]) for text in (log, str(found)))


def test_administrators_handle_projects_of_all_users(live: Live, ops: str) -> None:
    user = added(live, ops)
    saved = live.accounts.projects.save(uuid.UUID(user["id"]), "Launch", {"device": "auto"})
    path = f"{ADMIN}/projects/{saved.id}"
    shown = live.send("GET", path, key=ops).json
    assert (shown["userId"], shown["settings"]) == (user["id"], {"device": "auto"})
    listed = live.send("GET", f"{ADMIN}/projects?userId={user['id']}", key=ops).json
    assert listed == {"projects": [shown], "next": None}
    assert shown in live.send("GET", f"{ADMIN}/projects", key=ops).json["projects"]
    assert live.send("DELETE", path, key=ops).status == 204
    for method in ("GET", "DELETE"):
        assert live.send(method, path, key=ops).code == "PROJECT_NOT_FOUND"
    assert events(live, ops)[0]["details"] == {"user": user["email"], "name": "Launch"}


@pytest.mark.parametrize("one", QUERIES, ids=lambda one: one.name)
def test_every_query_that_is_declared_is_checked(live: Live, ops: str, one: Operation) -> None:
    path = one.path.replace("{id}", "hero-left" if "/poses/" in one.path else "pixel-9-pro")
    answer = live.send("GET", f"{path}?such=none", key=ops)
    assert (answer.status, set(answer.details)) == (400, {"such"})


def test_lists_come_in_pages(live: Live, ops: str) -> None:
    made = [added(live, ops)["id"] for _ in range(3)]
    seen: list[str] = []
    query = "?limit=2"
    while True:
        page = live.send("GET", f"{ADMIN}/users{query}", key=ops).json
        seen += [user["id"] for user in page["users"]]
        if page["next"] is None:
            break
        query = f"?limit=2&after={page['next']}"
    assert seen[-3:] == made
    assert len(set(seen)) == len(seen)
    found = live.send("GET", f"{ADMIN}/users?email=OPS@example.com", key=ops).json["users"]
    assert [user["email"] for user in found] == ["ops@example.com"]
    first = live.send("GET", f"{ADMIN}/audit?limit=1", key=ops).json
    second = live.send("GET", f"{ADMIN}/audit?limit=1&after={first['next']}", key=ops).json
    assert [first["events"][0]["at"], second["events"][0]["at"]] == [
        event["at"] for event in events(live, ops)[:2]
    ]


# This id is always the same, because test names contain it.
ABSENT = str(uuid.UUID(int=42, version=4))


@pytest.mark.parametrize(
    ("method", "path", "body", "paths"),
    [
        ("POST", "users", {"email": "ops@example.com"}, {"email"}),
        ("POST", "users", {"email": "nobody", "plan": "pro"}, {"email"}),
        ("POST", "users", {"email": "a@example.com", "plan": "gold"}, {"plan"}),
        ("POST", "users", {"email": "a@example.com", "plan": None, "until": "soon"}, {"until"}),
        ("POST", "users", {"email": "a@example.com", "until": "2099-01-01T00:00:00"}, {"until"}),
        ("POST", "users", {"email": "a@example.com", "until": "2001-01-01T00:00:00Z"}, {"until"}),
        ("POST", "users", {"email": "a@example.com", "until": "9999-12-31T23:59:59-12:00"}, {"until"}),
        ("POST", "users", {"mail": "a@example.com"}, {"email", "mail"}),
        ("POST", "keys", {"userId": ABSENT}, {"userId"}),
        ("POST", "keys", {"userId": "42", "name": ""}, {"name"}),
        ("POST", "keys", {"userId": "42"}, {"userId"}),
        ("POST", "keys/sk_live_abcdefgh/rotation", {"overlapSeconds": -1}, {"overlapSeconds"}),
        ("PUT", f"users/{ABSENT}/subscription", {}, {"plan"}),
        ("GET", "users/42", None, {"id"}),
        ("GET", "keys/sk_live_abc", None, {"id"}),
        ("DELETE", f"keys/{LIVE}{43 * 'a'}", None, {"id"}),
        ("GET", "keys?userId=42&limit=0", None, {"limit"}),
        ("GET", "keys?userId=42", None, {"userId"}),
        ("GET", "users?name=ada", None, {"name"}),
        ("GET", "audit?after=x", None, {"after"}),
    ],
)
def test_mistakes_are_named(live: Live, ops: str, method: str, path: str, body: Any, paths: set[str]) -> None:
    before = events(live, ops)
    answer = live.send(method, f"{ADMIN}/{path}", body, key=ops)
    assert (answer.status, answer.code, set(answer.details)) == (400, "INVALID_REQUEST", paths)
    assert events(live, ops) == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", f"users/{ABSENT}", None),
        ("DELETE", f"users/{ABSENT}", None),
        ("PUT", f"users/{ABSENT}/subscription", {"plan": "pro"}),
        ("GET", "keys/sk_live_abcdefgh", None),
        ("DELETE", "keys/sk_live_abcdefgh", None),
        ("POST", "keys/sk_live_abcdefgh/rotation", {}),
    ],
)
def test_unknown_users_keys_and_projects_are_404(
    live: Live, ops: str, method: str, path: str, body: Any
) -> None:
    answer = live.send(method, f"{ADMIN}/{path}", body, key=ops)
    assert (answer.status, answer.code) == (404, "NOT_FOUND")


def test_bodies_must_be_small_json(live: Live, ops: str) -> None:
    def added(body: Any, kind: str) -> Answer:
        return live.send("POST", f"{ADMIN}/users", body, key=ops, headers={"Content-Type": kind})

    assert added(b"{}", "text/plain").code == "UNSUPPORTED_MEDIA_TYPE"
    assert added({"email": "x" * 20_000}, "application/json").code == "PAYLOAD_TOO_LARGE"


@pytest.mark.parametrize(("method", "path"), PATHS, ids=lambda one: str(one))
def test_only_administrators_have_access(live: Live, method: str, path: str) -> None:
    """Only an administrator's key gives access, whatever the path or body."""
    path = path.replace("{id}", ABSENT)
    key = live.key()
    for given, code in ((None, "MISSING_AUTH"), ("unknown", "INVALID_API_KEY"), (key, "NOT_ALLOWED")):
        answer = live.send(method, path, b"{" if method in ("POST", "PUT") else None, key=given)
        assert (answer.status, answer.code) == (403 if given == key else 401, code)
