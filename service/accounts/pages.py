"""Cursors of lists: a cursor marks the end of a page by a moment and the 16 bytes that distinguish rows of
the same moment."""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, or_

# The form of a cursor.
NEXT = r"[A-Za-z0-9_-]{32}"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LATEST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
T = TypeVar("T")


def cursor(moment: datetime, last: bytes) -> str:
    """The cursor after a row; it stays valid if the row is deleted."""
    return base64.urlsafe_b64encode(((moment - _EPOCH) // _MICROSECOND).to_bytes(8, "big") + last).decode()


def position(after: str | None) -> tuple[datetime, bytes] | None:
    """The moment and the 16 bytes of a cursor, whose form is `NEXT`; None for the beginning."""
    if after is None:
        return None
    both = base64.urlsafe_b64decode(after)
    moment = min(int.from_bytes(both[:8], "big"), _LATEST)
    return _EPOCH + moment * _MICROSECOND, both[8:]


def uuid_position(after: str | None) -> tuple[datetime, UUID] | None:
    """As `position`, for rows whose unique bytes are a UUID."""
    found = position(after)
    return None if found is None else (found[0], UUID(bytes=found[1]))


def cut(rows: list[T], limit: int, key: Callable[[T], tuple[datetime, bytes]]) -> tuple[list[T], str | None]:
    """The first `limit` of the rows and, if there are more, the cursor after them."""
    kept = rows[:limit]
    return kept, cursor(*key(kept[-1])) if len(rows) > limit else None


def ordered(
    statement: Select[Any],
    columns: tuple[ColumnElement[Any], ColumnElement[Any]],
    after: tuple[datetime, Any] | None,
    *,
    newest_first: bool = False,
) -> Select[Any]:
    """The statement, sorted by two columns, of moments and of unique values; begins after the position
    `after`."""
    when, unique = columns
    if after is not None:
        moment, last = after
        if newest_first:
            beyond = or_(when < moment, and_(when == moment, unique < last))
        else:
            beyond = or_(when > moment, and_(when == moment, unique > last))
        statement = statement.where(beyond)
    if newest_first:
        return statement.order_by(when.desc(), unique.desc())
    return statement.order_by(when, unique)
