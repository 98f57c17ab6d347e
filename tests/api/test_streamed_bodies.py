"""Bodies whose length is not announced."""

import asyncio
import socket
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.types import Message

from service.api import body
from service.errors import Code, MockupError
from service.queue import Queue
from tests.live import Live


def read(pieces: list[bytes], *, limit: int, keep: bool) -> bytes:
    messages = iter(pieces)

    async def receive() -> Message:
        piece = next(messages, b"")
        return {"type": "http.request", "body": piece, "more_body": bool(piece)}

    app = SimpleNamespace(state=SimpleNamespace(parts=SimpleNamespace(queue=Queue(1, 1, 1))))
    request = Request({"type": "http", "method": "POST", "headers": [], "app": app}, receive)
    return asyncio.run(body.read(request, limit, keep=keep))


def test_strangers_bodies_are_counted_and_not_kept() -> None:
    assert read([b"abc", b"def"], limit=6, keep=True) == b"abcdef"
    assert read([b"abc", b"def"], limit=6, keep=False) == b""
    for keep in (True, False):
        with pytest.raises(MockupError) as failure:
            read([b"abc", b"def"], limit=5, keep=keep)
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
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        connection.sendall(head + b'2\r\n{"\r\n' + b'5\r\na":1}\r\n' + b"0\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert told in answer
    assert (b"unknown" in answer) == bool(known)
