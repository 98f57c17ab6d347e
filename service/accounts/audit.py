"""The audit: changes and who made them, in a table that can only grow."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Row, insert, select

from ..limits import PAGE
from .database import Database
from .pages import cut, ordered, uuid_position
from .tables import audit, now


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a change: an administrator with a key and a request, or a user of the command line."""

    name: str
    key_prefix: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A change: `action` such as `keys.issue`, `target` an e-mail address, a key's prefix or an id."""

    id: UUID
    at: datetime
    actor: str
    key_prefix: str | None
    request_id: str | None
    action: str
    target: str
    details: dict[str, Any]


class Audit:
    """All events; each is added in the same transaction as its change."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, actor: Actor, action: str, target: str, details: dict[str, Any]) -> Event:
        """Add an event; `details` can be written as JSON and contain no secret."""
        text = orjson.dumps(details).decode()
        said = orjson.loads(text)
        who = actor.name, actor.key_prefix, actor.request_id
        event = Event(uuid.uuid4(), now(), *who, action, target, said)
        with self._database.write() as connection:
            connection.execute(insert(audit).values(asdict(event) | {"details": text}))
        return event

    def page(self, limit: int = PAGE, after: str | None = None) -> tuple[list[Event], str | None]:
        """Up to `limit` events after the cursor `after`, the newest first, and the next page's cursor."""
        columns = audit.c.at, audit.c.id
        statement = ordered(select(audit), columns, uuid_position(after), newest_first=True)
        with self._database.read() as connection:
            found = [_event(row) for row in connection.execute(statement.limit(limit + 1))]
        return cut(found, limit, lambda event: (event.at, event.id.bytes))


def _event(row: Row[Any]) -> Event:
    return Event(**{**row._asdict(), "details": orjson.loads(row.details)})
