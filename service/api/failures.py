"""Turns every failure into a documented response; causes are logged but never sent to the caller."""

from __future__ import annotations

import traceback

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..accounts.database import cause
from ..clock import CancelledError
from ..errors import Code, MockupError, failed
from . import paths, request_log
from .responses import failure

log = structlog.get_logger(__name__)


async def known(request: Request, error: Exception) -> Response:
    """The response to an error with a public message."""
    assert isinstance(error, MockupError)
    if error.code is Code.RENDER_FAILED:
        log.error("render failed", exc_info=error)
    elif error.code is Code.SERVER_BUSY and error.__cause__ is not None and request_log.may_log(request):
        lacking = "uploads" if isinstance(error.__cause__, OSError) else "database"
        log.warning(f"{lacking} unavailable", reason=cause(error))
    _clear_frames(error)
    return failure(error)


async def routing(request: Request, error: Exception) -> Response:
    """The response to an unknown path or method."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        message = paths.not_allowed(request.method, request.url.path, allowed)
        return failure(MockupError(Code.METHOD_NOT_ALLOWED, message), {"Allow": allowed})
    if error.status_code == 404:
        return failure(MockupError(Code.NOT_FOUND, paths.nothing_at(request.url.path)))
    return failure(MockupError(Code.INVALID_REQUEST, "The request is invalid"))


def _clear_frames(error: BaseException | None) -> None:
    """Clear the frames of an error's traceback.

    Tasks and their errors refer to each other, so without this, large bodies would stay in memory until the
    next garbage collection.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__


HANDLERS = {MockupError: known, HTTPException: routing}


class Failures:
    """Responds to unexpected errors with 500; sends nothing to a client that has left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        started = False

        async def tracked(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, tracked)
        except (ClientDisconnect, CancelledError) as error:
            _clear_frames(error)
            if request_log.may_log(Request(scope)):
                log.info("client left", path=scope["path"][:200])
        except Exception:
            log.exception("request failed", path=scope["path"])
            if started:
                raise
            await failure(failed())(scope, receive, send)
