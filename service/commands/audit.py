"""`audit`: who changed what about the accounts."""

from __future__ import annotations

from typing import Any

from ..accounts.audit import Event
from .environment import open_accounts
from .listing import show


def list_events(most: int, *, json: bool) -> None:
    """Print the newest `most` events, the newest first."""
    found: list[Event] = []
    after = None
    with open_accounts() as accounts:
        while len(found) < most:
            events, after = accounts.audit.page(min(most - len(found), 100), after)
            found += events
            if after is None:
                break
    show(
        ("TIME", "ACTOR", "KEY", "ACTION", "TARGET", "DETAILS"),
        (
            (e.at, e.actor, e.key_prefix, e.action, e.target, e.details if json else _written(e.details))
            for e in found
        ),
        json=json,
    )


def _written(details: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in details.items()) or "-"
