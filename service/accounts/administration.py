"""Changes to accounts by administrators; each is a transaction that includes its entry in the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from . import ends
from .audit import Actor, Event
from .errors import MissingError
from .grants import EVERYTHING, Grant
from .keys import Key
from .projects import Project
from .store import Accounts
from .users import User


class Administration:
    """The changes that the command line and `/api/v1/admin` make, in the name of `actor`.

    Calls `told` with each event after the transaction that stores it.
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
        with self._change("users.add") as record:
            user = self._accounts.users.add(email, plan, until)
            record(user.email, plan=plan, until=until)
        return user

    def subscribe(self, user_id: UUID, plan: str, until: datetime | None = None) -> User:
        """Set a user's plan and its end; raises MissingError, and AccountError for an end in the past."""
        ends.check(until, "until", "the plan free ends a subscription at once")
        with self._change("users.subscribe") as record:
            user = self._accounts.users.subscribe(user_id, plan, until)
            record(user.email, plan=plan, until=until)
        return user

    def remove_user(self, user_id: UUID) -> User:
        """Remove a user with everything they own; raises MissingError."""
        with self._change("users.remove") as record:
            user = self._accounts.users.get(user_id)
            stores = self._accounts.files
            owned = [store.ids(user_id) for store in stores]
            self._accounts.users.remove(user_id)
            record(user.email, id=user.id)
        # Delete the files only after the commit, so that no row lacks its file.
        for store, ids in zip(stores, owned, strict=True):
            store.remove_files(ids)
        return user

    def issue_key(
        self,
        user_id: UUID,
        name: str | None = None,
        expires_at: datetime | None = None,
        grant: Grant = EVERYTHING,
    ) -> tuple[str, Key]:
        """Issue a key; returns the key, which cannot be shown again, and its record; raises MissingError."""
        with self._change("keys.issue") as record:
            user = self._accounts.users.get(user_id)
            text = self._accounts.keys.issue(user_id, name, expires_at, grant)
            key = self._accounts.keys.find(text)
            given = {name: text for name, text in grant.columns.items() if text}
            record(key.prefix, user=user.email, name=name, expires=expires_at, **given)
        return text, key

    def rotate_key(
        self, text: str, overlap: timedelta, expires_at: datetime | None = None
    ) -> tuple[str, Key, Key]:
        """Issue a key in place of another; returns the new key, its record and the old key's record."""
        with self._change("keys.rotate") as record:
            made, old = self._accounts.keys.rotate(text, overlap, expires_at)
            key = self._accounts.keys.find(made)
            record(
                key.prefix,
                user=old.email,
                replaced=old.prefix,
                validUntil=old.expires_at,
                expires=key.expires_at,
            )
        return made, key, old

    def issue_link_secret(self, text: str) -> tuple[str, Key]:
        """Issue the secret that a key's links are signed with; raises MissingError and AccountError."""
        with self._change("keys.link") as record:
            secret, key = self._accounts.keys.issue_link_secret(text)
            record(key.prefix, user=key.email)
        return secret, key

    def revoke_key(self, text: str) -> Key:
        """Revoke a key immediately; raises MissingError."""
        with self._change("keys.revoke") as record:
            key = self._accounts.keys.revoke(text)
            record(key.prefix, user=key.email)
        return key

    def save_project(
        self, user_id: UUID, name: str, settings: dict[str, Any], parts: dict[str, Any] | None = None
    ) -> Project:
        """Save a project in a user's name."""
        with self._change("projects.save") as record:
            user = self._accounts.users.get(user_id)
            project = self._accounts.projects.save(user_id, name, settings, parts)
            record(str(project.id), user=user.email, name=name)
        return project

    def rename_project(self, project_id: UUID, name: str) -> Project:
        """Rename a project of any user; raises MissingError."""
        with self._change("projects.rename") as record:
            old = self.project(project_id)
            user = self._accounts.users.get(old.user_id)
            project = self._accounts.projects.rename(project_id, name)
            if project is None:
                raise MissingError(f"no such project: {project_id}", "id")
            record(str(project_id), user=user.email, name=name, before=old.name)
        return project

    def project(self, project_id: UUID) -> Project:
        """A project of any user; raises MissingError."""
        project = self._accounts.projects.get(project_id)
        if project is None:
            raise MissingError(f"no such project: {project_id}", "id")
        return project

    def delete_project(self, project_id: UUID) -> None:
        """Delete a project of any user; raises MissingError."""
        with self._change("projects.delete") as record:
            project = self.project(project_id)
            user = self._accounts.users.get(project.user_id)
            self._accounts.projects.delete(project_id)
            record(str(project_id), user=user.email, name=project.name)

    @contextmanager
    def _change(self, action: str) -> Iterator[Callable[..., None]]:
        """A transaction; yields a function that adds an event to the audit, given its target and details."""
        events: list[Event] = []

        def record(target: str, **details: object) -> None:
            known = {name: value for name, value in details.items() if value is not None}
            events.append(self._accounts.audit.add(self._actor, action, target, known))

        with self._accounts.database.write():
            yield record
        for event in events:
            self._told(event)
