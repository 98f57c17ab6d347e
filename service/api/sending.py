"""Sends large responses in pieces, as fast as the client reads them, and charges them meanwhile."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.accounts.store import Caller
from service.admission.owners import client_owner
from service.api.services import services_of

PIECE = 256 * 1024


class Sending:
    """Charges responses to the user, or to the client address without one.

    If the budget is exceeded, connections of clients that read slowly are closed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and send its response."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def sent(message: Message) -> None:
            body = message.get("body", b"")
            if len(body) <= PIECE:
                return await send(message)
            budget = services_of(Request(scope)).budget
            with budget.hold(_owner(scope), len(body), scope["state"].get("abort")):
                view = memoryview(body)
                for at in range(0, len(view), PIECE):
                    more = message.get("more_body", False) or at + PIECE < len(view)
                    await send({**message, "body": view[at : at + PIECE], "more_body": more})

        await self._app(scope, receive, sent)


def _owner(scope: Scope) -> str:
    caller: Caller | None = scope["state"].get("caller")
    if caller is not None:
        return caller.owner
    return client_owner(scope["client"])
