"""Results that are kept for a while: pictures by address, and responses that may be repeated."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import orjson

from .database import Database
from .stored_files import StoredFiles, StoredKind, StoredLimits
from .tables import now, results

KIND = StoredKind(
    results,
    0x726573756C74,
    "result",
    "result",
    "kept",
    path="",
    reached="",
    instead=", or ask for the picture itself",
)


@dataclass(frozen=True, slots=True)
class Result:
    """A result of `size` bytes, sent with `headers`."""

    id: UUID
    user_id: UUID
    size: int
    headers: Mapping[str, str]
    expires_at: datetime


class Results(StoredFiles):
    """All results. Each is found by a secret, of which the database has only the digest."""

    def __init__(self, database: Database, folder: Path, limits: StoredLimits) -> None:
        super().__init__(database, folder, limits, KIND)

    def save(
        self, user_id: UUID, data: bytes | bytearray | memoryview, headers: Mapping[str, str]
    ) -> tuple[str, Result]:
        """Keep a result of a user; returns its secret, 43 characters of base64url, and the result.

        Raises `INVALID_REQUEST` if the user has too many results, `SERVER_BUSY` if the storage is full.
        """
        secret = secrets.token_urlsafe(32)
        expires = now() + timedelta(seconds=self._limits.lifetime_s)
        made = Result(_digest(secret), user_id, len(data), dict(headers), expires)
        self.keep(made, data)
        return secret, made

    def keep(self, made: Result, data: bytes | bytearray | memoryview) -> None:
        """Keep a result under its id, which must never have been used before; raises as `save`."""
        row = {
            "id": made.id,
            "user_id": made.user_id,
            "size": made.size,
            "headers": orjson.dumps(made.headers).decode(),
            "expires_at": made.expires_at,
        }
        self.add(row, data)

    def period(self, name: bytes) -> tuple[UUID, datetime]:
        """The id and end of a result that is made once per lifetime.

        The ends of results are spread over time.
        """
        lifetime = self._limits.lifetime_s
        digest = hashlib.sha256(name).digest()
        shift = int.from_bytes(digest[:4]) % lifetime
        number = (int(now().timestamp()) + shift) // lifetime
        end = (number + 1) * lifetime - shift
        return _digest(f"{digest.hex()} {number}"), datetime.fromtimestamp(end, UTC)

    def find(self, secret: str) -> Result | None:
        """The result that a secret leads to; None if there is none or it has expired."""
        return self.get(_digest(secret))

    def get(self, name: UUID) -> Result | None:
        """The result of this id; None if there is none or it has expired."""
        row = self.row(name)
        if row is None:
            return None
        return Result(row.id, row.user_id, row.size, orjson.loads(row.headers), row.expires_at)


def _digest(secret: str) -> UUID:
    # 128 bits of the digest of a random secret: nobody can find another secret with the same id.
    return UUID(bytes=hashlib.sha256(secret.encode()).digest()[:16])
