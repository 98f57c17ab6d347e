from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from service.accounts.errors import AccountError, MissingError
from service.accounts.store import Accounts, User


def test_spellings_of_an_address_are_one_user(accounts: Accounts, user: User) -> None:
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
    with pytest.raises(MissingError, match="bob@example"):
        accounts.users.find("bob@example.com")
    absent = uuid4()
    with pytest.raises(MissingError, match=str(absent)):
        accounts.users.subscribe(absent, "pro")


def test_a_new_user_has_the_free_plan_by_default(accounts: Accounts) -> None:
    assert not accounts.users.add("bob@example.com").pro


@pytest.mark.parametrize(
    ("plan", "days", "pro"),
    [("pro", None, True), ("pro", 1, True), ("pro", -1, False), ("free", None, False)],
)
def test_pro_lasts_until_its_end(
    accounts: Accounts, user: User, plan: str, days: int | None, pro: bool
) -> None:
    until = None if days is None else datetime.now(UTC) + timedelta(days=days)
    found = accounts.users.subscribe(user.id, "pro" if plan == "pro" else "free", until)
    assert (found.plan, found.until, found.pro) == (plan, until, pro)
    caller = accounts.authenticate(accounts.keys.issue(user.id))
    assert caller is not None
    assert caller.plan.renders is pro


def test_moments_keep_their_zone(accounts: Accounts, user: User) -> None:
    there = datetime.fromisoformat("2030-06-01T10:00:00+02:00")
    found = accounts.users.subscribe(user.id, "pro", there).until
    assert found is not None
    assert found.isoformat() == "2030-06-01T08:00:00+00:00"
