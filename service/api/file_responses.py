"""Files with an entity tag, sent whole, packed, or not at all to clients that have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

#: Of files that are sent packed or not.
VARY = {"Vary": "Accept-Encoding"}


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent, its media type and entity tag; `packed` is its gzip, or empty without one."""

    data: bytes
    mime: str
    tag: str
    packed: bytes = b""

    def response(self, request: Request, headers: Mapping[str, str]) -> Response:
        """The file with `headers`, packed if the client takes that, or a 304 if it has the file."""
        headers = {**headers, "ETag": self.tag}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        headers["Content-Type"] = self.mime
        if self.packed and takes_packed(request):
            return Response(self.packed, headers={**headers, "Content-Encoding": "gzip"})
        return Response(self.data, headers=headers)


def takes_packed(request: Request) -> bool:
    """Whether the client takes gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")
