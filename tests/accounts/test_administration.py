"""Changes by administrators: each is stored together with its audit entry, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError

from service.accounts.administration import Administration
from service.accounts.audit import Actor, Event
from service.accounts.errors import AccountError, MissingError
from service.accounts.store import Accounts, User
from service.accounts.tables import audit
from service.config import Config

ACTOR = Actor("ops@example.com", "sk_live_abcdefgh", "request-1")


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def administration(accounts: Accounts, told: list[Event]) -> Administration:
    return Administration(accounts, ACTOR, told.append)


def test_every_change_is_audited(
    accounts: Accounts, administration: Administration, told: list[Event]
) -> None:
    user = administration.add_user("ada@example.com")
    administration.subscribe(user.id, "pro", datetime(2099, 1, 1, tzinfo=UTC))
    text, key = administration.issue_key(user.id, "ci")
    new, made, old = administration.rotate_key(key.prefix, timedelta(hours=1))
    administration.revoke_key(made.prefix)
    project = administration.save_project(user.id, "Launch", {})
    administration.delete_project(project.id)
    assert administration.remove_user(user.id).id == user.id
    events, after = accounts.audit.page()
    assert after is None
    assert events == told[::-1]
    assert {(event.actor, event.key_prefix, event.request_id) for event in events} == {
        (ACTOR.name, ACTOR.key_prefix, ACTOR.request_id)
    }
    assert [(event.action, event.target) for event in told] == [
        ("users.add", "ada@example.com"),
        ("users.subscribe", "ada@example.com"),
        ("keys.issue", key.prefix),
        ("keys.rotate", made.prefix),
        ("keys.revoke", made.prefix),
        ("projects.save", str(project.id)),
        ("projects.delete", str(project.id)),
        ("users.remove", "ada@example.com"),
    ]
    assert told[1].details == {"plan": "pro", "until": "2099-01-01T00:00:00+00:00"}
    assert told[2].details == {"user": "ada@example.com", "name": "ci"}
    assert told[3].details["replaced"] == old.prefix == key.prefix
    assert not any(secret[16:] in str(event) for secret in (text, new) for event in events)


def test_a_change_without_its_entry_is_undone(
    accounts: Accounts,
    administration: Administration,
    user: User,
    told: list[Event],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = accounts.keys.issue(user.id)
    upload = accounts.uploads.save(user.id, b"picture", 1, 1)
    monkeypatch.setattr(accounts.audit, "add", lambda *_: 1 / 0)
    changes: list[Callable[[], Any]] = [
        lambda: administration.add_user("bob@example.com"),
        lambda: administration.subscribe(user.id, "free"),
        lambda: administration.issue_key(user.id),
        lambda: administration.rotate_key(key, timedelta()),
        lambda: administration.revoke_key(key),
        lambda: administration.remove_user(user.id),
    ]
    for change in changes:
        with pytest.raises(ZeroDivisionError):
            change()
    assert accounts.users.list() == [user]
    assert [found.valid for found in accounts.keys.list()] == [True]
    assert accounts.uploads.read(upload) == b"picture"
    assert told == accounts.audit.page()[0] == []


def test_a_refused_change_is_not_audited(
    accounts: Accounts, administration: Administration, user: User
) -> None:
    absent, past = uuid4(), datetime.now(UTC) - timedelta(seconds=1)
    refused: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: administration.add_user(user.email), AccountError, "email"),
        (lambda: administration.add_user("bob@example.com", "gold"), AccountError, "plan"),
        (lambda: administration.add_user("bob@example.com", "pro", past), AccountError, "until"),
        (lambda: administration.subscribe(absent, "pro"), MissingError, "user_id"),
        (lambda: administration.subscribe(user.id, "pro", past), AccountError, "until"),
        (lambda: administration.issue_key(absent), MissingError, "user_id"),
        (lambda: administration.issue_key(user.id, " "), AccountError, "name"),
        (lambda: administration.issue_key(user.id, None, past), AccountError, "expires_at"),
        (lambda: administration.rotate_key("sk_live_absent00", timedelta()), MissingError, "id"),
        (lambda: administration.revoke_key("sk_live_absent00"), MissingError, "id"),
        (lambda: administration.remove_user(absent), MissingError, "user_id"),
        (lambda: administration.delete_project(absent), MissingError, "id"),
    ]
    for change, kind, member in refused:
        with pytest.raises(kind) as caught:
            change()
        assert getattr(caught.value, "member", None) == member
    assert accounts.audit.page()[0] == []
    assert accounts.users.list() == [user]


def test_the_audit_can_only_grow(accounts: Accounts, administration: Administration) -> None:
    administration.add_user("ada@example.com")
    for statement in (update(audit).values(actor="nobody"), delete(audit)):
        with pytest.raises(IntegrityError, match="append-only"), accounts.database.write() as connection:
            connection.execute(statement)
    assert [event.actor for event in accounts.audit.page()[0]] == [ACTOR.name]


def test_the_audit_is_read_in_pages(accounts: Accounts, administration: Administration) -> None:
    emails = [f"user{number}@example.com" for number in range(5)]
    for email in emails:
        administration.add_user(email)
    seen, after = [], None
    while True:
        events, after = accounts.audit.page(2, after)
        seen.append([event.target for event in events])
        if after is None:
            break
    assert seen == [emails[:2:-1], emails[2:0:-1], emails[:1]]


def test_users_and_keys_are_read_in_pages(accounts: Accounts) -> None:
    users = [accounts.users.add(f"user{number}@example.com") for number in range(3)]
    keys = [accounts.keys.issue(user.id)[:16] for user in users for _ in range(2)]
    first, after = accounts.users.page(limit=2)
    last, end = accounts.users.page(limit=2, after=after)
    assert (first + last, end) == (users, None)
    assert accounts.users.page(" User1@example.com") == ([users[1]], None)
    found, after = accounts.keys.page(limit=4)
    rest, end = accounts.keys.page(limit=4, after=after)
    assert ([key.prefix for key in found + rest], end) == (keys, None)
    mine, end = accounts.keys.page(users[2].id, limit=2)
    assert ([key.prefix for key in mine], end) == (keys[4:], None)
    assert accounts.keys.page(after="A" * 32)[0] == found + rest
    assert accounts.keys.page(after="_" * 32) == ([], None)


def test_a_removed_user_leaves_nothing(
    accounts: Accounts, administration: Administration, user: User, config: Config
) -> None:
    other = accounts.users.add("bob@example.com", "pro")
    keys = {owner.email: accounts.keys.issue(owner.id) for owner in (user, other)}
    kept = accounts.projects.save(other.id, "kept", {})
    gone = accounts.projects.save(user.id, "gone", {})
    uploads = [accounts.uploads.save(owner.id, b"picture", 1, 1) for owner in (user, other)]
    administration.remove_user(user.id)
    assert accounts.authenticate(keys[user.email]) is None
    assert accounts.authenticate(keys[other.email]) is not None
    assert accounts.projects.get(gone.id) is None
    assert accounts.projects.get(kept.id) == kept
    assert [file.name for file in (config.data_dir / "uploads").iterdir()] == [str(uploads[1].id)]
    assert [found.email for found in accounts.users.list()] == [other.email]
    assert [key.email for key in accounts.keys.list()] == [other.email]
