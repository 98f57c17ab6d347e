"""Ends of keys and subscriptions."""

from __future__ import annotations

from datetime import UTC, datetime

from service.accounts.errors import AccountError
from service.accounts.tables import now


def has_come(end: datetime | None) -> bool:
    """Whether an end has come; None stands for no end."""
    return end is not None and end <= now()


def check(end: datetime | None, field: str, instead: str) -> None:
    """Raise AccountError about `field` for an end that has come; `instead` is what would end it at once."""
    if end is not None and has_come(end):
        raise AccountError(f"{end.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC is in the past; {instead}", field)
