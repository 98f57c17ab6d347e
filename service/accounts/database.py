"""The accounts database: SQLite in a private file, or PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.accounts import private_files
from service.config import Config
from service.errors import Code, MockupError

BUSY_MS = 5_000
# For probes that only check whether writing works.
IMPATIENT_MS = 1_000
PRAGMAS = (
    f"busy_timeout = {BUSY_MS}",
    "journal_mode = WAL",
    # With FULL a commit is on disk before the response is sent, so confirmed data is never lost.
    "synchronous = FULL",
    "foreign_keys = ON",
)


def database_url(config: Config) -> URL:
    """The database's URL: the configured one, or that of `mockup.db` in `data_dir`."""
    if config.database_url is None:
        return URL.create("sqlite", database=str(config.data_dir / "mockup.db"))
    return make_url(config.database_url.get_secret_value())


class Database:
    """Connections for reading and for writing; safe to use from several threads."""

    def __init__(self, url: URL) -> None:
        """Prepare the engine and create SQLite's file, readable by its owner only."""
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self.path = Path(url.database) if self.is_sqlite and url.database else None
        if self.path:
            private_files.make_file(self.path)
        self.failed = -1.0  # when a transaction last failed, by the monotonic clock
        self.engine = create_engine(
            url,
            pool_size=8,
            max_overflow=56,
            pool_timeout=BUSY_MS / 1e3,
            # E-mail addresses and hashes must not appear in error messages.
            hide_parameters=True,
        )
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)

    def read(self) -> AbstractContextManager[Connection]:
        """A connection with consistent reads; raises `SERVER_BUSY` if the database is unavailable."""
        return self._transaction(writing=False)

    def write(self, *, impatient: bool = False) -> AbstractContextManager[Connection]:
        """A write transaction, committed at the end of the block or rolled back.

        Waits up to five seconds for other writers, or one second if `impatient`.
        """
        return self._transaction(writing=True, patience_ms=IMPATIENT_MS if impatient else BUSY_MS)

    @contextmanager
    def _transaction(self, **options: Any) -> Iterator[Connection]:
        try:
            with self.engine.connect().execution_options(**options) as connection, connection.begin():
                yield connection
        except (OperationalError, InterfaceError, InternalError, PoolTimeout) as error:
            self.failed = time.monotonic()
            raise MockupError(Code.SERVER_BUSY, "The accounts are unavailable", retry_after=1) from error

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def _prepare(connection: Any, _record: Any) -> None:
    # The driver begins transactions too late to protect what a write has read; `_begin` starts them.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    patience = options.get("patience_ms")
    if patience is not None and connection.info.get("patience_ms", BUSY_MS) != patience:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience}")
        connection.info["patience_ms"] = patience
    # Writers take the lock at once: a later upgrade can be refused without waiting.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writing") else "BEGIN")


def cause(error: MockupError) -> str:
    """The driver's error behind a `SERVER_BUSY`, in one line; for the log only."""
    text = str(getattr(error.__cause__, "orig", None) or error.__cause__ or error)
    return text.partition("\n")[0].partition(" (Background on")[0]
