"""While a server does not respond, one thread at a time tries it; the others fail without waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class OutageError(Exception):
    """The server did not respond when it was last tried, for the reason in the message."""


class CircuitBreaker:
    """Remembers whether a server responds; safe to use from several threads."""

    def __init__(
        self, pause: float | None = None, changed: Callable[[str | None], object] = lambda reason: None
    ) -> None:
        """After a failure, no attempt is made for `pause` seconds, or if that is None, for as long as the
        attempt took.

        `changed` is called with the reason when the server stops responding, and with None when it responds
        again.
        """
        self._pause = pause
        self._changed = changed
        self._probing, self._telling = threading.Lock(), threading.Lock()
        self._reason: str | None = None
        self._retry_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the server did not respond when it was last tried."""
        return self._reason is not None

    @property
    def is_paused(self) -> bool:
        """Whether attempts are paused."""
        return self.is_open and time.monotonic() < self._retry_at

    @contextmanager
    def attempt(self, is_outage: Callable[[BaseException], bool]) -> Iterator[None]:
        """Try the server in the block; an error for which `is_outage` is true means that the server does not
        respond.

        Raises `OutageError` without trying while attempts are paused or another thread makes one.
        """
        known, start = self._reason, time.monotonic()
        if known is not None and (self.is_paused or not self._probing.acquire(blocking=False)):
            raise OutageError(known)
        try:
            yield
        except BaseException as error:
            if is_outage(error):
                failed = time.monotonic()
                self._retry_at = failed + (failed - start if self._pause is None else self._pause)
                # Keep only the text: the error's traceback would keep connections alive.
                self._set(str(getattr(error, "orig", error)))
            elif known is not None:
                self._set(None)
            raise
        else:
            if known is not None:
                self._set(None)
        finally:
            if known is not None:
                self._probing.release()

    def _set(self, reason: str | None) -> None:
        with self._telling:
            before, self._reason = self._reason, reason
        if (before is None) != (reason is None):
            self._changed(reason)
