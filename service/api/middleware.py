"""What surrounds every operation, outermost first; the list is at the end."""

from __future__ import annotations

import random
import re
import time

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.accounts.limits import Window
from service.accounts.store import Caller
from service.api import admission
from service.api.answers import SAFE, limit_headers
from service.api.failures import Failures
from service.api.parts import parts_of
from service.api.shedding import Shedding

log = structlog.get_logger(__name__)
API = "/api/v1/"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
# Unique rather than secret, and without a system call, at which the event loop would lose the interpreter.
_names = random.Random(random.SystemRandom().getrandbits(128))
_QUIET = ("/health", "/api/v1/health")


class Headed:
    """Adds headers to every HTTP answer; subclasses say which."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and head the answer."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        scope.setdefault("state", {})
        self.begin(scope)

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self.head(scope, MutableHeaders(scope=message), message["status"])
            await send(message)

        await self.app(scope, receive, headed)

    def begin(self, scope: Scope) -> None:
        """Called before the request is passed on."""

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Called when the answer begins."""
        raise NotImplementedError


class RequestIds(Headed):
    """Names every request, logs it, and tells how long the stages of its work took."""

    def begin(self, scope: Scope) -> None:
        """Take the caller's name when it is a fit one, else make one."""
        given = Headers(scope=scope).get("x-request-id", "")
        name = given if _REQUEST_ID.fullmatch(given) else f"{_names.getrandbits(128):032x}"
        started = scope["state"].get("received") or time.perf_counter()
        scope["state"] |= {"request_id": name, "started": started}
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=name)

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add `X-Request-Id` and, after work that has stages, `Server-Timing`."""
        state = scope["state"]
        headers["X-Request-Id"] = state["request_id"]
        if clock := state.get("clock"):
            stages = [f"{name};dur={spent:.1f}" for name, spent in list(clock.stages.items())]
            headers["Server-Timing"] = ", ".join(stages)
        spent = (time.perf_counter() - state["started"]) * 1e3
        parts_of(Request(scope)).metrics.answered(scope, status, spent / 1e3)
        quiet = scope["path"].startswith(_QUIET) or state.get("shed", False)
        level = log.debug if quiet else log.info
        caller: Caller | None = state.get("caller")
        told = {"key": caller.key_prefix} if caller else {}
        level(
            "request",
            method=scope["method"],
            path=scope["path"][:200],
            status=status,
            ms=round(spent, 1),
            **told,
        )


class SafeHeaders(Headed):
    """Tells browsers not to guess types and not to run anything; a page's own policy wins."""

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add the headers that the answer does not have."""
        for name, value in SAFE.items():
            headers.setdefault(name, value)


class LimitHeaders(Headed):
    """Shows the rate limit on every answer under `/api/v1/`; only the mockup operation uses it up."""

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add the state of the window that counted, or would count, the request."""
        if not scope["path"].startswith(API):
            return
        window: Window | None = scope["state"].get("window")
        try:
            window = window or await admission.peek(Request(scope))
        except Exception:
            # An answer without these headers is better than none.
            log.exception("rate limit not readable")
            return
        headers.update(limit_headers(window))


MIDDLEWARE = [
    Middleware(RequestIds),
    Middleware(Shedding),
    Middleware(SafeHeaders),
    Middleware(LimitHeaders),
    Middleware(Failures),
]
