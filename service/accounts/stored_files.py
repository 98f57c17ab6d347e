"""Files that belong to users and expire: a row each in the database, and a file named by its id."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import Connection, Row, Select, Table, bindparam, delete, func, insert, select

from ..errors import Code, Detail, MockupError, counted, refusal
from ..limits import UPLOAD_GRACE_S
from . import private_files
from .database import Database
from .errors import AccountError
from .tables import now, users

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StoredLimits:
    """The limits of stored files: the number and bytes of a user's files, the bytes of all users' files, and
    the lifetime of a file."""

    count: int
    size: int
    total: int
    lifetime_s: int


@dataclass(frozen=True, slots=True)
class StoredKind:
    """The names of a table's files in messages.

    For example, an upload has the `name` `upload`, the `noun` `screenshot` and the `participle` `uploaded`.
    `path` is the path in a request that errors name. `reached` advises a user who has reached a limit, and
    `instead` all users while there is no room. `turn` is the number of the database lock under which rows are
    added: any number that never changes.
    """

    table: Table
    turn: int
    name: str
    noun: str
    participle: str
    path: str
    reached: str
    instead: str


class StoredFiles:
    """All files of a kind: each has a row in its table, and a file in `folder`."""

    def __init__(self, database: Database, folder: Path, limits: StoredLimits, kind: StoredKind) -> None:
        self._database = database
        self._folder = folder
        self._limits = limits
        self._kind = kind
        self._rows = kind.table
        columns = self._rows.c
        # This statement is made once, because making it takes as long as the look-up itself.
        self._row = select(self._rows).where(
            columns.id == bindparam("name"), columns.expires_at > bindparam("now")
        )
        self._own_row = self._row.where(columns.user_id == bindparam("user_id"))

    def check(self, user_id: UUID, size: int, limits: StoredLimits | None = None) -> None:
        """Raise as `add` would for a file of `size` bytes."""
        with self._database.read() as connection:
            self._check(connection, user_id, size, limits or self._limits)

    def add(
        self,
        row: Mapping[str, Any],
        data: bytes | bytearray | memoryview | Path,
        limits: StoredLimits | None = None,
    ) -> None:
        """Store a file with its row. A path that `begin` returned is moved into place.

        Raises `INVALID_REQUEST` if the user has too many files, `SERVER_BUSY` if the storage is full.
        """
        limits, name, user_id, size = limits or self._limits, row["id"], row["user_id"], row["size"]
        self.check(user_id, size, limits)
        # The file is written before its row, so that there is never a row without a file.
        self._write(name, data)
        try:
            with self._database.write() as connection:
                # Lock the owner's row (in SQLite the whole database), so that the user's limit is exact.
                connection.execute(select(users.c.id).where(users.c.id == user_id).with_for_update())
                self._check_user(connection, user_id, size, limits)
                # This lock makes the limit of all users exact as well. It is taken last, since all other
                # users wait for it.
                self._database.take_turn(connection, self._kind.turn)
                self._check_all(connection, user_id, size, limits)
                connection.execute(insert(self._rows).values(**row))
        except BaseException:
            self._file(name).unlink(missing_ok=True)
            raise

    def begin(self) -> Path:
        """An empty file, to be written and passed to `add`; a caller that does not add it must delete it."""
        self._make_folder()
        path = self._file(uuid.uuid4())
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise self._no_room() from error
        return path

    def path(self, name: UUID) -> Path:
        """The path of a row's file."""
        return self._file(name)

    def row(self, name: UUID, user_id: UUID | None = None) -> Row[Any] | None:
        """The row of this id, if it has not expired and, where a user is given, is the user's."""
        given: dict[str, Any] = {"name": name, "now": now()}
        statement = self._row
        if user_id is not None:
            statement, given["user_id"] = self._own_row, user_id
        return self._database.first(statement, given)

    def content(self, name: UUID) -> bytes | None:
        """The file of a row; None if it is missing; raises `SERVER_BUSY` if it cannot be read."""
        try:
            return self._file(name).read_bytes()
        except FileNotFoundError:
            kind = self._kind.name
            log.warning(f"the file of a stored {kind} is missing; do all instances share MOCKUP_UPLOAD_DIR?")
            return None
        except OSError as error:
            message = f"The {self._kind.name}s are unavailable. Try again{self._kind.instead}"
            raise MockupError(Code.SERVER_BUSY, message, retry_after=5) from error

    def remove(self, user_id: UUID, name: str) -> bool:
        """Delete the user's file of this id; False if there is none."""
        mine = (self._rows.c.id == UUID(name)) & (self._rows.c.user_id == user_id)
        with self._database.write() as connection:
            removed = connection.execute(delete(self._rows).where(mine)).rowcount > 0
        if removed:
            self._file(UUID(name)).unlink(missing_ok=True)
        return removed

    def ids(self, user_id: UUID) -> list[UUID]:
        """The ids of a user's files, expired ones included."""
        with self._database.read() as connection:
            return list(connection.scalars(select(self._rows.c.id).where(self._rows.c.user_id == user_id)))

    def remove_files(self, ids: Iterable[UUID]) -> None:
        """Delete files whose rows have gone."""
        for one in ids:
            self._file(one).unlink(missing_ok=True)

    def sweep(self) -> int:
        """Delete expired files, and those whose rows have gone; returns the number of files deleted."""
        # Rows that another instance is deleting are left to it, or each might wait for the other.
        expired = select(self._rows.c.id).where(self._rows.c.expires_at <= now())
        with self._database.write(impatient=True) as connection:
            chosen = expired.with_for_update(skip_locked=True)
            connection.execute(delete(self._rows).where(self._rows.c.id.in_(chosen)))
        oldest, found = time.time() - self._limits.lifetime_s - UPLOAD_GRACE_S, 0
        with suppress(FileNotFoundError), os.scandir(self._folder) as files:
            for file in files:
                # Another instance that shares the folder may have deleted it first.
                with suppress(FileNotFoundError):
                    if file.is_file() and file.stat().st_mtime < oldest:
                        os.unlink(file.path)
                        found += 1
        return found

    def _file(self, name: UUID) -> Path:
        return self._folder / str(name)

    def _check(self, connection: Connection, user_id: UUID, size: int, limits: StoredLimits) -> None:
        self._check_user(connection, user_id, size, limits)
        self._check_all(connection, user_id, size, limits)

    def _check_user(self, connection: Connection, user_id: UUID, size: int, limits: StoredLimits) -> None:
        """Raise a 400 if the user has too many files."""
        count, used = connection.execute(self._used().where(self._rows.c.user_id == user_id)).one()
        if count >= limits.count or used + size > limits.size:
            raise refusal(Detail(self._kind.path, self._reached(limits)))

    def _check_all(self, connection: Connection, user_id: UUID, size: int, limits: StoredLimits) -> None:
        """Raise a 503 if there is no room.

        A user's files may take at most as much space as remains for others, so that a few users cannot fill
        it.
        """
        everyones = connection.execute(self._used()).one()[1]
        own = connection.execute(self._used().where(self._rows.c.user_id == user_id)).one()[1]
        left = limits.total - everyones - size
        if left < 0 or (own and own + size > left):
            raise self._no_room()

    def _write(self, name: UUID, data: bytes | bytearray | memoryview | Path) -> None:
        self._make_folder()
        path = self._file(name)
        try:
            if isinstance(data, Path):
                data.replace(path)
                return
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(data)
        except FileExistsError as error:
            # Another request has created this file, so leave it alone.
            raise self._no_room() from error
        except OSError as error:
            path.unlink(missing_ok=True)
            raise self._no_room() from error

    def _make_folder(self) -> None:
        try:
            private_files.make_folder(self._folder)
        except AccountError as error:
            raise self._no_room() from error.__cause__

    def _used(self) -> Select[int, int]:
        """The number and bytes of files that have not expired."""
        size = func.coalesce(func.sum(self._rows.c.size), 0)
        return select(func.count(), size).where(self._rows.c.expires_at > now())

    def _reached(self, limits: StoredLimits) -> str:
        count, size = counted(limits.count, self._kind.noun), f"{limits.size / 2**20:g} MiB"
        return (
            f"a user can have at most {count} of {size} together {self._kind.participle} at a time; "
            f"they expire after {counted(limits.lifetime_s, 'second')}{self._kind.reached}"
        )

    def _no_room(self) -> MockupError:
        message = f"There is no room for {self._kind.name}s. Try again in 60 seconds{self._kind.instead}"
        return MockupError(Code.SERVER_BUSY, message, retry_after=60)
