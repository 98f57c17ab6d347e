"""What is done while the queue is full: renders are refused at once, by what can be told without any work."""

from __future__ import annotations

import asyncio
import time

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from service.accounts.limits import Window
from service.api import admission, body, passage
from service.api.answers import SAFE, failure, limit_headers
from service.api.parts import Parts, parts_of
from service.errors import MockupError

log = structlog.get_logger(__name__)

PATH = "/api/v1/mockup"
# A flood is told once in so many seconds, not with every request.
TOLD_S = 1.0


class Door:
    """Refuses renders that find the queue full.

    Nothing is read, parsed, looked up or waited for to refuse one, so that a flood costs the renders little.
    """

    def __init__(self, app: Starlette) -> None:
        """For the application whose parts are asked."""
        self._app = app
        self._entering = 0
        self._shed = 0
        self._told = 0.0

    def turn_away(self, scope: Scope) -> Response | None:
        """The whole answer to a request that goes no further, None to others; asked at the head.

        `scope` has method, path, headers, client and state.
        """
        if not _is_render(scope):
            return None
        parts: Parts = self._app.state.parts
        if parts.queue.free > self._entering:
            self._let_in()
            return None
        scope["app"] = self._app
        request = Request(scope)
        passage.begin(request)
        answer = self.refusal(request)
        for name, value in passage.end(request, answer.status_code).items():
            answer.raw_headers.append((name.lower().encode("latin-1"), value.encode("latin-1")))
        return answer

    def _let_in(self) -> None:
        # It keeps its place at the loop's next turn; until then others must not be let in for the same one.
        if not self._entering:
            asyncio.get_running_loop().call_soon(self._entered)
        self._entering += 1

    def _entered(self) -> None:
        self._entering = 0

    def refusal(self, request: Request) -> Response:
        """What is said at the shut door.

        All headers but those of the passage are given here, since each layer around an answer costs about as
        much as the decision does.
        """
        request.scope["state"]["shed"] = True
        self._tell()
        error, window = _verdict(request)
        return failure(error, SAFE | limit_headers(window))

    def _tell(self) -> None:
        self._shed += 1
        if time.monotonic() - self._told >= TOLD_S:
            log.warning("flood, requests were refused unseen", requests=self._shed)
            self._shed, self._told = 0, time.monotonic()


class Shedding:
    """Keeps a place in the queue for renders, and asks the door once more.

    The server asked it at the head, but others may have come in since, and some names for the path are known
    only here. A place is kept from then on, or else all who see a free one would be let in for one to get it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or not _is_render(scope):
            return await self._app(scope, receive, send)
        request = Request(scope)
        parts = parts_of(request)
        if parts.queue.full:
            door: Door = request.app.state.door
            return await door.refusal(request)(scope, receive, send)
        # A place is kept for those alone who had a key a moment ago: strangers must not take them all.
        key = admission.bearer(request)
        holder = parts.accounts.recall(key) if key else None
        if holder is None:
            return await self._app(scope, receive, send)
        with parts.queue.place(str(holder)) as place:
            scope["state"]["place"] = place
            await self._app(scope, receive, send)


def _is_render(scope: Scope) -> bool:
    return bool(scope["path"] == PATH and scope["method"] == "POST")


def _verdict(request: Request) -> tuple[MockupError, Window]:
    parts = parts_of(request)
    try:
        body.check_length(request, parts.config.max_body_bytes)
    except MockupError as error:
        return error, _unknown(parts)
    told, window = admission.refusal_at_once(request)
    return told or parts.queue.busy(), window or _unknown(parts)


def _unknown(parts: Parts) -> Window:
    """The limit as it is for somebody of whom nothing is known: the request was not counted."""
    limit, length = parts.config.rate_limit, parts.config.rate_window_s
    return Window(limit, limit, round(time.time()) + length, True, length)
