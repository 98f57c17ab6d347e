"""API keys: shown once, stored as keyed hashes, rotated and revoked by any unique prefix."""

from __future__ import annotations

import hmac
import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from cachetools import TTLCache
from sqlalchemy import Connection, Row, Select, bindparam, func, insert, or_, select, update

from ..errors import MockupError
from ..limits import KEY_NAME_LENGTH, MEMORY_S, PAGE, REMEMBERED
from ..plans import Plan
from . import ends, links
from .database import Database, cause
from .errors import AccountError, MissingError
from .grants import EVERYTHING, LIVE, MARKS, Grant, stored
from .pages import cut, ordered, position
from .tables import api_keys, now, subscriptions, users
from .users import in_effect

PREFIX_LENGTH = 16
# Keys listed in the message when a prefix is ambiguous.
SHOWN = 5
log = structlog.get_logger(__name__)
# 32 random bytes are 43 characters of base64url without padding.
FORM = re.compile(rf"(?:{'|'.join(MARKS)})[A-Za-z0-9_-]{{43}}")
# The form of a prefix.
PREFIX = rf"(?:{'|'.join(MARKS)})[A-Za-z0-9_-]{{8}}"


@dataclass(frozen=True, slots=True)
class Caller:
    """The holder of a valid key, and the plan that applies to them now, with its name."""

    user_id: UUID
    email: str
    key_prefix: str
    plan_name: str
    plan: Plan
    grant: Grant = EVERYTHING

    @property
    def counted_as(self) -> str:
        """The name under which the user's requests are counted; a key for tests has a count of its own."""
        return f"test:{self.user_id}" if self.grant.test else self.owner

    @property
    def owner(self) -> str:
        """The name under which the user's share of resources is counted."""
        return user_owner(self.user_id)


@dataclass(frozen=True, slots=True)
class Key:
    """The record of an issued key, without the key itself."""

    prefix: str
    email: str
    created_at: datetime
    revoked_at: datetime | None
    name: str | None
    expires_at: datetime | None
    last_used_at: datetime | None
    user_id: UUID
    grant: Grant = EVERYTHING

    @property
    def valid(self) -> bool:
        """Whether the key is neither revoked nor expired."""
        return self.revoked_at is None and not ends.has_come(self.expires_at)


# One statement updates any number of keys, and keeps a later use that another process has written.
USED = (
    update(api_keys)
    .where(
        api_keys.c.prefix == bindparam("key"),
        or_(api_keys.c.last_used_at.is_(None), api_keys.c.last_used_at < bindparam("moment")),
    )
    .values(last_used_at=bindparam("moment"))
)
# These statements are built once, because one of them runs for every request.
_HOLDERS: Select[Any] = (
    select(
        api_keys.c.hash,
        api_keys.c.prefix,
        api_keys.c.user_id,
        api_keys.c.expires_at,
        api_keys.c.scopes,
        api_keys.c.origins,
        users.c.email,
        subscriptions.c.plan,
        subscriptions.c.until,
    )
    .select_from(api_keys.join(users).join(subscriptions))
    .where(api_keys.c.revoked_at.is_(None))
)
LOOKUP = _HOLDERS.where(api_keys.c.hash == bindparam("name"))
BY_LINK = _HOLDERS.where(api_keys.c.link_id == bindparam("name"))


class Keys:
    """The issued keys; hashes are keyed with `secret`, so a stolen database alone is useless."""

    def __init__(self, database: Database, secret: str, plans: Mapping[str, Plan]) -> None:
        self._database = database
        self._plans = plans
        self._secret = secret
        self._keyed = hmac.new(secret.encode(), digestmod="sha256")
        self._holders: TTLCache[str, Row[Any]] = TTLCache(REMEMBERED, MEMORY_S)
        self._reachable = True
        self._used: dict[str, datetime] = {}
        self._lock = threading.Lock()

    def issue(
        self,
        user_id: UUID,
        name: str | None = None,
        expires_at: datetime | None = None,
        grant: Grant = EVERYTHING,
    ) -> str:
        """Issue a new key for a user, valid until `expires_at`; it cannot be shown again.

        Raises AccountError for an empty or overlong name and an end in the past.
        """
        _check(name, expires_at)
        with self._database.write() as connection:
            return self._insert(connection, user_id, name, expires_at, grant)

    def rotate(self, text: str, overlap: timedelta, expires_at: datetime | None = None) -> tuple[str, Key]:
        """Replace a key, which stays valid for `overlap`; returns the new key and the old one's record.

        The new key has the old one's holder and name, and lasts as long unless `expires_at` is given.
        """
        with self._database.write() as connection:
            old = _chosen(connection, text)
            if not old.valid:
                ended = "revoked" if old.revoked_at else "expired"
                raise AccountError(f"{old.prefix} of {old.email} is {ended}; issue a new key instead", "id")
            moment = now()
            if expires_at is None and old.expires_at is not None:
                expires_at = moment + (old.expires_at - old.created_at)
            _check(old.name, expires_at)
            end = moment + overlap
            old = replace(old, expires_at=min(end, old.expires_at or end))
            one = api_keys.c.prefix == old.prefix
            connection.execute(update(api_keys).where(one).values(expires_at=old.expires_at))
            new = self._insert(connection, old.user_id, old.name, expires_at, old.grant)
            # Links are signed with a secret of their own, and stay valid.
            link_id = connection.scalar(select(api_keys.c.link_id).where(one))
            connection.execute(update(api_keys).where(one).values(link_id=None))
            replaced = api_keys.c.prefix == new[:PREFIX_LENGTH]
            connection.execute(update(api_keys).where(replaced).values(link_id=link_id))
            return new, old

    def issue_link_secret(self, text: str) -> tuple[str, Key]:
        """Replace the secret that signs a key's links; returns the new secret and the key's record.

        Raises AccountError for a key that pages hold, one that may not render and one that is not valid.
        """
        with self._database.write() as connection:
            key = _chosen(connection, text)
            if not key.valid:
                raise AccountError(f"{key.prefix} of {key.email} is revoked or expired", "id")
            if key.grant.origins or not key.grant.permits("render"):
                raise AccountError(f"{key.prefix} is for pages or may not render, and has no links", "id")
            link_id = links.new_id()
            one = api_keys.c.prefix == key.prefix
            connection.execute(update(api_keys).where(one).values(link_id=link_id))
        return links.secret_of(self._secret, link_id), key

    def signed(self, given: str, signed: str) -> bool:
        """Whether a link is signed with its secret; the key's validity is not checked."""
        link_id = links.signer(given)
        expected = links.signature(links.secret_of(self._secret, link_id), signed) if link_id else ""
        return hmac.compare_digest(expected, given)

    def by_link(self, link_id: str) -> Caller | None:
        """The holder of the key that a link secret belongs to; None if there is none or it has ended."""
        row = self._holder(BY_LINK, link_id)
        return None if row is None else self._caller(row)

    def _insert(
        self,
        connection: Connection,
        user_id: UUID,
        name: str | None,
        expires_at: datetime | None,
        grant: Grant,
    ) -> str:
        key = grant.mark + secrets.token_urlsafe(32)
        row = {
            "prefix": key[:PREFIX_LENGTH],
            "hash": self._hash(key),
            "user_id": user_id,
            "created_at": now(),
            "name": name,
            "expires_at": expires_at,
            **grant.columns,
        }
        connection.execute(insert(api_keys).values(row))
        return key

    def authenticate(self, key: str) -> Caller | None:
        """The holder of a key; None if it is malformed, unknown, revoked or expired."""
        if not is_formed(key):
            return None
        digest = self._hash(key)
        row = self._holder(LOOKUP, digest)
        return self._caller(row) if row is not None and hmac.compare_digest(row.hash, digest) else None

    def _holder(self, statement: Select[Any], name: str) -> Row[Any] | None:
        """The row found by `name`, a hash or an id; None if there is none or it has ended."""
        row, fresh = self._look_up(statement, name)
        if row is None or ends.has_come(row.expires_at):
            with self._lock:
                self._holders.pop(name, None)
            return None
        with self._lock:
            # Do not extend the time for which a holder from memory is remembered.
            if fresh:
                self._holders[name] = row
            self._used[row.prefix] = now()
        return row

    def _look_up(self, statement: Select[Any], name: str) -> tuple[Row[Any] | None, bool]:
        """The key's row, and whether it was read now; otherwise, it was read within the last minute."""
        try:
            row = self._database.first(statement, {"name": name})
        except MockupError as error:
            with self._lock:
                remembered = self._holders.get(name)
                first, self._reachable = self._reachable, False
            if first:
                log.warning("database unavailable, only recently used keys are accepted", cause=cause(error))
            if remembered is None:
                raise
            return remembered, False
        with self._lock:
            recovered, self._reachable = not self._reachable, True
        if recovered:
            log.info("database available again")
        return row, True

    def recall(self, key: str) -> Caller | None:
        """The holder of a valid key that was seen within the last minute, from memory alone.

        The key may have been revoked since, so never grant access based on this.
        """
        if not is_formed(key):
            return None
        digest = self._hash(key)
        with self._lock:
            row = self._holders.get(digest)
        return None if row is None else self._caller(row)

    def _caller(self, row: Row[Any]) -> Caller:
        name = in_effect(self._plans, row.plan, row.until)
        grant, plan = stored(row.prefix, row.scopes, row.origins), self._plans[name]
        if grant.test and not plan.renders:
            plan = plan.model_copy(update={"renders": True})
        return Caller(row.user_id, row.email, row.prefix, name, plan, grant)

    def record_uses(self) -> None:
        """Write when keys were last used, as noted in memory since the previous call.

        Called every minute, outside of requests. If the database is unavailable, the times are kept.
        """
        with self._lock:
            used, self._used = self._used, {}
        if not used:
            return
        try:
            # In a fixed order, so that instances do not lock each other out.
            rows = [{"key": prefix, "moment": used[prefix]} for prefix in sorted(used)]
            with self._database.write(impatient=True) as connection:
                connection.execute(USED, rows)
        except BaseException:
            with self._lock:
                self._used = used | self._used
            raise

    def revoke(self, text: str) -> Key:
        """Revoke a key immediately; `text` is the whole key or a unique prefix.

        Keys revoked earlier do not make a prefix ambiguous; revoking one again changes nothing.
        """
        with self._database.write() as connection:
            key = _chosen(connection, text)
            if key.revoked_at is None:
                key = replace(key, revoked_at=now())
                one = api_keys.c.prefix == key.prefix
                connection.execute(update(api_keys).where(one).values(revoked_at=key.revoked_at))
        return key

    def page(
        self, user_id: UUID | None = None, limit: int = PAGE, after: str | None = None
    ) -> tuple[list[Key], str | None]:
        """Up to `limit` keys of a user or of all, the oldest first, from `after` on, and the next `after`."""
        statement = _listed()
        if user_id is not None:
            statement = statement.where(api_keys.c.user_id == user_id)
        found = position(after)
        # No prefix has other characters, and PostgreSQL takes no text with a null.
        last = found and (found[0], found[1].decode("latin-1").replace("\0", " "))
        statement = ordered(statement, (api_keys.c.created_at, api_keys.c.prefix), last).limit(limit + 1)
        with self._database.read() as connection:
            keys = [_key(row) for row in connection.execute(statement)]
        return cut(keys, limit, lambda key: (key.created_at, key.prefix.encode("latin-1")))

    def find(self, text: str) -> Key:
        """The record of a key, of which the first 16 characters are enough; raises MissingError."""
        prefix = text[:PREFIX_LENGTH]
        row = self._database.first(_listed().where(api_keys.c.prefix == prefix))
        if row is None:
            raise MissingError(f"no key begins with {prefix}", "id")
        return _key(row)

    def list(self) -> list[Key]:
        """All keys, the oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(_listed().order_by(api_keys.c.created_at, api_keys.c.prefix))
            return [_key(row) for row in rows]

    def _hash(self, key: str) -> str:
        # hmac.digest releases the interpreter lock; reacquiring it under load takes far longer than the hash.
        keyed = self._keyed.copy()
        keyed.update(key.encode())
        return keyed.hexdigest()


def user_owner(user_id: UUID) -> str:
    """The name under which a user's share of resources and rate limits are counted."""
    return f"user:{user_id}"


def is_formed(key: str) -> bool:
    """Whether `key` is well-formed; any other text was never issued."""
    return FORM.fullmatch(key) is not None


def _check(name: str | None, expires_at: datetime | None) -> None:
    if name is not None and not (name.strip() and len(name) <= KEY_NAME_LENGTH and name.isprintable()):
        raise AccountError(f"a key's name has 1 to {KEY_NAME_LENGTH} printable characters", "name")
    ends.check(expires_at, "expires_at", "revoke a key to end it at once")


def _chosen(connection: Connection, text: str) -> Key:
    """The key that begins with `text`, locked; raises MissingError or, for several, AccountError.

    Revoked and expired keys do not make a prefix ambiguous.
    """
    if len(text) <= len(LIVE):
        raise AccountError(f"expected the key, or more of its beginning than {LIVE}, got {text!r}")
    # Case-sensitive and without wildcards, unlike LIKE on some databases.
    begin = text[:PREFIX_LENGTH]
    same = func.substr(api_keys.c.prefix, 1, len(begin)) == begin
    found = [_key(row) for row in connection.execute(_listed().where(same).with_for_update(of=api_keys))]
    chosen = [key for key in found if key.valid] or found
    if not chosen:
        raise MissingError(f"no key begins with {begin}", "id")
    if len(chosen) > 1:
        names = ", ".join(f"{key.prefix} of {key.email}" for key in chosen[:SHOWN])
        more = f" and {len(chosen) - SHOWN} more" if len(chosen) > SHOWN else ""
        raise AccountError(f"{len(chosen)} keys begin with {begin}: {names}{more}; give more of it")
    return chosen[0]


def _key(row: Row[Any]) -> Key:
    facts = row._asdict()
    scopes, origins = facts.pop("scopes"), facts.pop("origins")
    return Key(**facts, grant=stored(row.prefix, scopes, origins))


def _listed() -> Select[Any]:
    columns = (
        api_keys.c.prefix,
        users.c.email,
        api_keys.c.created_at,
        api_keys.c.revoked_at,
        api_keys.c.name,
        api_keys.c.expires_at,
        api_keys.c.last_used_at,
        api_keys.c.user_id,
        api_keys.c.scopes,
        api_keys.c.origins,
    )
    return select(*columns).join(users)
