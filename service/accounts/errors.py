"""What goes wrong for an operator rather than for a caller."""

from __future__ import annotations


class AccountError(Exception):
    """The accounts cannot do what was asked of them; the message says why, to whoever runs the service."""
