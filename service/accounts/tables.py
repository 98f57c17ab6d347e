"""The tables as the newest migration leaves them; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    Uuid,
)
from sqlalchemy.engine import Dialect

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UTCDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored as UTC; SQLite has no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC for the database; raises ValueError for a naive datetime."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a datetime needs a time zone")
        return value and value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return UTC, adding the time zone if the database has none."""
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


users = Table(
    "users",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("email", String(254), nullable=False, unique=True),
    Column("created_at", UTCDateTime, nullable=False),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("user_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("plan", String(16), nullable=False),
    Column("until", UTCDateTime),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("prefix", String(16), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("user_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", UTCDateTime, nullable=False),
    Column("revoked_at", UTCDateTime),
    Column("name", String(100)),
    Column("expires_at", UTCDateTime),
    Column("last_used_at", UTCDateTime),
    Column("scopes", String(100)),
    Column("origins", Text),
    Column("link_id", String(12)),
    Index(None, "user_id"),
    Index(None, "link_id", unique=True),
)

projects = Table(
    "projects",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("user_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(200), nullable=False),
    Column("settings", Text, nullable=False),
    Column("created_at", UTCDateTime, nullable=False),
    Column("updated_at", UTCDateTime, nullable=False),
    Column("parts", Text),
    Index("ix_projects_pages", "user_id", "created_at", "id"),
)


def _expiring(name: str, *parts: Column[Any] | Index) -> Table:
    """A table of a user's temporary files: rows are removed with the user, or when they have expired."""
    return Table(
        name,
        metadata,
        Column("id", Uuid, primary_key=True),
        Column("user_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        *parts,
        Column("expires_at", UTCDateTime, nullable=False),
        Index(None, "user_id"),
        Index(None, "expires_at"),
    )


uploads = _expiring(
    "uploads",
    Column("size", BigInteger, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
)

results = _expiring(
    "results",
    Column("size", BigInteger, nullable=False),
    Column("headers", Text, nullable=False),
)

# Requests that are answered once; those without a result are under way.
idempotency_keys = _expiring(
    "idempotency_keys",
    Column("digest", String(64), nullable=False),
    Column("result_id", Uuid),
)

# The `length` of a still picture is 0.
recordings = _expiring(
    "recordings",
    Column("size", BigInteger, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("length", Float, nullable=False),
    Column("fps", Float, nullable=False),
)

# The instance that makes a film holds the `claim` until `due`; waiting films have neither.
films = _expiring(
    "films",
    Column("status", String(16), nullable=False),
    Column("request", Text, nullable=False),
    Column("recording_id", Uuid, nullable=False),
    Column("frame", Integer, nullable=False),
    Column("frames", Integer, nullable=False),
    Column("fps", Integer, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("outcome", Text),
    Column("attempts", Integer, nullable=False),
    Column("claim", Uuid),
    Column("due", UTCDateTime),
    Column("created_at", UTCDateTime, nullable=False),
    Column("started_at", UTCDateTime),
    Column("webhook", Text),
    Column("webhook_due", UTCDateTime),
    Column("webhook_tries", Integer, nullable=False),
    Index(None, "status", "created_at"),
)

# Rows are only ever added; triggers in the database ensure this.
audit = Table(
    "audit",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("at", UTCDateTime, nullable=False),
    Column("actor", String(300), nullable=False),
    Column("key_prefix", String(16)),
    Column("request_id", String(128)),
    Column("action", String(32), nullable=False),
    Column("target", String(300), nullable=False),
    Column("details", Text, nullable=False),
    Index(None, "at", "id"),
)

# Rows are written and deleted to probe whether the database is writable.
trials = Table(
    "trials",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("filler", Text, nullable=False),
)


def now() -> datetime:
    """The current time in UTC."""
    return datetime.now(UTC)
