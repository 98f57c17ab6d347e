"""Load shedding: while the queue is full, refuses renders as soon as their request heads have arrived.

A refusal reads no body, parses nothing, looks nothing up and never waits, so a flood hardly slows renders.
"""

from __future__ import annotations

import time

import structlog
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ..accounts.limits import Window
from ..errors import MockupError
from . import admission, authorization, body, cors, request_log
from .responses import SAFE, failure, limit_headers
from .services import services_of

log = structlog.get_logger(__name__)

PATH = "/api/v1/mockup"
# Seconds between log lines about refused requests.
REPORT_S = 1.0


class LoadShedder:
    """Refuses renders while the queue is full; the outermost middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._shed = 0
        self._reported = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or not _is_render(scope):
            return await self._app(scope, receive, send)
        request = Request(scope)
        services = services_of(request)
        key = authorization.bearer(request)
        holder = services.accounts.recall(key) if key else None
        owner = None if holder is None else holder.owner
        state = scope.setdefault("state", {})
        if not services.queue.is_full(owner):
            if owner is None:
                return await self._app(scope, receive, send)
            # Take the slot before all checks; otherwise many requests would pass while it is still free.
            with services.queue.slot(owner):
                state["slot"] = owner
                return await self._app(scope, receive, send)
        state["shed"] = True
        self._report()
        request_log.begin(request)
        error, window = _refusal(request)
        # Set all headers here, since each middleware layer costs about as much as the decision itself.
        headers = SAFE | limit_headers(window) | cors.headers(request)
        headers |= request_log.end(request, error.status)
        return await failure(error, headers)(scope, receive, send)

    def _report(self) -> None:
        self._shed += 1
        if time.monotonic() - self._reported >= REPORT_S:
            log.warning("queue full, requests refused before their bodies were read", requests=self._shed)
            self._shed, self._reported = 0, time.monotonic()


def _is_render(scope: Scope) -> bool:
    return bool(scope["path"] == PATH and scope["method"] == "POST")


def _refusal(request: Request) -> tuple[MockupError, Window]:
    """The error of the 503, 429, 401 or 413 response, and the window for its headers."""
    services = services_of(request)
    try:
        body.check_length(request, services.config.max_body_bytes)
    except MockupError as error:
        return error, services.limits.untouched()
    refusal, window = admission.immediate_refusal(request)
    return refusal or services.queue.busy(), window or services.limits.untouched()
