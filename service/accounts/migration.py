"""Upgrades the database's tables; safe when several processes start at once."""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from .database import Database
from .errors import AccountError
from .tables import metadata

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
HEAD = "0012"
# The key of PostgreSQL's advisory lock: any number will do, as long as it never changes.
LOCK = 0x6D6F636B7570


def revision(database: Database) -> str | None:
    """The database's current migration, or None."""
    with database.read() as connection:
        return _revision(connection)


def upgrade(database: Database) -> None:
    """Run all missing migrations in one transaction, holding the database's write lock."""
    if revision(database) == HEAD:
        return
    # Alembic logs each of its plugins when it is imported, and then each version that it runs.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # Alembic is slow to import and rarely needed.
    from alembic import command
    from alembic.config import Config as AlembicConfig
    from alembic.util import CommandError

    alembic = AlembicConfig(attributes={"metadata": metadata})
    alembic.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with database.change_tables() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        alembic.attributes["connection"] = connection
        try:
            command.upgrade(alembic, "head")
        except CommandError as error:
            found = _revision(connection)
            raise AccountError(f"the database is at version {found}, newer than this program's") from error
    log.info("the database's tables were upgraded to version %s", HEAD)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found
