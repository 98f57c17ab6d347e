import base64
import hmac
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from service.accounts.errors import AccountError
from service.accounts.store import Accounts, Caller, User
from service.accounts.tables import api_keys
from service.config import Config


def test_a_key_is_32_random_bytes_behind_its_mark(accounts: Accounts, user: User) -> None:
    first, second = accounts.keys.issue(user.id), accounts.keys.issue(user.id)
    assert first != second
    assert first.startswith("sk_live_")
    assert len(base64.urlsafe_b64decode(first.removeprefix("sk_live_") + "=")) == 32


def test_a_key_tells_who_calls(accounts: Accounts, user: User) -> None:
    key = accounts.keys.issue(user.id)
    assert accounts.authenticate(key) == Caller(user.id, "ada@example.com", key[:16], pro=True)


def test_only_a_keyed_hash_is_kept(accounts: Accounts, user: User, config: Config) -> None:
    key = accounts.keys.issue(user.id)
    secret = (config.data_dir / "key.secret").read_text().strip()
    with accounts.database.read() as connection:
        assert (
            connection.execute(select(api_keys.c.hash)).scalar()
            == hmac.digest(secret.encode(), key.encode(), "sha256").hex()
        )
    accounts.close()
    for file in config.data_dir.iterdir():
        assert key[16:].encode() not in file.read_bytes()


def test_another_secret_knows_no_key(accounts: Accounts, user: User, config: Config) -> None:
    key = accounts.keys.issue(user.id)
    with Accounts(config.model_copy(update={"key_secret": Config(key_secret="x" * 32).key_secret})) as other:
        assert other.authenticate(key) is None


def test_hashes_are_compared_in_constant_time(
    accounts: Accounts, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = accounts.keys.issue(user.id)
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: False)
    assert accounts.authenticate(key) is None


@pytest.mark.parametrize(
    "wrong", ["", "sk_live_", "x", "é" * 51, "sk_live_" + "A" * 43, "sk_test_" + "A" * 43]
)
def test_other_keys_are_nobodys(accounts: Accounts, user: User, wrong: str) -> None:
    accounts.keys.issue(user.id)
    assert accounts.authenticate(wrong) is None


def test_near_misses_are_nobodys(accounts: Accounts, user: User) -> None:
    key = accounts.keys.issue(user.id)
    swapped = key[:-2] + ("a" if key[-2] != "a" else "b") + key[-1]
    for wrong in (key[:-1], key + "A", key + "\n", " " + key, key.upper(), swapped):
        assert accounts.authenticate(wrong) is None


def test_a_revoked_key_is_nobodys_everywhere_at_once(accounts: Accounts, user: User, config: Config) -> None:
    key, other = accounts.keys.issue(user.id), accounts.keys.issue(user.id)
    with Accounts(config) as elsewhere:
        assert elsewhere.authenticate(key) is not None
        revoked = accounts.keys.revoke(key[:16])
        assert elsewhere.authenticate(key) is None
        assert elsewhere.authenticate(other) is not None
    assert accounts.authenticate(key) is None
    assert revoked.revoked_at is not None
    assert revoked.revoked_at <= datetime.now(UTC)
    assert accounts.keys.revoke(key) == revoked, "revoking again changes nothing; a whole key is taken too"
    assert {key.prefix: key.revoked_at for key in accounts.keys.list()} == {
        key[:16]: revoked.revoked_at,
        other[:16]: None,
    }


@pytest.mark.parametrize("prefix", ["", "sk_live_", "sk_live_AAAAAAAA", "%"])
def test_an_unknown_prefix_revokes_nothing(accounts: Accounts, user: User, prefix: str) -> None:
    key = accounts.keys.issue(user.id)
    with pytest.raises(AccountError, match="no key begins with"):
        accounts.keys.revoke(prefix)
    assert accounts.authenticate(key) is not None
