"""Files with an entity tag: sent whole, compressed, or not at all to clients that have them."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.types import Message, Receive, Scope, Send

from ..errors import Code, MockupError
from .conditions import ignore_unknown_range, matches, tags_of
from .response_model import Answer
from .responses import HOUR, failure

#: For files that may be sent compressed.
VARY = {"Vary": "Accept-Encoding"}
REFUSED = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class File:
    """A file's content, media type and entity tag; `packed` is its gzip, or empty.

    A `shared` file is in memory once, however many clients read it, so nobody is charged for it.
    """

    data: bytes
    mime: str
    tag: str
    packed: bytes = b""
    shared: bool = False

    @classmethod
    def constant(cls, data: bytes, mime: str) -> File:
        """A file with its tag, compressed if that makes it smaller; for content that never changes."""
        packed = b"" if mime == "image/png" else gzip.compress(data, mtime=0)
        tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
        return cls(data, mime, tag, packed if len(packed) < len(data) else b"", shared=True)

    @classmethod
    def json(cls, content: Any) -> File:
        """As `constant`, for `content` that is a response model or JSON values, written as JSON."""
        data = content.json_bytes() if isinstance(content, Answer) else orjson.dumps(content)
        return cls.constant(data, "application/json")

    def response(self, request: Request, headers: Mapping[str, str]) -> Response:
        """The file with `headers`, compressed if the client accepts that, or a 304 if it has the file."""
        packs = bool(self.packed) and takes_packed(request)
        # A strong tag stands for exact bytes, so compressed bytes need a tag of their own.
        tag = f'{self.tag[:-1]}-gzip"' if packs else self.tag
        headers = {**headers, "ETag": tag}
        if matches(tags_of(request), tag):
            return Response(status_code=304, headers=headers)
        headers["Content-Type"] = self.mime
        request.state.shared = self.shared
        if packs:
            return Response(self.packed, headers={**headers, "Content-Encoding": "gzip"})
        return Response(self.data, headers=headers)


class PartialFile(FileResponse):
    """A file on the disk, or the part that `Range` names.

    A part beyond its end is refused with a 416; a `Range` that is malformed or not in bytes is ignored.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        ignore_unknown_range(scope)
        refused = False

        async def send_or_refuse(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 416:
                refused = True
                given = Headers(raw=message["headers"])["content-range"]
                error = MockupError(
                    Code.RANGE_NOT_SATISFIABLE,
                    f"The range is beyond the end of the file, which has {given.partition('/')[2]} bytes",
                )
                await failure(error, {"Content-Range": given})(scope, receive, send)
            elif not refused:
                await send(message)

        await super().__call__(scope, receive, send_or_refuse)


def listing(request: Request, contents: Callable[[], Any]) -> Response:
    """The response with a list that never changes while the service runs; `contents` is called once."""
    return _listed(contents).response(request, {**HOUR, **VARY})


@cache
def _listed(contents: Callable[[], Any]) -> File:
    return File.json(contents())


def takes_packed(request: Request) -> bool:
    """Whether the client takes gzip."""
    for coding in request.headers.get("accept-encoding", "").split(","):
        name, _, weight = coding.partition(";")
        if name.strip().lower() == "gzip":
            # RFC 9110, section 12.5.3: a weight of 0 forbids it.
            return not REFUSED.fullmatch(weight)
    return False
