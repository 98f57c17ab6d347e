"""The accounts database: SQLite in a private file, or PostgreSQL."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Executable, Row, create_engine, event, text
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ..concurrency.circuit_breaker import CircuitBreaker, OutageError
from ..config import Config
from ..errors import Code, MockupError
from ..limits import (
    DATABASE_MS,
    POSTGRESQL_CONNECT_S,
    POSTGRESQL_CONNECTIONS,
    PROBE_MS,
    SILENT_MS,
    SQLITE_CONNECTIONS,
)
from . import private_files

PRAGMAS = (
    f"busy_timeout = {DATABASE_MS}",
    "journal_mode = WAL",
    # With FULL a commit is on disk before the response is sent, so confirmed data is never lost.
    "synchronous = FULL",
    "foreign_keys = ON",
)

# The lock ends with the transaction, so it also works through a pooler such as PgBouncer.
TURN = text(
    "SELECT set_config('idle_in_transaction_session_timeout', :silent, true), pg_advisory_xact_lock(:turn)"
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
        self._open = threading.local()
        self.failed = -1.0  # when a transaction last failed, by the monotonic clock
        self.engine = create_engine(
            url,
            pool_size=8,
            max_overflow=(SQLITE_CONNECTIONS if self.is_sqlite else POSTGRESQL_CONNECTIONS) - 8,
            pool_timeout=DATABASE_MS / 1e3,
            # E-mail addresses and hashes must not appear in error messages.
            hide_parameters=True,
        )
        self._breaker = CircuitBreaker()
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare)
        else:
            _connect_with_patience(self.engine)

    def read(self) -> AbstractContextManager[Connection]:
        """A connection with consistent reads; raises `SERVER_BUSY` if the database is unavailable.

        Within a write transaction of the same thread it is that transaction's.
        """
        return self._transaction(writing=False)

    def first(self, statement: Executable, parameters: Mapping[str, Any] | None = None) -> Row[Any] | None:
        """The first row that a statement finds, or None; raises as `read` does.

        One statement reads consistently without a transaction, which would take longer than the statement.
        """
        outer: Connection | None = getattr(self._open, "writing", None)
        with self._connection() if outer is None else nullcontext(outer) as connection:
            return connection.execute(statement, parameters).first()

    def write(self, *, impatient: bool = False) -> AbstractContextManager[Connection]:
        """A write transaction, committed at the end of the block or rolled back.

        Waits up to five seconds for other writers, or one second if `impatient`. A block within another of
        the same thread is part of its transaction.
        """
        return self._transaction(writing=True, patience_ms=PROBE_MS if impatient else DATABASE_MS)

    def change_tables(self) -> AbstractContextManager[Connection]:
        """A write transaction whose statements may take any time."""
        return self._transaction(writing=True, unhurried=True)

    def take_turn(self, connection: Connection, turn: int) -> None:
        """Serialise all write transactions, in all instances, that take the same turn; a turn lasts until its
        transaction ends.

        SQLite serialises all write transactions anyway. An instance that stops responding during its turn
        loses the turn after `SILENT_MS`.
        """
        if not self.is_sqlite:
            connection.execute(TURN, {"silent": str(SILENT_MS), "turn": turn})

    @contextmanager
    def _transaction(
        self, *, writing: bool, patience_ms: int | None = None, unhurried: bool = False
    ) -> Iterator[Connection]:
        if (outer := getattr(self._open, "writing", None)) is not None:
            yield outer
            return
        with self._connection(unhurried=unhurried) as connection, connection.begin():
            if self.is_sqlite:
                _begin(connection, writing, patience_ms)
            self._open.writing = connection if writing else None
            try:
                yield connection
            finally:
                self._open.writing = None

    @contextmanager
    def _connection(self, *, unhurried: bool = False) -> Iterator[Connection]:
        try:
            with self._breaker.attempt(self._is_gone), self.engine.connect() as connection:
                if not self.is_sqlite:
                    _of_driver(connection).patience_s = None if unhurried else DATABASE_MS / 1e3
                yield connection
        except (OperationalError, InterfaceError, InternalError, PoolTimeout, OutageError) as error:
            self.failed = time.monotonic()
            raise MockupError(Code.SERVER_BUSY, "The accounts are unavailable", retry_after=1) from error

    def _is_gone(self, error: BaseException) -> bool:
        """Whether an error says that the server cannot be reached, is starting or stopping, or hangs."""
        if self.is_sqlite or not isinstance(error, OperationalError):
            return False
        state = getattr(error.orig, "sqlstate", None)
        return state is None or state.startswith(("08", "57P"))

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def _connect_with_patience(engine: Engine) -> None:
    """Make PostgreSQL's driver give up on a server that keeps connections open without replying."""
    # The driver is installed by the extra `cluster`.
    from .patient_connection import PatientConnection

    def connect(_dialect: Any, _record: Any, _arguments: Any, parameters: dict[str, Any]) -> Any:
        return PatientConnection.connect(**{"connect_timeout": POSTGRESQL_CONNECT_S} | parameters)

    event.listen(engine, "do_connect", connect)


def _of_driver(connection: Connection) -> Any:
    return connection.connection.driver_connection


def _prepare(connection: Any, _record: Any) -> None:
    # The driver begins transactions too late to protect the rows that a write has read; `_begin` starts them.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection, writing: bool, patience_ms: int | None) -> None:
    if patience_ms is not None and connection.info.get("patience_ms", DATABASE_MS) != patience_ms:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience_ms}")
        connection.info["patience_ms"] = patience_ms
    # Writers take the lock first: once a transaction has read, SQLite may refuse it the lock at once.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def cause(error: MockupError) -> str:
    """The driver's error behind a `SERVER_BUSY`, in one line; for the log only."""
    text = str(getattr(error.__cause__, "orig", None) or error.__cause__ or error)
    return text.partition("\n")[0].partition(" (Background on")[0]
