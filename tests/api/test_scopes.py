"""Restricted keys: limited to scopes, for use on web pages, and for tests."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from service.accounts.errors import AccountError
from service.accounts.grants import SCOPES, Grant, grant
from service.api.access import PUBLIC
from service.api.operation import Operation
from service.api.operations import OPERATIONS
from tests.accounts.test_keys import expire
from tests.api.application import Application, Reply, application
from tests.support.live import SMALL, Live

ID = "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90"
PAGE = "https://app.example.com"


def key(app: Application, email: str, given: Grant, plan: str = "pro") -> str:
    accounts = app.app.state.services.accounts
    return str(accounts.keys.issue(accounts.users.add(email, plan).id, grant=given))


def send(app: Application, operation: Operation, key: str, **headers: str) -> Reply:
    """An empty request from another machine."""
    path = operation.path.replace("{id}", ID)
    sent = {"x-forwarded-for": "198.51.100.1", **headers}
    call = app.send({}, key=key, method=operation.method, path=path, headers=sent)
    return asyncio.run(call)


def refused(reply: Reply) -> bool:
    return reply.status == 403 and reply.json["error"]["code"] == "NOT_ALLOWED"


def test_every_operation_that_takes_a_key_has_a_scope() -> None:
    for operation in OPERATIONS:
        assert (operation.access.scope is None) == (operation.access is PUBLIC), operation.path


def test_keys_are_limited_to_their_scopes(tmp_path: Path) -> None:
    """The test calls every operation with keys of administrators: one for each scope, one for tests, and one
    without restrictions."""
    admins = [f"{scope}@example.com" for scope in (*SCOPES, "all", "test")]
    with application(tmp_path, admins=admins) as app:
        keys = {scope: key(app, f"{scope}@example.com", grant([scope])) for scope in SCOPES}
        every = key(app, "all@example.com", grant())
        test = key(app, "test@example.com", grant(test=True))
        for operation in OPERATIONS:
            # Links carry their own signature, and ignore keys.
            if operation.path.startswith("/m/"):
                continue
            # The page is public, but the figures on it are not.
            needed = "admin" if operation.path == "/status" else operation.access.scope
            for scope, one in keys.items():
                reply = send(app, operation, one)
                expected = needed is not None and scope != needed
                assert refused(reply) == expected, (operation.path, scope, reply.status, reply.body)
                if expected:
                    assert f"takes {needed}" in reply.json["error"]["message"]
            assert refused(send(app, operation, test)) == (needed == "admin"), operation.path
            assert not refused(send(app, operation, every)), operation.path


def test_other_methods_and_spellings_respect_scopes(tmp_path: Path) -> None:
    """For a key of another scope, every path is either forbidden or unknown."""
    admins = [f"{scope}@example.com" for scope in SCOPES]
    with application(tmp_path, admins=admins) as app:
        keys = {scope: key(app, f"{scope}@example.com", grant([scope])) for scope in SCOPES}
        for operation in OPERATIONS:
            if operation.access.scope is None:
                continue
            own = keys["upload" if operation.access.scope != "upload" else "projects"]
            path = operation.path.replace("{id}", ID)
            spellings = (path + "/", path.upper(), f"/{path}", path.replace("/api", "/api/."), f"{path};a")
            asked: list[tuple[Any, str, dict[str, str]]] = [(operation.method, one, {}) for one in spellings]
            asked += [(method, path, {}) for method in ("HEAD", "PATCH", "PUT", "get", "TRACE")]
            asked += [
                ("GET", path, {"x-http-method-override": operation.method}),
                (operation.method, "/nowhere", {"x-original-url": path, "x-rewrite-url": path}),
            ]
            for method, spelt, headers in asked:
                sent = {"x-forwarded-for": "198.51.100.1", **headers}
                reply = asyncio.run(app.send({}, key=own, method=method, path=spelt, headers=sent))
                assert reply.status in (403, 404, 405), (method, spelt, reply.status, reply.body)


def test_ended_keys_are_refused_everywhere(tmp_path: Path) -> None:
    """Every operation that takes a key refuses those that are revoked, expired, rotated or unknown."""
    with application(tmp_path, admins=["ada@example.com"], rate_limit=10**6) as app:
        accounts = app.app.state.services.accounts
        user = accounts.users.add("ada@example.com", "pro").id
        revoked, rotated = accounts.keys.issue(user), accounts.keys.issue(user)
        accounts.keys.revoke(revoked[:16])
        accounts.keys.rotate(rotated[:16], timedelta())
        expired = accounts.keys.issue(user)
        expire(accounts, expired)
        for operation in OPERATIONS:
            if operation.access.scope is not None:
                for key in (revoked, rotated, expired, f"sk_live_{'z' * 43}"):
                    reply = send(app, operation, key)
                    code = reply.json["error"]["code"]
                    assert (reply.status, code) == (401, "INVALID_API_KEY"), operation.path


def test_the_admin_scope_alone_makes_no_administrator(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        one = key(app, "ada@example.com", grant(["admin"]))
        for operation in OPERATIONS:
            if operation.access.scope == "admin":
                assert refused(send(app, operation, one)), operation.path


def test_keys_of_pages_are_refused_elsewhere(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        one = key(app, "ada@example.com", grant(["render"], [PAGE]))
        for operation in OPERATIONS:
            if operation.access.scope == "render":
                assert not refused(send(app, operation, one, origin=PAGE))
                for origin in ("https://evil.example", f"{PAGE}.evil.example", "null", PAGE.upper(), ""):
                    assert refused(send(app, operation, one, origin=origin)), origin
                assert refused(send(app, operation, one))


def test_keys_issued_before_there_were_scopes_have_all(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        old = app.key()
        assert app.app.state.services.accounts.authenticate(old).grant == Grant()
        assert asyncio.run(app.send(key=old)).status == 200


def test_keys_for_tests_need_no_plan_and_are_counted_apart(tmp_path: Path) -> None:
    with application(tmp_path, rate_limit=2) as app:
        accounts = app.app.state.services.accounts
        user = accounts.users.add("ada@example.com", "free")
        test = accounts.keys.issue(user.id, grant=grant(test=True))
        live = accounts.keys.issue(user.id)
        assert test.startswith("sk_test_")
        assert asyncio.run(app.send(key=live)).status == 403
        accounts.users.subscribe(user.id, "pro")
        replies = [asyncio.run(app.send(key=one)) for one in (test, test, test, live, live)]
        assert [reply.status for reply in replies] == [200, 200, 429, 200, 429]


def test_pictures_of_keys_for_tests_have_a_watermark(server: Live) -> None:
    user = server.user()
    test = server.accounts.keys.issue(user.id, grant=grant(test=True))
    live = server.accounts.keys.issue(user.id)
    for query in ("?output=raw", ""):
        marked, plain = server.mockup(test, query), server.mockup(live, query)
        assert (marked.status, plain.status) == (200, 200)
        assert marked.body != plain.body
    sent: Any = {"settings": SMALL}
    marked, plain = (server.send("POST", "/api/v1/previews", sent, key=one) for one in (test, live))
    assert marked.body != plain.body
    ids: Any = {"screenshot": {"type": "upload", "src": ID}, "type": "screenshot"}
    assert server.mockup(test, **ids).status == 400, "no other user's upload, and none of its own yet"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"scopes": ["rendering"]}, "expected scopes among render, upload, projects, admin"),
        ({"origins": [PAGE]}, "needs the scope render, and no other"),
        ({"scopes": ["render", "upload"], "origins": [PAGE]}, "needs the scope render, and no other"),
        ({"scopes": ["render"], "origins": [f"{PAGE}/page"]}, "not an origin"),
        ({"scopes": ["render"], "origins": ["*"]}, "not an origin"),
        ({"scopes": ["render"], "origins": [f"https://{n}.example.com" for n in range(17)]}, "at most 16"),
        ({"scopes": ["admin"], "test": True}, "cannot be used for administration"),
    ],
)
def test_invalid_grants_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AccountError, match=said):
        grant(**given)


def test_administrators_issue_grants_and_rotation_keeps_them(administered: Live, ops: str) -> None:
    user = administered.user()
    sent = {"userId": str(user.id), "scopes": ["render"], "origins": [PAGE], "test": True}
    made = administered.send("POST", "/api/v1/admin/keys", sent, key=ops)
    assert made.status == 201, made.body
    told = {"scopes": ["render"], "origins": [PAGE], "test": True}
    assert {name: made.json[name] for name in told} == told
    assert made.json["key"].startswith("sk_test_")
    path = f"/api/v1/admin/keys/{made.json['id']}"
    assert administered.send("GET", path, key=ops).json == {
        name: value for name, value in made.json.items() if name != "key"
    }
    rotated = administered.send("POST", f"{path}/rotation", {}, key=ops)
    assert {name: rotated.json["issued"][name] for name in told} == told
    plain = administered.send("POST", "/api/v1/admin/keys", {"userId": str(user.id)}, key=ops).json
    assert (plain["scopes"], plain["origins"], plain["test"]) == (None, [], False)
    wrong = administered.send("POST", "/api/v1/admin/keys", {**sent, "scopes": []}, key=ops)
    assert (wrong.status, set(wrong.details)) == (400, {"scopes"})
