"""What to do instead, for requests that went to a wrong path or with a wrong method."""

from __future__ import annotations

import re

from service.api.operations import OPERATIONS
from service.models.names import nearest, plain

_API = "/api/v1"
_MOCKUP = f"{_API}/mockup"
# Of other paths nothing is repeated.
_PLAIN = re.compile(r"[A-Za-z0-9._~/-]{1,100}")
_PREFIX = re.compile(r"(/api)?(/v\d+)?(?=/)", re.IGNORECASE)
_PATTERNS = [re.compile(re.sub(r"\{\w+\}", "[^/]+", operation.path)) for operation in OPERATIONS]
_KNOWN = {
    plain(operation.path.removeprefix(_API)): operation.path
    for operation in OPERATIONS
    if "{" not in operation.path and operation.path != "/"
}


def nothing_at(path: str) -> str:
    """What is said of a path that does not exist: the one that was meant, or where they are listed."""
    if suggestion := _suggestion(path):
        return f"There is nothing at this path; did you mean {suggestion}?"
    return "There is nothing at this path; /docs lists those there are"


def not_allowed(method: str, path: str, allowed: str) -> str:
    """What is said of a method that a path has not."""
    message = f"{method} is not allowed here, only {allowed}"
    if path == _MOCKUP:
        message += "; send the screenshot and the settings as a JSON body, as described at /docs"
    return message


def _suggestion(path: str) -> str | None:
    """The same path without its last slash or with the right version, else the nearest."""
    if not _PLAIN.fullmatch(path):
        return None
    bare = re.sub(r"/+", "/", path).rstrip("/")
    rest = _PREFIX.sub("", bare, count=1)
    for candidate in (bare, _API + rest, bare.lower(), _API + rest.lower()):
        if any(pattern.fullmatch(candidate) for pattern in _PATTERNS):
            return candidate
    return nearest(rest, _KNOWN)
