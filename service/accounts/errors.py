"""Mistakes that an operator can correct."""

from __future__ import annotations

from datetime import UTC, datetime


class AccountError(Exception):
    """A mistake with a public message; `member` names the wrong value, if there is one."""

    def __init__(self, message: str, member: str = "") -> None:
        super().__init__(message)
        self.member = member


class PastError(AccountError):
    """An expiry in the past; `instead` names the command that revokes at once."""

    def __init__(self, end: datetime, member: str, instead: str) -> None:
        super().__init__(f"{end.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC is in the past; {instead}", member)
        self.instead = instead


class MissingError(AccountError):
    """Nothing exists under the given name."""
