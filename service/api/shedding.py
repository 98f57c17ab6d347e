"""What is done while the queue is full: renders are refused at once, by what can be told without any work."""

from __future__ import annotations

import time

import structlog
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from service.accounts.limits import Window
from service.api import admission, body
from service.api.answers import SAFE, failure, limit_headers
from service.api.parts import Parts
from service.errors import MockupError

log = structlog.get_logger(__name__)

# A flood is told once in so many seconds, not with every request.
TOLD_S = 1.0


class Shedding:
    """Refuses renders that find the queue full, and keeps a place in it for those that do not.

    Nothing is read, parsed, looked up or waited for to refuse one, so that a flood costs the renders little.
    The answer is given whole here, since each layer around it would cost about as much as the decision does.
    A place is kept from the head on, or else all who see a free one would be let in for one to get it.
    """

    def __init__(self, app: ASGIApp, path: str = "/api/v1/mockup") -> None:
        self._app = app
        self._path = path
        self._shed = 0
        self._told = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or scope["path"] != self._path or scope["method"] != "POST":
            return await self._app(scope, receive, send)
        parts: Parts = scope["app"].state.parts
        request = Request(scope)
        if parts.workers.full:
            error, window = self._refusal(parts, request)
            answer = failure(error, SAFE | limit_headers(window))
            return await answer(scope, receive, send)
        # A place is kept for those alone who had a key a moment ago: strangers must not take them all.
        key = admission.bearer(request)
        holder = parts.accounts.recall(key) if key else None
        if holder is None:
            return await self._app(scope, receive, send)
        with parts.workers.place(str(holder)) as place:
            scope["state"]["place"] = place
            await self._app(scope, receive, send)

    def _refusal(self, parts: Parts, request: Request) -> tuple[MockupError, Window]:
        request.scope["state"]["shed"] = True
        self._tell()
        try:
            body.check_length(request, parts.config.max_body_bytes)
        except MockupError as error:
            return error, _unknown(parts)
        told, window = admission.refusal_at_once(request)
        return told or parts.workers.busy(), window or _unknown(parts)

    def _tell(self) -> None:
        self._shed += 1
        if time.monotonic() - self._told >= TOLD_S:
            log.warning("flood, requests were refused unseen", requests=self._shed)
            self._shed, self._told = 0, time.monotonic()


def _unknown(parts: Parts) -> Window:
    """The limit as it is for somebody of whom nothing is known: the request was not counted."""
    limit, length = parts.config.rate_limit, parts.config.rate_window_s
    return Window(limit, limit, round(time.time()) + length, True, length)
