"""Recordings, and screenshots of films: files that belong to a user and expire."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from sqlalchemy import update

from .database import Database
from .stored_files import StoredFiles, StoredKind, StoredLimits
from .tables import now, recordings

KIND = StoredKind(
    recordings,
    0x7265636F7264,
    "recording",
    "recording",
    "uploaded",
    path="recording",
    reached=", or delete some",
    instead="",
)


@dataclass(frozen=True, slots=True)
class StoredRecording:
    """A file of `size` bytes with frames of `width` by `height` pixels, `length` seconds long.

    The length of a still picture is 0. `user_id` is the owner.
    """

    id: UUID
    user_id: UUID
    size: int
    width: int
    height: int
    length: float
    fps: float
    expires_at: datetime

    @property
    def duration_ms(self) -> int:
        """The length in milliseconds."""
        return round(self.length * 1e3)


class Recordings(StoredFiles):
    """All recordings."""

    def __init__(self, database: Database, folder: Path, limits: StoredLimits) -> None:
        super().__init__(database, folder, limits, KIND)

    def save(
        self, user_id: UUID, file: Path, *, width: int, height: int, length: float, fps: float
    ) -> StoredRecording:
        """Store a received file as a recording.

        Raises `INVALID_REQUEST` if the user has too many recordings, `SERVER_BUSY` if the storage is full.
        """
        expires = now() + timedelta(seconds=self._limits.lifetime_s)
        size = file.stat().st_size
        made = StoredRecording(uuid.uuid4(), user_id, size, width, height, length, fps, expires)
        self.add(asdict(made), file)
        return made

    def find(self, user_id: UUID, name: UUID) -> StoredRecording | None:
        """The user's recording of this id; None if there is none, it has expired, or it is another user's."""
        row = self.row(name, user_id)
        return None if row is None else StoredRecording(**row._asdict())

    def keep(self, name: UUID) -> None:
        """Extend a recording's lifetime as if it had just been stored, because a film waits for it."""
        end = now() + timedelta(seconds=self._limits.lifetime_s)
        with self._database.write() as connection:
            connection.execute(update(recordings).where(recordings.c.id == name).values(expires_at=end))
        # Files are deleted by their age, so update the file's time, too.
        with suppress(FileNotFoundError):
            os.utime(self.path(name))
