"""Mistakes an operator can mend."""

from __future__ import annotations


class AccountError(Exception):
    """A mistake with a public message; `member` names the value that is wrong, if it is one."""

    def __init__(self, message: str, member: str = "") -> None:
        super().__init__(message)
        self.member = member


class MissingError(AccountError):
    """What was named does not exist."""
