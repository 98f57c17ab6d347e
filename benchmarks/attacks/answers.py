"""Attacks with requests that are cheap to send, but whose responses are expensive to make or hold."""

from __future__ import annotations

import asyncio
import functools
import json

from benchmarks.attacks.connections import post
from benchmarks.attacks.line import Attack, Line
from tests.support import pictures

PREVIEW = b"GET /api/v1/devices/iphone-16-pro/preview.png HTTP/1.1\r\nHost: x\r\n\r\n"
VIEWER = b"GET /docs/viewer.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n"
OPENAPI = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
REQUESTS = 50


async def preview(line: Line) -> int:
    """Send requests for previews one after another on the same connection."""
    status = 0
    for _ in range(REQUESTS):
        await line.send(PREVIEW)
        status = await line.status()
    return status


async def unread_document(line: Line) -> int:
    await line.send(OPENAPI)
    return await line.held()


async def viewer_unread(line: Line) -> int:
    """Request the largest file uncompressed and close after a second."""
    await line.send(VIEWER)
    await asyncio.sleep(1)
    return 0


async def viewer_slowly(line: Line) -> int:
    """Request the largest file uncompressed, and read it at a few kilobytes per second."""
    await line.send(VIEWER)
    while await line.some():
        await asyncio.sleep(0.5)
    return 200


def with_key(method: bytes, path: bytes, key: str, body: bytes = b"") -> bytes:
    head = b"%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n" % (method, path, key.encode())
    return head + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


@functools.cache
def project() -> bytes:
    """A project with the largest possible settings, in which members are repeated under other spellings of
    their names."""
    return json.dumps({"name": "p" * 200, "settings": {"device": "iphone" + "-" * 9000 + "16 pro"}}).encode()


async def projects(line: Line) -> int:
    """Save projects one after another, with a key that may not render."""
    status = 0
    for _ in range(REQUESTS):
        await line.send(with_key(b"POST", b"/api/v1/projects", line.target.free, project()))
        status = await line.status()
    return status


async def lists_unread(line: Line) -> int:
    await line.send(with_key(b"GET", b"/api/v1/projects", line.target.free) * 4)
    return await line.held()


@functools.cache
def large() -> bytes:
    """A request for a picture of 40 megapixels in JSON, which takes some 100 MB because of its grain."""
    settings = {
        "canvas": {"width": 4096, "height": 2400},
        "export": {"scale": 2, "format": "png"},
        "postProcessing": {"grain": {"amount": 1}},
    }
    return json.dumps({"screenshot_base64": pictures.text(), "settings": settings}).encode()


async def large_answers_unread(line: Line) -> int:
    await line.send(post(large(), key=line.key))
    return await line.held()


async def large_answers_slowly(line: Line) -> int:
    """Request large responses, and read them at some kilobytes per second."""
    await line.send(post(large(), key=line.key))
    while await line.some():
        await asyncio.sleep(0.5)
    return 200


async def wrong_keys(line: Line) -> int:
    status = 0
    for turn in range(REQUESTS):
        key = f"sk_live_{line.number:03}{line.turn:06}{turn:034}"
        await line.send(with_key(b"GET", b"/api/v1/projects", key))
        status = await line.status()
    return status


ATTACKS = (
    Attack("previews", 200, preview),
    Attack("documents unread", 200, unread_document),
    Attack("viewer unread", 100, viewer_unread),
    Attack("viewer taken slowly", 40, viewer_slowly),
    Attack("projects", 8, projects),
    Attack("lists unread", 60, lists_unread),
    Attack("large answers unread", 8, large_answers_unread),
    Attack("large answers taken slowly", 8, large_answers_slowly),
    Attack("wrong keys", 20, wrong_keys),
)
