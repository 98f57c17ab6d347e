"""The API key of a request, and the 401 if it is missing or malformed."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from starlette.requests import Request

from ..accounts.grants import MARKS
from ..accounts.keys import is_formed
from ..errors import Code, MockupError

_EXPECTED = "send the API key as 'Authorization: Bearer <API_KEY>'"
# Any other scheme might be part of a secret and is not repeated.
_SCHEMES = {"basic", "digest", "token", "apikey", "api-key", "key", "jwt", "oauth", "hmac"}
_HEADERS = ("X-API-Key", "API-Key", "ApiKey", "X-Auth-Token", "X-Access-Token")
_QUERY = re.compile(r"(x-)?(api|access|auth)?[_-]?(key|token)|authorization", re.IGNORECASE)


def bearer(request: Request) -> str | None:
    """The key of the Authorization header, or None unless its scheme is Bearer."""
    scheme, _, key = request.headers.get("authorization", "").strip().partition(" ")
    return key.strip() or None if scheme.lower() == "bearer" else None


def unknown(request: Request) -> MockupError:
    """The 401 for a request without a valid key; names the fault, but never the key."""
    key = bearer(request)
    if key is None:
        return MockupError(Code.MISSING_AUTH, f"{_found(request)}; {_EXPECTED}")
    message = "The API key is invalid, revoked or expired"
    if not is_formed(key):
        message = f"The API key is invalid: a key is {' or '.join(MARKS)} and 43 more characters"
    return MockupError(Code.INVALID_API_KEY, message)


def _found(request: Request) -> str:
    value = request.headers.get("authorization", "").strip()
    scheme = value.partition(" ")[0]
    if scheme.lower() == "bearer":
        return "The Authorization header has the scheme Bearer but no key"
    if value.startswith(MARKS):
        return "The Authorization header has a key but not the scheme Bearer before it"
    if scheme.lower() in _SCHEMES:
        return f"The Authorization header has the scheme {scheme}, not Bearer"
    if value:
        return "The Authorization header is not in the scheme Bearer"
    if name := next((name for name in _HEADERS if request.headers.get(name)), None):
        return f"The Authorization header is missing, and {name} is not read"
    # The load shedder runs before Starlette parses the query.
    query = parse_qsl(request.scope.get("query_string", b"").decode("latin-1"), max_num_fields=None)
    if any(_QUERY.fullmatch(name) for name, _ in query):
        return "The Authorization header is missing, and keys are not read from the URL, where logs keep them"
    return "The Authorization header is missing"
