"""UUIDs as callers give them."""

from __future__ import annotations

import re
from uuid import UUID

from starlette.requests import Request

from ..errors import Detail, invalid

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def is_uuid(text: str) -> bool:
    """Whether `text` is a UUID in its usual form of 36 characters."""
    return _UUID.fullmatch(text) is not None


def path_uuid(request: Request, noun: str) -> UUID:
    """The id in a request's path; raises a 400 unless it is a UUID."""
    given: str = request.path_params["id"]
    if not is_uuid(given):
        raise invalid(f"The {noun}'s id is not a UUID", Detail("id", "expected a UUID"))
    return UUID(given)
