"""The middleware around every operation; the list is at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import structlog
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..accounts.database import cause
from ..accounts.limits import Window
from ..config import Config
from ..errors import MockupError
from . import admission, cors, request_log
from .failures import Failures
from .responses import SAFE, limit_headers
from .sending import Sending
from .services import services_of
from .shedding import LoadShedder

if TYPE_CHECKING:
    from .tracer import Tracer

log = structlog.get_logger(__name__)
API = "/api/v1/"


class HeaderMiddleware:
    """Adds headers to every HTTP response; subclasses say which."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add the headers."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        scope.setdefault("state", {})
        self.begin(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self.head(scope, MutableHeaders(scope=message), message["status"])
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def begin(self, scope: Scope) -> None:
        """Called before the request is passed on."""

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Called when the response starts."""
        raise NotImplementedError


class RequestIds(HeaderMiddleware):
    """Gives every request an id, logs it, and reports the time of each stage."""

    def begin(self, scope: Scope) -> None:
        """Set the request's id, in its log lines too."""
        name = request_log.begin(Request(scope))
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=name)

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add `X-Request-Id` and, if there are stages, `Server-Timing`."""
        headers.update(request_log.end(Request(scope), status))


class SafeHeaders(HeaderMiddleware):
    """Tells browsers not to guess types and not to run anything; a page's own policy wins."""

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add the headers that the response does not have."""
        given = SAFE | cors.PUBLIC if scope["state"].get("public") else SAFE
        for name, value in given.items():
            headers.setdefault(name, value)


class LimitHeaders(HeaderMiddleware):
    """Adds the rate limit to every response under `/api/v1/`, whether or not the request counts."""

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add the window in which the request counts, or would count; requests that end with 503 are
        refunded."""
        if not scope["path"].startswith(API):
            return
        request = Request(scope)
        try:
            if status == 503:
                await admission.refund(request)
            window: Window = scope["state"].get("window") or await admission.peek(request)
        except MockupError as error:
            log.warning("rate limit unavailable", reason=cause(error))
            window = services_of(request).limits.untouched()
        except Exception:
            log.exception("rate limit unavailable")
            window = services_of(request).limits.untouched()
        headers.update(limit_headers(window))


def middleware(
    config: Config, tracer: Tracer | None, public_paths: Sequence[re.Pattern[str]]
) -> list[Middleware]:
    """The middleware around every operation, outermost first; any site may read `public_paths`."""
    origins = config.cors_origins
    return [
        Middleware(LoadShedder),
        Middleware(Sending),
        Middleware(RequestIds),
        *_traces(tracer),
        Middleware(SafeHeaders),
        Middleware(LimitHeaders),
        Middleware(cors.PublicPreflights, paths=public_paths),
        *([Middleware(CORSMiddleware, **cors.options(origins))] if origins else []),
        Middleware(Failures),
    ]


def _traces(tracer: Tracer | None) -> list[Middleware]:
    if tracer is None:
        return []
    from .tracer import Traces

    return [Middleware(Traces, tracer=tracer)]
