"""Sets of a million texts on disk, so that memory does not grow with a manifest."""

from __future__ import annotations

import sqlite3
from hashlib import blake2b
from typing import Literal, Self

# KiB of memory for pages of the sets.
CACHE_KIB = 32 * 1024

EntryKind = Literal["output", "screenshot", "published", "committed"]


class Index:
    """Texts by their 128-bit digests, each with a line, in a temporary SQLite database without a name."""

    def __init__(self) -> None:
        # With an empty name, SQLite uses a temporary file, and deletes it when the connection is closed.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("BEGIN")
        self._database.execute(
            "CREATE TABLE texts (kind TEXT, digest BLOB, line INT, PRIMARY KEY (kind, digest)) WITHOUT ROWID"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def add(self, kind: EntryKind, text: str, line: int = 0) -> bool:
        """Record a text and the line it is on; returns whether it is new."""
        query = "INSERT OR IGNORE INTO texts VALUES (?, ?, ?)"
        return self._database.execute(query, (kind, _digest(text), line)).rowcount == 1

    def line(self, kind: EntryKind, text: str) -> int | None:
        """The line that a text was first recorded with, None if it was not."""
        query = "SELECT line FROM texts WHERE kind = ? AND digest = ?"
        found = self._database.execute(query, (kind, _digest(text))).fetchone()
        return None if found is None else int(found[0])

    def overwritten(self) -> list[tuple[int, int]]:
        """The first hundred lines whose output other lines read, each with the lines that read it."""
        query = (
            "SELECT o.line, s.line FROM texts o JOIN texts s USING (digest)"
            " WHERE o.kind = 'output' AND s.kind = 'screenshot' ORDER BY 1 LIMIT 100"
        )
        return list(self._database.execute(query))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
