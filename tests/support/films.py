"""Films in the database, as requests and other instances leave them there."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import update

from service.accounts import tables
from service.accounts.films import FilmSize, StoredFilm
from service.accounts.store import Accounts, User


def submitted(accounts: Accounts, user: User, webhook: Mapping[str, str] | None = None) -> StoredFilm:
    """A film of two frames that waits to be made."""
    return accounts.films.submit(user.id, {"export": {}}, uuid.uuid4(), FilmSize(2, 25, 160, 120), webhook)


def change(accounts: Accounts, **columns: Any) -> None:
    """Write columns of all films."""
    with accounts.database.write() as connection:
        connection.execute(update(tables.films).values(**columns))
