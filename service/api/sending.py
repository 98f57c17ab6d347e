"""Sends large responses in pieces, at the client's pace, and charges for them until they are sent."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..accounts.store import Caller
from .services import services_of

PIECE = 256 * 1024
# Responses up to this size are sent at once and charged to nobody.
UNCHARGED = 32 * 1024


class Sending:
    """Charges responses to the user, or to the client address if there is no user, until they are sent.

    If the budget is exceeded, connections of clients that read slowly are closed. Responses that exist once
    for all readers are neither charged nor copied.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and send its response."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def sent(message: Message) -> None:
            body = message.get("body", b"")
            if not body or scope["method"] == "HEAD":
                return await send({**message, "body": b""} if body else message)
            if len(body) <= UNCHARGED:
                # Copied, so that these few bytes do not keep a larger buffer in memory.
                return await send({**message, "body": bytes(body)})
            limit_buffer = scope["state"].get("limit_buffer", _unlimited)
            with _charged(scope, len(body)):
                view = memoryview(body)
                for at in range(0, len(view), PIECE):
                    await send({**message, "body": view[at : at + PIECE], "more_body": True})
                    limit_buffer(0)
                # Wait until everything is sent, and drop the reference to the body.
                await send({**message, "body": b"", "more_body": message.get("more_body", False)})
            limit_buffer(UNCHARGED)

        await self._app(scope, receive, sent)


def _unlimited(size: int) -> None:
    """For servers without a buffer of their own."""


def _charged(scope: Scope, size: int) -> AbstractContextManager[object]:
    state = scope["state"]
    if state.get("shared", False):
        return nullcontext()
    request = Request(scope)
    caller: Caller | None = state.get("caller")
    owner = request.app.state.proxies.owner(scope) if caller is None else caller.owner
    return services_of(request).budget.hold(owner, size, state.get("abort"))
