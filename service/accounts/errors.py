"""Mistakes an operator can mend."""

from __future__ import annotations

from datetime import UTC, datetime


class AccountError(Exception):
    """A mistake with a public message; `member` names the value that is wrong, if it is one."""

    def __init__(self, message: str, member: str = "") -> None:
        super().__init__(message)
        self.member = member


class PastError(AccountError):
    """An end that has come; `instead` says what would end it at once."""

    def __init__(self, end: datetime, member: str, instead: str) -> None:
        super().__init__(f"{end.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC is in the past; {instead}", member)
        self.instead = instead


class MissingError(AccountError):
    """What was named does not exist."""
