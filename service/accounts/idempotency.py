"""Requests that are answered once: the user's name for a request, its digest and, later, its result."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, func, insert, select, update

from ..errors import Code, Detail, MockupError, refusal
from .database import Database
from .tables import idempotency_keys, now, users

HEADER = "Idempotency-Key"
_ROWS = idempotency_keys


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim on a request: if it is `new`, its caller must answer the request.

    Otherwise, another call is answering the request or has answered it.

    Once the request is answered, the claim has a result.
    """

    new: bool
    result: UUID | None = None


class IdempotencyKeys:
    """All requests that are answered once. Instances claim them in the database, so that one of them does the
    work."""

    def __init__(self, database: Database, most: int, lifetime_s: int) -> None:
        self._database = database
        self._most = most
        self._lifetime_s = lifetime_s

    def knows(self, user_id: UUID, key: str) -> bool:
        """Whether a user's request of this name is under way or has its result."""
        one = (_ROWS.c.id == _name(user_id, key)) & (_ROWS.c.expires_at > now())
        return self._database.first(select(_ROWS.c.id).where(one)) is not None

    def claim(self, user_id: UUID, key: str, digest: str, patience_s: float) -> Claim:
        """Claim a request for `patience_s` seconds if nobody has; raises `KEY_REUSED` if the request differs.

        Raises `INVALID_REQUEST` if the user has too many.
        """
        name = _name(user_id, key)
        with self._database.write() as connection:
            # Lock the owner's row (in SQLite the whole database): of two claims, one is first.
            connection.execute(select(users.c.id).where(users.c.id == user_id).with_for_update())
            connection.execute(delete(_ROWS).where(_ROWS.c.id == name, _ROWS.c.expires_at <= now()))
            found = connection.execute(select(_ROWS).where(_ROWS.c.id == name)).first()
            if found is None:
                mine = (_ROWS.c.user_id == user_id) & (_ROWS.c.expires_at > now())
                count = connection.execute(select(func.count()).select_from(_ROWS).where(mine)).scalar() or 0
                if count >= self._most:
                    expected = (
                        f"at most {self._most} keys at a time, which expire after {self._lifetime_s} seconds"
                    )
                    raise refusal(Detail(HEADER, f"expected {expected}"))
                row = {"id": name, "user_id": user_id, "digest": digest}
                end = now() + timedelta(seconds=patience_s)
                connection.execute(insert(_ROWS).values(**row, expires_at=end))
                return Claim(new=True)
        if found.digest != digest:
            message = f"This {HEADER} belongs to another request; send a new one"
            raise MockupError(Code.KEY_REUSED, message, (Detail(HEADER, "belongs to another request"),))
        return Claim(new=False, result=found.result_id)

    def settle(self, user_id: UUID, key: str, result: UUID) -> None:
        """Store the outcome of a claimed request."""
        end = now() + timedelta(seconds=self._lifetime_s)
        statement = update(_ROWS).where(_ROWS.c.id == _name(user_id, key))
        with self._database.write() as connection:
            connection.execute(statement.values(result_id=result, expires_at=end))

    def release(self, user_id: UUID, key: str) -> None:
        """Give up a claim, so that the request can be sent again."""
        with self._database.write() as connection:
            connection.execute(delete(_ROWS).where(_ROWS.c.id == _name(user_id, key)))

    def sweep(self) -> None:
        """Delete expired entries."""
        expired = select(_ROWS.c.id).where(_ROWS.c.expires_at <= now()).with_for_update(skip_locked=True)
        with self._database.write(impatient=True) as connection:
            connection.execute(delete(_ROWS).where(_ROWS.c.id.in_(expired)))


def _name(user_id: UUID, key: str) -> UUID:
    return UUID(bytes=hashlib.sha256(user_id.bytes + key.encode()).digest()[:16])
