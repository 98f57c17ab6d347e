"""Ends of keys and subscriptions."""

from __future__ import annotations

from datetime import datetime

from .errors import PastError
from .tables import now


def has_come(end: datetime | None) -> bool:
    """Whether an end has come; None means that there is no end."""
    return end is not None and end <= now()


def check(end: datetime | None, field: str, instead: str) -> None:
    """Raise PastError about `field` for an end that has come; `instead` suggests a way to end it at once."""
    if end is not None and has_come(end):
        raise PastError(end, field, instead)
