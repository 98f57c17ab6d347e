"""PostgreSQL's driver with a limit on how long the server may keep silent."""

from __future__ import annotations

from typing import Any

import psycopg


class PatientConnection(psycopg.Connection[Any]):
    """A connection that is closed when a reply takes longer than `patience_s`, unless that is None.

    A server that hangs does not enforce its own limits, and the operating system keeps a connection to it
    open.
    """

    patience_s: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for the server's reply; raises OperationalError if it does not come."""
        if timeout is not None or self.patience_s is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.patience_s)
        except psycopg.OperationalError as error:
            # An error without a state comes from the driver itself. Close the connection, because a late
            # reply would be taken for that of the next statement.
            if error.sqlstate is None:
                self.pgconn.finish()
            raise
