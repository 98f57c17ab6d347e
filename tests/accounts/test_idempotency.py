"""Claims on idempotency keys, so that each request is answered once."""

from __future__ import annotations

import uuid

import pytest

from service.accounts.idempotency import Claim, IdempotencyKeys
from service.accounts.store import Accounts, User
from service.accounts.tables import idempotency_keys
from service.errors import Code, MockupError


@pytest.fixture
def keys(accounts: Accounts) -> IdempotencyKeys:
    return IdempotencyKeys(accounts.database, 2, 60)


def test_a_request_is_claimed_once_and_has_a_result(keys: IdempotencyKeys, user: User) -> None:
    assert not keys.knows(user.id, "one")
    assert keys.claim(user.id, "one", "digest", 60) == Claim(new=True)
    assert keys.knows(user.id, "one")
    assert keys.claim(user.id, "one", "digest", 60) == Claim(new=False)
    result = uuid.uuid4()
    keys.settle(user.id, "one", result)
    assert keys.claim(user.id, "one", "digest", 60) == Claim(new=False, result=result)
    keys.sweep()
    assert keys.knows(user.id, "one")


def test_each_user_has_a_namespace_of_keys(keys: IdempotencyKeys, accounts: Accounts, user: User) -> None:
    other = accounts.users.add("bob@example.com")
    assert keys.claim(user.id, "one", "digest", 60).new
    assert not keys.knows(other.id, "one")
    assert keys.claim(other.id, "one", "another digest", 60).new
    assert not keys.knows(user.id, "two")


def test_a_key_belongs_to_one_request(keys: IdempotencyKeys, user: User) -> None:
    keys.claim(user.id, "one", "digest", 60)
    with pytest.raises(MockupError) as refused:
        keys.claim(user.id, "one", "another", 60)
    assert refused.value.code is Code.KEY_REUSED


def test_a_claim_that_is_given_up_or_has_expired_can_be_made_again(keys: IdempotencyKeys, user: User) -> None:
    keys.claim(user.id, "one", "digest", 60)
    keys.release(user.id, "one")
    assert not keys.knows(user.id, "one")
    keys.claim(user.id, "one", "digest", -1)
    assert not keys.knows(user.id, "one")
    assert keys.claim(user.id, "one", "another", 60).new


def test_keys_per_user_are_limited(keys: IdempotencyKeys, accounts: Accounts, user: User) -> None:
    keys.claim(user.id, "gone", "digest", -1)
    keys.claim(user.id, "one", "digest", 60)
    keys.claim(user.id, "two", "digest", 60)
    with pytest.raises(MockupError, match="at most 2 keys at a time, which expire after 60 seconds"):
        keys.claim(user.id, "three", "digest", 60)
    assert keys.claim(accounts.users.add("bob@example.com").id, "three", "digest", 60).new


def test_expired_keys_are_swept(keys: IdempotencyKeys, accounts: Accounts, user: User) -> None:
    keys.claim(user.id, "gone", "digest", -1)
    keys.claim(user.id, "one", "digest", 60)
    keys.sweep()
    with accounts.database.read() as connection:
        assert len(connection.execute(idempotency_keys.select()).all()) == 1
