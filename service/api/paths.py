"""Error messages for wrong paths and methods."""

from __future__ import annotations

import re

from ..validation.names import nearest, plain
from .operations import OPERATIONS

_API = "/api/v1"
_MOCKUP = f"{_API}/mockup"
# Only such paths are compared with known ones.
_PLAIN = re.compile(r"[A-Za-z0-9._~/-]{1,100}")
_PREFIX = re.compile(r"(/api)?(/v\d+)?(?=/)", re.IGNORECASE)
_PATTERNS = [re.compile(re.sub(r"\{\w+\}", "[^/]+", operation.path)) for operation in OPERATIONS]
_KNOWN = {
    plain(operation.path.removeprefix(_API)): operation.path
    for operation in OPERATIONS
    if "{" not in operation.path and operation.path != "/"
}


def nothing_at(path: str) -> str:
    """The message for an unknown path: a suggestion, or where paths are listed."""
    if suggestion := _suggestion(path):
        return f"There is nothing at this path; did you mean {suggestion}?"
    return "There is nothing at this path; see /docs for all paths"


def not_allowed(method: str, path: str, allowed: str) -> str:
    """The message for a method that a path does not support."""
    message = f"{method} is not allowed here, only {allowed}"
    if path == _MOCKUP:
        message += "; send the screenshot and the settings as a JSON body, as described at /docs"
    return message


def _suggestion(path: str) -> str | None:
    """The path without trailing slashes or with the right version, or else the closest known one."""
    if not _PLAIN.fullmatch(path):
        return None
    bare = re.sub(r"/+", "/", path).rstrip("/")
    rest = _PREFIX.sub("", bare, count=1)
    for candidate in (bare, _API + rest, bare.lower(), _API + rest.lower()):
        if any(pattern.fullmatch(candidate) for pattern in _PATTERNS):
            return candidate
    return nearest(rest, _KNOWN)
