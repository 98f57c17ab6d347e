"""The accounts as the rest of the service sees them: one object, opened once."""

from __future__ import annotations

import secrets
from typing import Self
from uuid import UUID

from service.accounts import migration, private_files
from service.accounts.database import Database, database_url
from service.accounts.keys import Caller, Keys
from service.accounts.projects import Project, Projects
from service.accounts.trial import Trial
from service.accounts.users import User, Users
from service.config import Config

__all__ = ["Accounts", "Caller", "Project", "User"]


class Accounts:
    """Users, keys and projects over one database; safe to use from several threads."""

    def __init__(self, config: Config) -> None:
        """Open the database and the secret of the keys, each made for its owner alone when absent."""
        self.database = Database(database_url(config))
        self.users = Users(self.database)
        self.keys = Keys(self.database, key_secret(config))
        self.projects = Projects(self.database, config.max_projects, config.max_project_bytes)
        self._trial = Trial(self.database)

    def upgrade(self) -> None:
        """Bring the tables up to date; several processes may do so at once."""
        migration.upgrade(self.database)

    def authenticate(self, key: str) -> Caller | None:
        """The holder of an API key; None when it is malformed, unknown or revoked."""
        return self.keys.authenticate(key)

    def recall(self, key: str) -> UUID | None:
        """Who held the key a moment ago, without any work; nothing may be granted on these grounds."""
        return self.keys.recall(key)

    def is_writable(self) -> bool:
        """Whether the database takes what is written, tried every few seconds at most."""
        return self._trial.passed()

    def close(self) -> None:
        """Close the connections; nothing else is held."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def key_secret(config: Config) -> str:
    """The secret that keys the hashes: the configured one, or that of `data_dir`, made on first use."""
    if config.key_secret is not None:
        return config.key_secret.get_secret_value()
    return private_files.read_or_create(config.data_dir / "key.secret", lambda: secrets.token_urlsafe(32))
