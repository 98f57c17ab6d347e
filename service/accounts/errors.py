"""Errors for the operator rather than for API callers."""

from __future__ import annotations


class AccountError(Exception):
    """An operation on the accounts failed; the message tells the operator why."""
