"""Users and their subscriptions."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from ..limits import PAGE
from ..plans import FREE, Plan
from . import ends
from .database import Database
from .errors import AccountError, MissingError
from .pages import cut, ordered, uuid_position
from .tables import now, subscriptions, users

EMAIL = re.compile(r"[^\s@\x00-\x1f]{1,64}@[^\s@\x00-\x1f]{1,189}")


@dataclass(frozen=True, slots=True)
class User:
    """A user with an e-mail address and a plan, which ends at `until` unless that is None.

    `pro` says whether the plan was active and allowed rendering when the user was read.
    """

    id: UUID
    email: str
    plan: str
    until: datetime | None
    created_at: datetime
    pro: bool


def in_effect(plans: Mapping[str, Plan], name: str, until: datetime | None) -> str:
    """The plan in effect: `free` once the user's plan has ended, or if this service no longer has it."""
    return FREE if ends.has_come(until) or name not in plans else name


class Users:
    """All users of the service."""

    def __init__(self, database: Database, plans: Mapping[str, Plan]) -> None:
        self._database = database
        self._plans = plans

    def add(self, email: str, plan: str = "free", until: datetime | None = None) -> User:
        """Add a user; raises AccountError for an e-mail address taken or malformed, and an unknown plan."""
        self._check_plan(plan)
        email = email.strip().lower()
        if not EMAIL.fullmatch(email):
            raise AccountError(f"not an e-mail address: {email!r}", "email")
        user = User(uuid.uuid4(), email, plan, until, now(), self._renders(plan, until))
        try:
            with self._database.write() as connection:
                connection.execute(insert(users).values(id=user.id, email=email, created_at=user.created_at))
                connection.execute(insert(subscriptions).values(user_id=user.id, plan=plan, until=until))
        except IntegrityError as error:
            raise AccountError(f"{email} is a user already", "email") from error
        return user

    def find(self, email: str) -> User:
        """Find a user by e-mail address; raises MissingError if there is none."""
        return self._find(users.c.email == email.strip().lower(), email)

    def get(self, user_id: UUID) -> User:
        """Find a user by id; raises MissingError if there is none."""
        return self._find(users.c.id == user_id, str(user_id))

    def _find(self, condition: ColumnElement[bool], name: str) -> User:
        row = self._database.first(_joined().where(condition))
        if row is None:
            raise MissingError(f"no such user: {name}", "user_id")
        return self._user(row)

    def page(
        self, email: str | None = None, limit: int = PAGE, after: str | None = None
    ) -> tuple[list[User], str | None]:
        """Up to `limit` users, the oldest first, from `after` on, and the next page's `after`."""
        statement = _joined()
        if email is not None:
            statement = statement.where(users.c.email == email.strip().lower())
        columns = users.c.created_at, users.c.id
        statement = ordered(statement, columns, uuid_position(after)).limit(limit + 1)
        with self._database.read() as connection:
            found = [self._user(row) for row in connection.execute(statement)]
        return cut(found, limit, lambda user: (user.created_at, user.id.bytes))

    def list(self) -> list[User]:
        """All users, sorted by e-mail address."""
        with self._database.read() as connection:
            return [self._user(row) for row in connection.execute(_joined().order_by(users.c.email))]

    def subscribe(self, user_id: UUID, plan: str, until: datetime | None = None) -> User:
        """Set a user's plan and when it ends (an aware datetime, or None for never)."""
        self._check_plan(plan)
        statement = update(subscriptions).where(subscriptions.c.user_id == user_id)
        with self._database.write() as connection:
            connection.execute(statement.values(plan=plan, until=until))
            return self.get(user_id)

    def remove(self, user_id: UUID) -> None:
        """Remove a user, and with them the subscription, keys, projects and rows of stored files."""
        with self._database.write() as connection:
            connection.execute(delete(users).where(users.c.id == user_id))

    def _check_plan(self, plan: str) -> None:
        if plan not in self._plans:
            raise AccountError(f"expected one of {', '.join(self._plans)}, got {plan!r}", "plan")

    def _user(self, row: Row[Any]) -> User:
        renders = self._renders(row.plan, row.until)
        return User(row.id, row.email, row.plan, row.until, row.created_at, renders)

    def _renders(self, plan: str, until: datetime | None) -> bool:
        return self._plans[in_effect(self._plans, plan, until)].renders


def _joined() -> Select[Any]:
    columns = (users.c.id, users.c.email, subscriptions.c.plan, subscriptions.c.until, users.c.created_at)
    return select(*columns).join(subscriptions)
