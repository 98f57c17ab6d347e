"""Who is charged for bytes before an API key has been shown: the client address."""

from __future__ import annotations


def client_owner(client: tuple[str, int] | None) -> str:
    """The owner for a connection's host and port; unknown peers share one."""
    return f"address:{client[0] if client else 'unknown'}"
