"""Changes to accounts by those who run the service; each is a transaction with its entry in the audit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from service.accounts import ends
from service.accounts.audit import Actor, Event
from service.accounts.errors import MissingError
from service.accounts.keys import Key
from service.accounts.projects import Project
from service.accounts.store import Accounts
from service.accounts.users import User


class Administration:
    """What the command line and `/api/v1/admin` do, in the name of `actor`.

    `told` is called with each event after its transaction.
    """

    def __init__(
        self, accounts: Accounts, actor: Actor, told: Callable[[Event], object] = lambda event: None
    ) -> None:
        self._accounts = accounts
        self._actor = actor
        self._told = told

    def add_user(self, email: str, plan: str = "free", until: datetime | None = None) -> User:
        """Add a user; raises AccountError if the e-mail address is taken or malformed, or `until` past."""
        ends.check(until, "until", "the plan free ends a subscription at once")
        with self._accounts.database.write():
            user = self._accounts.users.add(email, plan, until)
            event = self._event("users.add", user.email, plan=plan, until=until)
        self._told(event)
        return user

    def subscribe(self, user_id: UUID, plan: str, until: datetime | None = None) -> User:
        """Set a user's plan and its end; raises MissingError, and AccountError for an end in the past."""
        ends.check(until, "until", "the plan free ends a subscription at once")
        with self._accounts.database.write():
            user = self._accounts.users.subscribe(user_id, plan, until)
            event = self._event("users.subscribe", user.email, plan=plan, until=until)
        self._told(event)
        return user

    def remove_user(self, user_id: UUID) -> User:
        """Remove a user with everything they own; raises MissingError."""
        with self._accounts.database.write():
            user = self._accounts.users.get(user_id)
            owned = self._accounts.uploads.ids(user_id)
            self._accounts.users.remove(user_id)
            event = self._event("users.remove", user.email, id=user.id)
        # Once the rows are gone for good.
        self._accounts.uploads.remove_files(owned)
        self._told(event)
        return user

    def issue_key(
        self, user_id: UUID, name: str | None = None, expires_at: datetime | None = None
    ) -> tuple[str, Key]:
        """Issue a key: the key, which cannot be shown again, and its record; raises MissingError."""
        with self._accounts.database.write():
            user = self._accounts.users.get(user_id)
            text = self._accounts.keys.issue(user_id, name, expires_at)
            key = self._accounts.keys.find(text)
            event = self._event("keys.issue", key.prefix, user=user.email, name=name, expires=expires_at)
        self._told(event)
        return text, key

    def rotate_key(
        self, text: str, overlap: timedelta, expires_at: datetime | None = None
    ) -> tuple[str, Key, Key]:
        """Issue a key in place of another: the new key, its record and that of the old one."""
        with self._accounts.database.write():
            made, old = self._accounts.keys.rotate(text, overlap, expires_at)
            key = self._accounts.keys.find(made)
            event = self._event(
                "keys.rotate",
                key.prefix,
                user=old.email,
                replaced=old.prefix,
                validUntil=old.expires_at,
                expires=key.expires_at,
            )
        self._told(event)
        return made, key, old

    def revoke_key(self, text: str) -> Key:
        """Revoke a key immediately; raises MissingError."""
        with self._accounts.database.write():
            key = self._accounts.keys.revoke(text)
            event = self._event("keys.revoke", key.prefix, user=key.email)
        self._told(event)
        return key

    def save_project(self, user_id: UUID, name: str, settings: dict[str, Any]) -> Project:
        """Save a project in a user's name."""
        with self._accounts.database.write():
            user = self._accounts.users.get(user_id)
            project = self._accounts.projects.save(user_id, name, settings)
            event = self._event("projects.save", str(project.id), user=user.email, name=name)
        self._told(event)
        return project

    def project(self, project_id: UUID) -> Project:
        """A project of any user; raises MissingError."""
        project = self._accounts.projects.get(project_id)
        if project is None:
            raise MissingError(f"no such project: {project_id}", "id")
        return project

    def delete_project(self, project_id: UUID) -> None:
        """Delete a project of any user; raises MissingError."""
        with self._accounts.database.write():
            project = self.project(project_id)
            user = self._accounts.users.get(project.user_id)
            self._accounts.projects.delete(project_id)
            event = self._event("projects.delete", str(project_id), user=user.email, name=project.name)
        self._told(event)

    def _event(self, action: str, target: str, **details: object) -> Event:
        given = {name: value for name, value in details.items() if value is not None}
        return self._accounts.audit.add(self._actor, action, target, given)
