"""Conditional requests and requests for ranges, as RFC 9110 reads them."""

from __future__ import annotations

import re

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope

_SPAN = r"\s*(?:\d{1,18}\s*-\s*\d{0,18}|-\s*\d{1,18})\s*"
_RANGES = re.compile(rf"\s*bytes\s*={_SPAN}(?:,{_SPAN})*", re.IGNORECASE | re.ASCII)
_BOTH_ENDS = re.compile(r"(\d+)\s*-\s*(\d+)")


def tags_of(request: Request) -> str:
    """The client's `If-None-Match` header; empty without one."""
    return request.headers.get("if-none-match", "")


def matches(tags: str, tag: str) -> bool:
    """Whether the entity tag `tag` is among a client's `tags`; `*` stands for all tags."""
    return tags.strip() == "*" or tag in tags


def ignore_unknown_range(scope: Scope) -> None:
    """Drop a `Range` that is not in bytes or malformed, so that the whole file is sent."""
    given = Headers(scope=scope).get("range", "")
    if not _RANGES.fullmatch(given) or any(int(a) > int(b) for a, b in _BOTH_ENDS.findall(given)):
        headers = scope["headers"]
        headers[:] = [(name, value) for name, value in headers if name != b"range"]
