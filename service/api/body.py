"""Request bodies: never more than the limit is read, and only strict JSON objects are taken."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from email.message import Message
from typing import Any

import orjson
from anyio import to_thread
from starlette.requests import Request

from service.api.parts import parts_of
from service.errors import Code, Detail, MockupError, invalid

MAX_DEPTH = 32
# Several times what a full request has. Each unknown one is compared with the known names, which takes time.
MAX_MEMBERS = 256
# Larger bodies are parsed in a thread, so that the event loop is never held.
_INLINE_BYTES = 64 * 1024
_LONG_TEXT = 4096


def check_length(request: Request, limit: int) -> None:
    """Raise 413 when the announced body is longer than `limit` bytes."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise _too_large(limit)


async def read(request: Request, limit: int, *, keep: bool = True) -> bytes:
    """The body, counted while it arrives; raises 413 as soon as it is longer than `limit` bytes.

    Raises `SERVER_BUSY` when the bodies of all requests take too much memory together.
    Without `keep` it is only counted, and nothing of it is returned.
    """
    check_length(request, limit)
    pieces, size = [], 0
    queue = parts_of(request).queue
    with queue.away(getattr(request.state, "place", None)), queue.receiving() as count:
        async for piece in request.stream():
            size += len(piece)
            if size > limit:
                raise _too_large(limit)
            if keep:
                count(len(piece))
                pieces.append(piece)
        return b"".join(pieces)


def check_type(request: Request) -> None:
    """Raise 415 unless the body is announced as plain JSON in UTF-8."""
    message = Message()
    message["content-type"] = request.headers.get("content-type", "")
    charset = str(message.get_param("charset", "utf-8")).lower()
    kind = message["content-type"].partition(";")[0].strip().lower()
    if kind != "application/json" or charset not in {"utf-8", "utf8"}:
        raise MockupError(Code.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise MockupError(Code.UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed")


async def json_object(body: bytes) -> dict[str, Any]:
    """The body's JSON object; raises 400 for anything else, duplicate members included."""
    if len(body) <= _INLINE_BYTES:
        return _parsed(body)
    return await to_thread.run_sync(_parsed, body)


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise invalid(f"The body is not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise invalid("The body must be a JSON object")
    found = list(_faults(_pairs(body, value)))
    if found:
        raise invalid(f"{found[0].path}: {found[0].message}".removeprefix(": "), *found)
    return value


class _Object(dict[str, Any]):
    """A JSON object that remembers which of its members came twice."""

    twice: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    made = _Object(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        made.twice = tuple(name for name, count in counts.items() if count > 1)
    return made


def _pairs(body: bytes, value: dict[str, Any]) -> Any:
    """The body parsed once more, its one long text cut out, keeping what the first parse forgets."""
    for text in _long_texts(value):
        body = _without(body, text.encode())
    try:
        return json.loads(body, object_pairs_hook=_object)
    except (RecursionError, ValueError):
        raise invalid(f"The body is nested more than {MAX_DEPTH} levels deep") from None


def _without(body: bytes, text: bytes) -> bytes:
    """The body with `text` cut out where its beginning is found; bytes.replace takes long."""
    at = body.find(text[:256])
    return body[:at] + body[at + len(text) :] if at >= 0 and body.startswith(text, at) else body


def _long_texts(value: dict[str, Any]) -> Iterator[str]:
    screenshot = value.get("screenshot")
    nested = screenshot.get("src") if isinstance(screenshot, dict) else None
    for text in (nested, value.get("screenshot_base64"), value.get("screenshot_url")):
        if isinstance(text, str) and len(text) > _LONG_TEXT:
            yield text


def _faults(value: Any) -> Iterator[Detail]:
    left: list[tuple[str, Any, int]] = [("", value, 1)]
    members = 0
    while left:
        path, here, depth = left.pop()
        members += len(here)
        if members > MAX_MEMBERS:
            yield Detail(path, f"more than {MAX_MEMBERS} members and items in all")
            return
        if depth > MAX_DEPTH:
            yield Detail(path, f"nested more than {MAX_DEPTH} levels deep")
            return
        if isinstance(here, _Object):
            yield from (Detail(_join(path, name), "this member is given twice") for name in here.twice)
        inner = here.items() if isinstance(here, dict) else enumerate(here)
        left += [(_join(path, key), item, depth + 1) for key, item in inner if isinstance(item, dict | list)]


def _join(path: str, key: object) -> str:
    name = str(key)[:64]
    return f"{path}.{name}" if path else name


def _too_large(limit: int) -> MockupError:
    return MockupError(Code.PAYLOAD_TOO_LARGE, f"The body is larger than {limit} bytes")
