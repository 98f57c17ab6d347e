"""Uploaded screenshots: files that belong to a user and expire."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from ..plans import Plan
from .database import Database
from .stored_files import StoredFiles, StoredKind, StoredLimits
from .tables import now, uploads

KIND = StoredKind(
    uploads,
    0x75706C6F6164,
    "upload",
    "screenshot",
    "uploaded",
    path="screenshot",
    reached=", or delete some",
    instead=", or send the screenshot with the request",
)


@dataclass(frozen=True, slots=True)
class Upload:
    """A stored screenshot of `size` bytes and `width` by `height` pixels; `user_id` is the owner."""

    id: UUID
    user_id: UUID
    size: int
    width: int
    height: int
    expires_at: datetime


class Uploads(StoredFiles):
    """All uploads."""

    def __init__(self, database: Database, folder: Path, limits: StoredLimits) -> None:
        super().__init__(database, folder, limits, KIND)

    def save(
        self,
        user_id: UUID,
        data: bytes | bytearray | memoryview,
        width: int,
        height: int,
        plan: Plan | None = None,
    ) -> Upload:
        """Store a user's screenshot of `width` by `height` px, within the limits of the user's plan.

        Raises `INVALID_REQUEST` if the user has too many uploads, `SERVER_BUSY` if the storage is full.
        """
        expires = now() + timedelta(seconds=self._limits.lifetime_s)
        upload = Upload(uuid.uuid4(), user_id, len(data), width, height, expires)
        self.add(asdict(upload), data, self._of(plan))
        return upload

    def find(self, user_id: UUID, upload_id: str) -> Upload | None:
        """The user's upload of this id; None if there is none, it has expired, or it is another user's."""
        row = self.row(UUID(upload_id), user_id)
        return None if row is None else Upload(**row._asdict())

    def read(self, upload: Upload) -> bytes | None:
        """The file of an upload; None if it is missing; raises `SERVER_BUSY` if it cannot be read."""
        return self.content(upload.id)

    def _of(self, plan: Plan | None) -> StoredLimits:
        if plan is None:
            return self._limits
        count = self._limits.count if plan.max_uploads is None else plan.max_uploads
        return replace(self._limits, count=count, size=plan.max_upload_bytes or self._limits.size)
