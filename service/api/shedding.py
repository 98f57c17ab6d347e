"""Load shedding: renders that would find no place are refused by their head, at the least cost.

Nothing is read, parsed, looked up or waited for to refuse one, so that a flood costs the renders little.
"""

from __future__ import annotations

import time

import structlog
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from service.accounts.keys import user_owner
from service.accounts.limits import Window
from service.api import admission, authorization, body, cors, request_log
from service.api.responses import SAFE, failure, limit_headers
from service.api.services import services_of
from service.errors import MockupError

log = structlog.get_logger(__name__)

PATH = "/api/v1/mockup"
# A flood is told once in so many seconds, not with every request.
TOLD_S = 1.0


class LoadShedder:
    """Refuses renders while there is no place for them; in front of all other layers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._shed = 0
        self._told = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or not _is_render(scope):
            return await self._app(scope, receive, send)
        request = Request(scope)
        services = services_of(request)
        key = authorization.bearer(request)
        holder = services.accounts.recall(key) if key else None
        owner = None if holder is None else user_owner(holder)
        state = scope.setdefault("state", {})
        if not services.queue.is_full(owner):
            if owner is None:
                return await self._app(scope, receive, send)
            # Before all checks: a crowd would follow one that is being checked into the same free slot.
            with services.queue.slot(owner):
                state["slot"] = owner
                return await self._app(scope, receive, send)
        state["shed"] = True
        self._tell()
        request_log.begin(request)
        error, window = _verdict(request)
        # All headers are given here, since each layer around an answer costs about as much as the decision.
        headers = SAFE | limit_headers(window) | cors.headers(request)
        headers |= request_log.end(request, error.status)
        return await failure(error, headers)(scope, receive, send)

    def _tell(self) -> None:
        self._shed += 1
        if time.monotonic() - self._told >= TOLD_S:
            log.warning("flood, requests were refused unseen", requests=self._shed)
            self._shed, self._told = 0, time.monotonic()


def _is_render(scope: Scope) -> bool:
    return bool(scope["path"] == PATH and scope["method"] == "POST")


def _verdict(request: Request) -> tuple[MockupError, Window]:
    services = services_of(request)
    try:
        body.check_length(request, services.config.max_body_bytes)
    except MockupError as error:
        return error, services.limits.untouched()
    told, window = admission.refusal_at_once(request)
    return told or services.queue.busy(), window or services.limits.untouched()
