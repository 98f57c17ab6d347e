"""Users and their subscriptions."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import Row, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from service.accounts.database import Database
from service.accounts.errors import AccountError
from service.accounts.tables import now, subscriptions, users

Plan = Literal["pro", "free"]

EMAIL = re.compile(r"[^\s@\x00-\x1f]{1,64}@[^\s@\x00-\x1f]{1,189}")


@dataclass(frozen=True, slots=True)
class User:
    """A user with an e-mail address and a plan, which ends at `until` unless that is None."""

    id: UUID
    email: str
    plan: Plan
    until: datetime | None
    created_at: datetime

    @property
    def pro(self) -> bool:
        """Whether a Pro subscription is active now."""
        return is_active(self.plan, self.until)


def is_active(plan: str | None, until: datetime | None) -> bool:
    """Whether a plan is Pro and has not ended."""
    return plan == "pro" and (until is None or until > now())


class Users:
    """All users of the service."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, email: str, plan: Plan = "free") -> User:
        """Add a user; raises AccountError if the e-mail address is taken or malformed."""
        email = email.strip().lower()
        if not EMAIL.fullmatch(email):
            raise AccountError(f"not an e-mail address: {email!r}")
        user = User(uuid.uuid4(), email, plan, None, now())
        try:
            with self._database.write() as connection:
                connection.execute(insert(users).values(id=user.id, email=email, created_at=user.created_at))
                connection.execute(insert(subscriptions).values(user_id=user.id, plan=plan))
        except IntegrityError as error:
            raise AccountError(f"{email} is a user already") from error
        return user

    def find(self, email: str) -> User:
        """Find a user by e-mail address; raises AccountError if there is none."""
        statement = _joined().where(users.c.email == email.strip().lower())
        with self._database.read() as connection:
            row = connection.execute(statement).first()
        if row is None:
            raise AccountError(f"no such user: {email}")
        return _user(row)

    def list(self) -> list[User]:
        """All users, sorted by e-mail address."""
        with self._database.read() as connection:
            return [_user(row) for row in connection.execute(_joined().order_by(users.c.email))]

    def subscribe(self, email: str, plan: Plan, until: datetime | None = None) -> User:
        """Set a user's plan and when it ends (an aware datetime, or None for never)."""
        user = self.find(email)
        statement = update(subscriptions).where(subscriptions.c.user_id == user.id)
        with self._database.write() as connection:
            connection.execute(statement.values(plan=plan, until=until))
        return self.find(email)

    def remove(self, user_id: UUID) -> None:
        """Remove a user, and with them the subscription, keys, projects and rows of uploads."""
        with self._database.write() as connection:
            connection.execute(delete(users).where(users.c.id == user_id))


def _joined() -> Select[Any]:
    columns = (users.c.id, users.c.email, subscriptions.c.plan, subscriptions.c.until, users.c.created_at)
    return select(*columns).join(subscriptions)


def _user(row: Row[Any]) -> User:
    return User(row.id, row.email, row.plan, row.until, row.created_at)
