import base64
import hmac
from datetime import UTC, datetime, timedelta, timezone
from typing import NoReturn

import pytest
from sqlalchemy import select, update

from service.accounts.errors import AccountError
from service.accounts.store import Accounts, Caller, User
from service.accounts.tables import api_keys
from service.config import Config
from service.errors import Code, MockupError
from service.plans import Plan


def test_a_key_is_32_random_bytes_behind_its_mark(accounts: Accounts, user: User) -> None:
    first, second = accounts.keys.issue(user.id), accounts.keys.issue(user.id)
    assert first != second
    assert first.startswith("sk_live_")
    assert len(base64.urlsafe_b64decode(first.removeprefix("sk_live_") + "=")) == 32


def test_a_key_identifies_its_holder(accounts: Accounts, user: User) -> None:
    key = accounts.keys.issue(user.id)
    assert accounts.authenticate(key) == Caller(user.id, "ada@example.com", key[:16], "pro", Plan())


def test_only_a_keyed_hash_is_stored(accounts: Accounts, user: User, config: Config) -> None:
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


def test_another_secret_recognises_no_key(accounts: Accounts, user: User, config: Config) -> None:
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
def test_unknown_keys_have_no_holder(accounts: Accounts, user: User, wrong: str) -> None:
    accounts.keys.issue(user.id)
    assert accounts.authenticate(wrong) is None


def test_nearly_correct_keys_have_no_holder(accounts: Accounts, user: User) -> None:
    key = accounts.keys.issue(user.id)
    swapped = key[:-2] + ("a" if key[-2] != "a" else "b") + key[-1]
    for wrong in (key[:-1], key + "A", key + "\n", " " + key, key.upper(), swapped):
        assert accounts.authenticate(wrong) is None


def test_a_revoked_key_is_invalid_in_all_instances_at_once(
    accounts: Accounts, user: User, config: Config
) -> None:
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


@pytest.mark.parametrize(
    ("prefix", "told"),
    [
        ("", "expected the key, or more"),
        ("sk_live_", "more of its beginning than sk_live_, got 'sk_live_'"),
        ("%", "expected the key, or more"),
        ("sk_live_AAAAAAAA", "no key begins with sk_live_AAAAAAAA"),
        ("sk_live_%", "no key begins with sk_live_%"),
        ("________________", "no key begins with ____"),
        ("sk_live_" + "~" * 43, "no key begins with sk_live_~~~~~~~~"),
    ],
)
def test_an_unknown_prefix_revokes_nothing(accounts: Accounts, user: User, prefix: str, told: str) -> None:
    key = accounts.keys.issue(user.id)
    with pytest.raises(AccountError, match=told):
        accounts.keys.revoke(prefix)
    assert accounts.authenticate(key) is not None


def issued(accounts: Accounts, user: User, monkeypatch: pytest.MonkeyPatch, *beginnings: str) -> list[str]:
    """Keys whose secret part begins with a given text."""
    made = []
    for beginning in beginnings:
        secret = (beginning + "x" * 43)[:43]
        monkeypatch.setattr("service.accounts.keys.secrets.token_urlsafe", lambda _, secret=secret: secret)
        made.append(accounts.keys.issue(user.id))
    return made


@pytest.mark.parametrize("length", [9, 10, 12, 16, 17, 30, 51])
def test_a_unique_prefix_identifies_a_key(
    accounts: Accounts, user: User, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    key, *others = issued(accounts, user, monkeypatch, "aB_dEfGh", "AB_dEfGh", "bB_dEfGh", "_B_dEfGh")
    assert accounts.keys.revoke(key[:length]).prefix == key[:16]
    assert accounts.authenticate(key) is None
    assert None not in map(accounts.authenticate, others), "case counts, and _ is no wildcard"


def test_an_ambiguous_prefix_is_refused(
    accounts: Accounts, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = issued(accounts, user, monkeypatch, "abcdXXXX", "abcdYYYY", "abcdZZZZ")
    with pytest.raises(AccountError, match="3 keys begin with sk_live_abcd: ") as caught:
        accounts.keys.revoke("sk_live_abcd")
    assert all(f"{key[:16]} of ada@example.com" in str(caught.value) for key in keys)
    assert None not in map(accounts.authenticate, keys)
    for key in keys[:2]:
        accounts.keys.revoke(key)
    assert accounts.keys.revoke("sk_live_abcd").prefix == keys[2][:16], "the others are revoked already"
    with pytest.raises(AccountError, match="3 keys begin with"):
        accounts.keys.revoke("sk_live_abcd")


def test_only_some_of_many_candidates_are_named(
    accounts: Accounts, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    issued(accounts, user, monkeypatch, *(f"ab{number:06}" for number in range(8)))
    with pytest.raises(AccountError, match=r"8 keys begin with sk_live_ab: .* and 3 more; give more of it"):
        accounts.keys.revoke("sk_live_ab")


def refuse(**_: bool) -> NoReturn:
    """Act as a database that is unavailable."""
    raise MockupError(Code.SERVER_BUSY, "The accounts are unavailable")


def expire(accounts: Accounts, key: str) -> None:
    """Set the key's end to now."""
    one = update(api_keys).where(api_keys.c.prefix == key[:16])
    with accounts.database.write() as connection:
        connection.execute(one.values(expires_at=datetime.now(UTC)))


def test_an_expired_key_has_no_holder(accounts: Accounts, user: User) -> None:
    end = datetime.now(UTC) + timedelta(days=1)
    key = accounts.keys.issue(user.id, "ci", end)
    (record,) = accounts.keys.list()
    assert (record.name, record.expires_at, record.valid) == ("ci", end, True)
    assert accounts.authenticate(key) is not None
    expire(accounts, key)
    assert accounts.authenticate(key) is None
    assert accounts.recall(key) is None
    assert not accounts.keys.list()[0].valid


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "a\nb", "a\u202eb"])
def test_names_of_keys_are_checked(accounts: Accounts, user: User, name: str) -> None:
    with pytest.raises(AccountError, match="1 to 100 printable"):
        accounts.keys.issue(user.id, name)
    assert accounts.keys.list() == []


def test_a_key_must_not_have_expired_already(accounts: Accounts, user: User) -> None:
    with pytest.raises(AccountError, match="2020-01-01 00:00:00 UTC is in the past"):
        accounts.keys.issue(user.id, None, datetime(2020, 1, 1, tzinfo=UTC))
    with pytest.raises(AccountError, match="2019-12-31 22:00:00 UTC is in the past"):
        accounts.keys.issue(user.id, None, datetime(2020, 1, 1, tzinfo=timezone(timedelta(hours=2))))


def test_rotated_keys_overlap(accounts: Accounts, user: User) -> None:
    old = accounts.keys.issue(user.id, "ci")
    new, record = accounts.keys.rotate(old[:16], timedelta(hours=24))
    assert record.expires_at is not None
    assert timedelta(hours=23) < record.expires_at - datetime.now(UTC) <= timedelta(hours=24)
    assert accounts.authenticate(old) is not None
    assert accounts.authenticate(new) == Caller(user.id, user.email, new[:16], "pro", Plan())
    names = {key.prefix: (key.name, key.expires_at) for key in accounts.keys.list()}
    assert names == {old[:16]: ("ci", record.expires_at), new[:16]: ("ci", None)}
    newest, _ = accounts.keys.rotate(new, timedelta())
    assert accounts.authenticate(new) is None
    assert accounts.authenticate(newest) is not None


def test_a_rotated_key_keeps_its_terms(accounts: Accounts, user: User) -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    old = accounts.keys.issue(user.id, None, soon)
    new, record = accounts.keys.rotate(old, timedelta(hours=24))
    assert record.expires_at == soon, "an overlap never prolongs a key"
    ends = {key.prefix: key.expires_at for key in accounts.keys.list()}
    end = ends[new[:16]]
    assert end is not None
    assert soon <= end <= datetime.now(UTC) + timedelta(hours=1)
    later = soon + timedelta(days=7)
    newest, _ = accounts.keys.rotate(new, timedelta(), later)
    assert {key.prefix: key.expires_at for key in accounts.keys.list()}[newest[:16]] == later


def test_ended_keys_are_not_rotated(accounts: Accounts, user: User) -> None:
    revoked, expired = accounts.keys.issue(user.id), accounts.keys.issue(user.id)
    accounts.keys.revoke(revoked)
    expire(accounts, expired)
    for key, ended in ((revoked, "revoked"), (expired, "expired")):
        with pytest.raises(AccountError, match=f"{key[:16]} of ada@example.com is {ended}; issue a new key"):
            accounts.keys.rotate(key, timedelta(days=1))
    assert len(accounts.keys.list()) == 2


def test_the_last_use_is_written_separately(
    accounts: Accounts, user: User, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, unused = accounts.keys.issue(user.id), accounts.keys.issue(user.id)

    def uses() -> dict[str, datetime | None]:
        return {found.prefix: found.last_used_at for found in accounts.keys.list()}

    before = datetime.now(UTC)
    assert accounts.authenticate(key) is not None
    assert uses() == {key[:16]: None, unused[:16]: None}, "not during the request"
    with Accounts(config) as later:
        assert later.authenticate(key) is not None
        later.keys.record_uses()
    written = uses()[key[:16]]
    assert written is not None
    assert before <= written <= datetime.now(UTC)
    accounts.keys.record_uses()
    assert uses() == {key[:16]: written, unused[:16]: None}, "an earlier use does not replace a later one"
    assert accounts.authenticate(key) is not None
    with monkeypatch.context() as broken:
        broken.setattr(accounts.database, "write", refuse)
        with pytest.raises(MockupError):
            accounts.keys.record_uses()
    assert uses()[key[:16]] == written
    accounts.keys.record_uses()
    again = uses()[key[:16]]
    assert again is not None
    assert again > written, "what could not be written was kept"
