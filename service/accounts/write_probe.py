"""Checks whether the database is writable by writing to it."""

from __future__ import annotations

import secrets
import threading
import time
import uuid

import structlog
from sqlalchemy import delete, insert

from ..errors import MockupError
from .database import Database, cause
from .tables import trials

# How long a successful probe stays valid, unless another write fails meanwhile.
FRESH_S = 5.0
# The default size limit of a project: a database with less room counts as full.
SIZE = 16 * 1024

log = structlog.get_logger(__name__)


class WriteProbe:
    """Writes and deletes a row; safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._writable: bool | None = None
        self._probed = 0.0

    def passed(self) -> bool:
        """Whether the database is writable; while one thread probes, others get the previous result."""
        if not self._lock.acquire(blocking=self._writable is None):
            return bool(self._writable)
        try:
            stale = time.monotonic() - self._probed > FRESH_S or self._database.failed >= self._probed
            if not self._writable or stale:
                self._probed = time.monotonic()
                self._writable = self._probe()
            return self._writable
        finally:
            self._lock.release()

    def _probe(self) -> bool:
        row = {"id": uuid.uuid4(), "filler": secrets.token_hex(SIZE // 2)}
        try:
            with self._database.write(impatient=True) as connection:
                connection.execute(insert(trials).values(row))
            # In a separate transaction: an uncommitted row would never reach the disk.
            with self._database.write(impatient=True) as connection:
                connection.execute(delete(trials))
        except MockupError as error:
            log.warning("database not writable", reason=cause(error))
            return False
        return True
