"""Whether the database can be written to, found out by writing to it."""

from __future__ import annotations

import secrets
import threading
import time
import uuid

import structlog
from sqlalchemy import delete, insert

from service.accounts.database import Database, cause
from service.accounts.tables import trials
from service.errors import MockupError

# A write that went well is believed this long, unless another fails meanwhile.
FRESH_S = 5.0
# As much as the largest project by default, so that a database with room for less is known to be full.
SIZE = 16 * 1024

log = structlog.get_logger(__name__)


class Trial:
    """Writes a row and removes it again, each time for real; for several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._fit: bool | None = None
        self._moment = 0.0

    def passed(self) -> bool:
        """Whether the database takes what is written; while one thread tries, others get the last answer."""
        if not self._lock.acquire(blocking=self._fit is None):
            return bool(self._fit)
        try:
            stale = time.monotonic() - self._moment > FRESH_S or self._database.failed >= self._moment
            if not self._fit or stale:
                self._moment = time.monotonic()
                self._fit = self._tried()
            return self._fit
        finally:
            self._lock.release()

    def _tried(self) -> bool:
        row = {"id": uuid.uuid4(), "filler": secrets.token_hex(SIZE // 2)}
        try:
            with self._database.write(impatient=True) as connection:
                connection.execute(insert(trials).values(row))
            # In a transaction of its own: what is undone before it is committed never reaches the disk.
            with self._database.write(impatient=True) as connection:
                connection.execute(delete(trials))
        except MockupError as error:
            log.warning("database not writable", reason=cause(error))
            return False
        return True
