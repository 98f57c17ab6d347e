"""Copies of the database and the key secret, made while the service runs."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from ..config import Config
from . import private_files
from .database import database_url
from .errors import AccountError
from .store import key_secret


def back_up(config: Config, folder: Path) -> None:
    """Write a new `folder` that serves as `MOCKUP_DATA_DIR`: the database as of one moment, and `key.secret`.

    Raises AccountError if the folder exists, there is nothing to copy, or the database is not SQLite.
    """
    url = database_url(config)
    if url.get_backend_name() != "sqlite":
        raise AccountError("for PostgreSQL, use pg_dump, and keep a copy of the key secret")
    source = Path(str(url.database))
    if not source.is_file():
        raise AccountError(f"there is no database at {source}")
    try:
        folder.mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise AccountError(f"the folder {folder} cannot be created: {error.strerror}") from error
    private_files.replace(folder / "key.secret", key_secret(config))
    copy = folder / "mockup.db"
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    # SQLite's own backup copies a consistent snapshot, even while other processes write.
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
