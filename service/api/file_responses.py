"""Files with an entity tag, sent whole, packed, or not at all to clients that have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

#: Of files that are sent packed or not.
VARY = {"Vary": "Accept-Encoding"}
REFUSED = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent, its media type and entity tag; `packed` is its gzip, or empty without one."""

    data: bytes
    mime: str
    tag: str
    packed: bytes = b""

    def response(self, request: Request, headers: Mapping[str, str]) -> Response:
        """The file with `headers`, packed if the client takes that, or a 304 if it has the file."""
        packs = bool(self.packed) and takes_packed(request)
        # Equal strong tags would promise equal bytes.
        tag = f'{self.tag[:-1]}-gzip"' if packs else self.tag
        headers = {**headers, "ETag": tag}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        headers["Content-Type"] = self.mime
        if packs:
            return Response(self.packed, headers={**headers, "Content-Encoding": "gzip"})
        return Response(self.data, headers=headers)


def takes_packed(request: Request) -> bool:
    """Whether the client takes gzip."""
    for coding in request.headers.get("accept-encoding", "").split(","):
        name, _, weight = coding.partition(";")
        if name.strip().lower() == "gzip":
            # RFC 9110, section 12.5.3: a weight of nought forbids it.
            return not REFUSED.fullmatch(weight)
    return False
