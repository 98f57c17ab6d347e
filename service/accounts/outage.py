"""While a server does not respond, one thread at a time tries it again, and the others need not wait."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class OutageError(Exception):
    """The server did not respond when it was last tried, for the reason in the message."""


class Outage:
    """Remembers whether a server responds; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason: str | None = None
        self._retry_at = 0.0

    @contextmanager
    def attempt(self, is_outage: Callable[[BaseException], bool]) -> Iterator[None]:
        """Try the server in the block; an error for which `is_outage` holds says that it does not respond.

        Raises `OutageError` without trying while it does not and another thread tries already, or failed
        a shorter time ago than it had tried for.
        """
        known, start = self._reason, time.monotonic()
        if known is not None and (start < self._retry_at or not self._lock.acquire(blocking=False)):
            raise OutageError(known)
        try:
            yield
        except BaseException as error:
            if is_outage(error):
                failed = time.monotonic()
                self._retry_at = failed + (failed - start)
                # Not the error itself, whose traceback would keep connections.
                self._reason = str(getattr(error, "orig", error))
            elif known is not None:
                self._reason = None
            raise
        else:
            if known is not None:
                self._reason = None
        finally:
            if known is not None:
                self._lock.release()
