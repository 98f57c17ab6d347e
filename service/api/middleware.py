"""What surrounds every operation; the list is at the end."""

from __future__ import annotations

import structlog
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.accounts.database import cause
from service.accounts.limits import Window
from service.api import admission, cors, request_log
from service.api.failures import Failures
from service.api.responses import SAFE, limit_headers
from service.api.sending import Sending
from service.api.services import services_of
from service.api.shedding import LoadShedder
from service.config import Config
from service.errors import MockupError

log = structlog.get_logger(__name__)
API = "/api/v1/"


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
        """Name the request, in its log lines too."""
        name = request_log.begin(Request(scope))
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=name)

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add `X-Request-Id` and, after work that has stages, `Server-Timing`."""
        headers.update(request_log.end(Request(scope), status))


class SafeHeaders(Headed):
    """Tells browsers not to guess types and not to run anything; a page's own policy wins."""

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add the headers that the answer does not have."""
        given = SAFE | cors.PUBLIC if scope["state"].get("public") else SAFE
        for name, value in given.items():
            headers.setdefault(name, value)


class LimitHeaders(Headed):
    """Shows the rate limit on every answer under `/api/v1/`; only the mockup operation uses it up."""

    async def head(self, scope: Scope, headers: MutableHeaders, status: int) -> None:
        """Add the state of the window that counted, or would count, the request; 503 is not counted."""
        if not scope["path"].startswith(API):
            return
        request = Request(scope)
        try:
            if status == 503:
                await admission.refund(request)
            window: Window = scope["state"].get("window") or await admission.peek(request)
        except MockupError as error:
            log.warning("rate limit not readable", reason=cause(error))
            window = services_of(request).limits.untouched()
        except Exception:
            log.exception("rate limit not readable")
            window = services_of(request).limits.untouched()
        headers.update(limit_headers(window))


def surrounding(config: Config) -> list[Middleware]:
    """The layers around every operation, outermost first."""
    origins = config.cors_origins
    return [
        Middleware(LoadShedder),
        Middleware(Sending),
        Middleware(RequestIds),
        Middleware(SafeHeaders),
        Middleware(LimitHeaders),
        *([Middleware(CORSMiddleware, **cors.options(origins))] if origins else []),
        Middleware(Failures),
    ]
