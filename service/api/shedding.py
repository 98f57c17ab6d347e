"""What is done in a flood: renders are refused before anything is read or looked up."""

from __future__ import annotations

import time

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from service.accounts.limits import Window
from service.api.answers import failure
from service.api.parts import Parts

log = structlog.get_logger(__name__)

# While the queue is full, requests are looked at in the documented order of checks, only to be refused at the
# last one: so many at once, and so many a second after that. Looking at more would keep the render threads
# from their work.
BURST = 8.0
LOOKS_PER_S = 20.0
# A flood is told once in so many seconds, not with every request.
TOLD_S = 1.0


class Shedding:
    """Answers `SERVER_BUSY` at once when the queue is full and more requests come than can be looked at."""

    def __init__(self, app: ASGIApp, path: str = "/api/v1/mockup") -> None:
        self._app = app
        self._path = path
        self._looks = BURST
        self._since = time.monotonic()
        self._shed = 0
        self._told = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or scope["path"] != self._path or scope["method"] != "POST":
            return await self._app(scope, receive, send)
        parts: Parts = scope["app"].state.parts
        workers = parts.workers
        if workers.full and not self._may_look():
            scope["state"] |= {"window": _unknown(parts), "shed": True}
            self._tell()
            return await failure(workers.busy())(scope, receive, send)
        await self._app(scope, receive, send)

    def _may_look(self) -> bool:
        now = time.monotonic()
        self._looks = min(BURST, self._looks + LOOKS_PER_S * (now - self._since))
        self._since = now
        if self._looks < 1:
            return False
        self._looks -= 1
        return True

    def _tell(self) -> None:
        self._shed += 1
        if time.monotonic() - self._told >= TOLD_S:
            log.warning("flood, requests were refused unseen", requests=self._shed)
            self._shed, self._told = 0, time.monotonic()


def _unknown(parts: Parts) -> Window:
    """The limit as it is for somebody of whom nothing is known: the request was not counted."""
    limit, length = parts.config.rate_limit, parts.config.rate_window_s
    return Window(limit, limit, round(time.time()) + length, True, length)
