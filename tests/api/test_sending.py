"""Large responses are sent in pieces, no faster than the client reads."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send

from service.api.sending import PIECE, UNCHARGED, Sending

pytestmark = pytest.mark.anyio


async def events(method: str, size: int) -> list[tuple[str, int]]:
    """The events when a body of `size` bytes, which exists once for all readers, is sent."""
    found: list[tuple[str, int]] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.body", "body": bytes(size)})

    async def sent(message: Message) -> None:
        found.append(("more" if message.get("more_body") else "last", len(message["body"])))

    async def nothing() -> Message:
        raise AssertionError("nobody reads the request")

    state = {"shared": True, "limit_buffer": lambda limit: found.append(("limit", limit))}
    await Sending(app)({"type": "http", "method": method, "state": state}, nothing, sent)
    return found


async def test_a_piece_is_sent_before_the_next_is_handed_over() -> None:
    assert await events("GET", PIECE + 1) == [
        ("more", PIECE),
        ("limit", 0),
        ("more", 1),
        ("limit", 0),
        ("last", 0),
        ("limit", UNCHARGED),
    ]


async def test_small_bodies_are_sent_at_once() -> None:
    assert await events("GET", UNCHARGED) == [("last", UNCHARGED)]
    assert await events("GET", 0) == [("last", 0)]
    assert await events("HEAD", PIECE) == [("last", 0)]
