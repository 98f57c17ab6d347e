"""Uploaded screenshots: files that belong to a user and expire."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import structlog
from sqlalchemy import Connection, Select, delete, func, insert, select

from service.accounts import private_files
from service.accounts.database import Database
from service.accounts.tables import now, uploads, users
from service.errors import Code, Detail, MockupError, counted, refusal
from service.limits import UPLOAD_GRACE_S
from service.plans import Plan

# The number of the turn in which all uploads are registered; any will do, as long as it never changes.
TURN = 0x75706C6F6164

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Upload:
    """A stored screenshot of `size` bytes and `width` by `height` pixels; `user_id` is the owner."""

    id: UUID
    user_id: UUID
    size: int
    width: int
    height: int
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """How many uploads a user may have and of how many bytes, the bytes of all users, and the lifetime."""

    count: int
    size: int
    total: int
    lifetime_s: int

    def on(self, plan: Plan) -> UploadLimits:
        """The limits of a user on a plan."""
        count = self.count if plan.max_uploads is None else plan.max_uploads
        return replace(self, count=count, size=plan.max_upload_bytes or self.size)

    def reached(self) -> str:
        """The message for a user who has reached the limit."""
        count, size = counted(self.count, "screenshot"), f"{self.size / 2**20:g} MiB"
        return (
            f"a user can have at most {count} of {size} together uploaded at a time; "
            f"they expire after {counted(self.lifetime_s, 'second')}, or delete some"
        )


class Uploads:
    """All uploads: rows in the database, and in `folder` a file each, named by its id."""

    def __init__(self, database: Database, folder: Path, limits: UploadLimits) -> None:
        self._database = database
        self._folder = folder
        self._limits = limits

    def save(
        self,
        user_id: UUID,
        data: bytes | bytearray | memoryview,
        width: int,
        height: int,
        plan: Plan | None = None,
    ) -> Upload:
        """Store a screenshot of `width` by `height` px, of a user on a plan with limits of its own.

        Raises `INVALID_REQUEST` if the user has too many, `SERVER_BUSY` if there is no room for anyone's.
        """
        expires = now() + timedelta(seconds=self._limits.lifetime_s)
        upload = Upload(uuid.uuid4(), user_id, len(data), width, height, expires)
        limits = self._limits.on(plan) if plan else self._limits
        with self._database.read() as connection:
            self._check_user(connection, upload, limits)
            self._check_all(connection, upload, limits)
        # Write the file before its row, so that no row ever lacks its file.
        self._write(upload.id, data)
        try:
            self._register(upload, limits)
        except BaseException:
            self._file(upload.id).unlink(missing_ok=True)
            raise
        return upload

    def find(self, user_id: UUID, upload_id: str) -> Upload | None:
        """The user's upload of this id; None if there is none, it has expired, or it is another user's."""
        statement = select(uploads).where(
            uploads.c.id == UUID(upload_id), uploads.c.user_id == user_id, uploads.c.expires_at > now()
        )
        with self._database.read() as connection:
            row = connection.execute(statement).first()
        return None if row is None else Upload(*row)

    def read(self, upload: Upload) -> bytes | None:
        """The file of an upload; None if it has gone, `SERVER_BUSY` if it cannot be read."""
        try:
            return self._file(upload.id).read_bytes()
        except FileNotFoundError:
            log.warning("an upload's file is missing; do all instances share MOCKUP_UPLOAD_DIR?")
            return None
        except OSError as error:
            message = "The uploads are unavailable. Try again, or send the screenshot as base64"
            raise MockupError(Code.SERVER_BUSY, message, retry_after=5) from error

    def remove(self, user_id: UUID, upload_id: str) -> bool:
        """Delete the user's upload of this id; False if there is none."""
        mine = (uploads.c.id == UUID(upload_id)) & (uploads.c.user_id == user_id)
        with self._database.write() as connection:
            removed = connection.execute(delete(uploads).where(mine)).rowcount > 0
        if removed:
            self._file(UUID(upload_id)).unlink(missing_ok=True)
        return removed

    def ids(self, user_id: UUID) -> list[UUID]:
        """The ids of a user's uploads, expired ones included."""
        with self._database.read() as connection:
            return list(connection.scalars(select(uploads.c.id).where(uploads.c.user_id == user_id)))

    def remove_files(self, ids: Iterable[UUID]) -> None:
        """Delete the files of uploads whose rows have gone."""
        for upload_id in ids:
            self._file(upload_id).unlink(missing_ok=True)

    def sweep(self) -> int:
        """Delete the files of expired uploads, and those whose rows have gone; the number deleted."""
        # Rows that another instance is deleting are left to it, or each might wait for the other.
        expired = select(uploads.c.id).where(uploads.c.expires_at <= now()).with_for_update(skip_locked=True)
        with self._database.write(impatient=True) as connection:
            connection.execute(delete(uploads).where(uploads.c.id.in_(expired)))
        oldest, found = time.time() - self._limits.lifetime_s - UPLOAD_GRACE_S, 0
        with suppress(FileNotFoundError), os.scandir(self._folder) as files:
            for file in files:
                # Another instance may share the folder and be quicker.
                with suppress(FileNotFoundError):
                    if file.is_file() and file.stat().st_mtime < oldest:
                        os.unlink(file.path)
                        found += 1
        return found

    def _file(self, upload_id: UUID) -> Path:
        return self._folder / str(upload_id)

    def _register(self, upload: Upload, limits: UploadLimits) -> None:
        with self._database.write() as connection:
            # Lock the owner's row (in SQLite the whole database), so that the user's limit is exact.
            owner = select(users.c.id).where(users.c.id == upload.user_id).with_for_update()
            connection.execute(owner)
            self._check_user(connection, upload, limits)
            # Taken last, since all other uploads wait for this lock, which makes the limit of all users
            # exact.
            self._database.take_turn(connection, TURN)
            self._check_all(connection, upload, limits)
            connection.execute(insert(uploads).values(**asdict(upload)))

    def _check_user(self, connection: Connection, upload: Upload, limits: UploadLimits) -> None:
        """Raise a 400 if the user has too many."""
        count, size = connection.execute(_used().where(uploads.c.user_id == upload.user_id)).one()
        if count >= limits.count or size + upload.size > limits.size:
            raise refusal(Detail("screenshot", limits.reached()))

    def _check_all(self, connection: Connection, upload: Upload, limits: UploadLimits) -> None:
        """Raise a 503 if there is no room.

        A user may hold at most as much as is left for others, so that a few users cannot fill the room.
        """
        everyones = connection.execute(_used()).one()[1]
        own = connection.execute(_used().where(uploads.c.user_id == upload.user_id)).one()[1]
        left = limits.total - everyones - upload.size
        if left < 0 or (own and own + upload.size > left):
            raise _no_room()

    def _write(self, upload_id: UUID, data: bytes | bytearray | memoryview) -> None:
        private_files.make_folder(self._folder)
        path = self._file(upload_id)
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(data)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise _no_room() from error


def _used() -> Select[int, int]:
    """The number and bytes of uploads that have not expired."""
    size = func.coalesce(func.sum(uploads.c.size), 0)
    return select(func.count(), size).where(uploads.c.expires_at > now())


def _no_room() -> MockupError:
    message = "There is no room for uploads. Try again in 60 seconds, or send the screenshot as base64"
    return MockupError(Code.SERVER_BUSY, message, retry_after=60)
