"""The accounts as one object, opened once."""

from __future__ import annotations

import secrets
from typing import Self

from ..config import Config
from . import migration, private_files
from .audit import Audit
from .database import Database, database_url
from .films import Films
from .idempotency import IdempotencyKeys
from .keys import Caller, Keys
from .projects import Project, Projects
from .recordings import Recordings
from .results import Results
from .stored_files import StoredFiles, StoredLimits
from .uploads import Upload, Uploads
from .users import User, Users
from .write_probe import WriteProbe

__all__ = ["Accounts", "Caller", "Project", "Upload", "User"]


class Accounts:
    """Users, keys, projects, files and films over one database; safe to use from several threads."""

    def __init__(self, config: Config) -> None:
        """Open the database and the key secret, creating private files if absent."""
        self.database = Database(database_url(config))
        self.users = Users(self.database, config.plans)
        self.keys = Keys(self.database, key_secret(config), config.plans)
        self.projects = Projects(self.database, config.max_projects, config.max_project_bytes)
        folder = config.upload_dir or config.data_dir / "uploads"
        limits = StoredLimits(
            config.max_uploads, config.max_upload_bytes, config.uploads_bytes, config.upload_lifetime_s
        )
        self.uploads = Uploads(self.database, folder, limits)
        limits = StoredLimits(
            config.max_results, config.max_result_bytes, config.results_bytes, config.result_ttl_s
        )
        self.results = Results(self.database, folder / "results", limits)
        limits = StoredLimits(
            config.max_recordings,
            config.max_recording_bytes,
            config.recordings_bytes,
            config.upload_lifetime_s,
        )
        self.recordings = Recordings(self.database, folder / "recordings", limits)
        limits = StoredLimits(
            config.max_films, 2 * config.max_film_bytes, config.films_bytes, config.result_ttl_s
        )
        self.films = Films(self.database, folder / "films", limits)
        self.idempotency = IdempotencyKeys(self.database, config.max_results, config.result_ttl_s)
        self.audit = Audit(self.database)
        self._probe = WriteProbe(self.database)

    @property
    def files(self) -> tuple[StoredFiles, ...]:
        """All files that expire, by kind."""
        return self.uploads, self.results, self.recordings, self.films

    def sweep(self) -> int:
        """Delete everything that has expired; returns the number of files deleted."""
        for name in self.films.recordings():
            self.recordings.keep(name)
        removed = sum(store.sweep() for store in self.files)
        self.idempotency.sweep()
        return removed

    def upgrade(self) -> None:
        """Upgrade the tables; several processes may do so at once."""
        migration.upgrade(self.database)

    def authenticate(self, key: str) -> Caller | None:
        """The holder of an API key; None if it is malformed, unknown, revoked or expired."""
        return self.keys.authenticate(key)

    def recall(self, key: str) -> Caller | None:
        """The key's recent holder, from memory alone; do not grant access based on this."""
        return self.keys.recall(key)

    @property
    def is_immediate(self) -> bool:
        """Whether reading a row needs no network."""
        return self.database.is_sqlite

    def is_writable(self) -> bool:
        """Whether the database can be written to, probed every few seconds at most."""
        return self._probe.passed()

    def close(self) -> None:
        """Close the connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def key_secret(config: Config) -> str:
    """The secret for hashing keys: the configured one, or one created in `data_dir` on first use."""
    if config.key_secret is not None:
        return config.key_secret.get_secret_value()
    return private_files.read_or_create(config.data_dir / "key.secret", lambda: secrets.token_urlsafe(32))
