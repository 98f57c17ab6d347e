from datetime import UTC, datetime, timedelta

import pytest

from service.accounts.errors import AccountError
from service.accounts.store import Accounts, User
from service.config import Config


def test_an_address_is_one_user_however_it_is_written(accounts: Accounts, user: User) -> None:
    assert accounts.users.find(" ADA@example.com") == user
    with pytest.raises(AccountError, match="is a user already"):
        accounts.users.add("Ada@Example.com")
    assert accounts.users.list() == [user]


@pytest.mark.parametrize("email", ["", "ada", "ada@", "@example.com", "a b@example.com", "a\n@b.c", "a@b@c"])
def test_malformed_addresses_are_refused(accounts: Accounts, email: str) -> None:
    with pytest.raises(AccountError, match="not an e-mail address"):
        accounts.users.add(email)
    assert accounts.users.list() == []


def test_an_unknown_user_is_named(accounts: Accounts) -> None:
    with pytest.raises(AccountError, match="bob@example"):
        accounts.users.subscribe("bob@example.com", "pro")


def test_a_new_user_is_free_unless_said_otherwise(accounts: Accounts) -> None:
    assert not accounts.users.add("bob@example.com").pro


@pytest.mark.parametrize(
    ("plan", "days", "pro"),
    [("pro", None, True), ("pro", 1, True), ("pro", -1, False), ("free", None, False)],
)
def test_pro_lasts_until_its_end(
    accounts: Accounts, user: User, plan: str, days: int | None, pro: bool
) -> None:
    until = None if days is None else datetime.now(UTC) + timedelta(days=days)
    found = accounts.users.subscribe(user.email, "pro" if plan == "pro" else "free", until)
    assert (found.plan, found.until, found.pro) == (plan, until, pro)
    caller = accounts.authenticate(accounts.keys.issue(user.id))
    assert caller is not None
    assert caller.pro is pro


def test_moments_keep_their_zone(accounts: Accounts, user: User) -> None:
    there = datetime.fromisoformat("2030-06-01T10:00:00+02:00")
    found = accounts.users.subscribe(user.email, "pro", there).until
    assert found is not None
    assert found.isoformat() == "2030-06-01T08:00:00+00:00"


def test_a_removed_user_leaves_nothing(accounts: Accounts, user: User, config: Config) -> None:
    other = accounts.users.add("bob@example.com", "pro")
    keys = {owner.email: accounts.keys.issue(owner.id) for owner in (user, other)}
    kept = accounts.projects.save(other.id, "kept", {})
    gone = accounts.projects.save(user.id, "gone", {})
    uploads = [accounts.uploads.save(owner.id, b"picture", 1, 1) for owner in (user, other)]
    accounts.remove_user(user)
    assert accounts.authenticate(keys[user.email]) is None
    assert accounts.authenticate(keys[other.email]) is not None
    assert accounts.projects.get(gone.id) is None
    assert accounts.projects.get(kept.id) == kept
    assert [file.name for file in (config.data_dir / "uploads").iterdir()] == [str(uploads[1].id)]
    assert [found.email for found in accounts.users.list()] == [other.email]
    assert [key.email for key in accounts.keys.list()] == [other.email]
