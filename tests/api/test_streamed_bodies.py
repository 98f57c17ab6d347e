"""Bodies that do not announce their length."""

import asyncio
import socket
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.types import Message

from service.api import body
from service.concurrency.fair_shares import FairShares
from service.config import Config
from service.errors import Code, MockupError
from tests.support.live import Live
from tests.support.waiting import PATIENCE_S


def taken(pieces: list[bytes], *, limit: int, keep: bool) -> tuple[int, int]:
    """The bytes that the budget was charged for a body, and the number of pieces of it that were left
    unread."""
    messages = iter(pieces)

    async def receive() -> Message:
        piece = next(messages, b"")
        return {"type": "http.request", "body": piece, "more_body": bool(piece)}

    services: Any = SimpleNamespace(budget=FairShares(2**30), config=Config(), parsing=None)
    request = Request({"type": "http", "method": "POST", "headers": []}, receive)
    if not keep:
        asyncio.run(body.skip(request, limit))
        return 0, len(list(messages))
    with asyncio.run(body.receive(request, services, limit, "user:1")):
        return services.budget.used, len(list(messages))


def test_bodies_without_a_key_are_discarded() -> None:
    assert taken([b"abc", b"def"], limit=6, keep=True) == (6, 0)
    assert taken([b"abc", b"def"], limit=6, keep=False) == (0, 0)
    for keep in (True, False):
        with pytest.raises(MockupError) as failure:
            taken([b"abc", b"def"], limit=5, keep=keep)
        assert failure.value.code is Code.PAYLOAD_TOO_LARGE


@pytest.mark.parametrize(
    ("known", "told"),
    [(True, b"INVALID_REQUEST"), (False, b"INVALID_API_KEY"), (None, b"MISSING_AUTH")],
)
def test_the_order_of_checks_is_the_same(server: Live, known: bool | None, told: bytes) -> None:
    lines = ["POST /api/v1/mockup HTTP/1.1", "Host: x", "Connection: close", "Content-Type: application/json"]
    if known is not None:
        lines.append(f"Authorization: Bearer {server.key() if known else 'sk_live_unknown'}")
    head = "\r\n".join([*lines, "Transfer-Encoding: chunked", "", ""]).encode()
    parts = urlsplit(server.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S) as connection:
        connection.sendall(head + b'2\r\n{"\r\n' + b'5\r\na":1}\r\n' + b"0\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert told in answer
    assert (b"unknown" in answer) == bool(known)
