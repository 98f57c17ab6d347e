"""Cross-origin access: any site may read public responses, configured origins the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from .services import services_of

EXPOSED = (
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-Request-Id",
    "X-Duration-Ms",
    "X-Mockup-Device",
    "X-Mockup-Size",
    "X-Mockup-Warnings",
    "X-Mockup-Warning-Details",
    "X-Mockup-Geometry",
    "X-Preview-Remaining-Ms",
    "X-Preview-Reset-S",
    "Server-Timing",
    "Retry-After",
    "Location",
    "Idempotency-Replayed",
)
# For responses that need no key and are the same for everyone.
PUBLIC = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(EXPOSED),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
PREFLIGHT_S = 7200  # seconds for which browsers may keep the response to a preflight request


class PublicPreflights:
    """Allows pages of any site to send requests with any headers to public paths.

    Browsers ask for permission in a preflight request when a page sends headers of its own, such as
    `If-None-Match`.
    """

    def __init__(self, app: ASGIApp, paths: Sequence[re.Pattern[str]]) -> None:
        """`paths` match those that any site may read."""
        self._app, self._paths = app, tuple(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a preflight request for a public path, and pass all other requests on."""
        if scope["type"] != "http" or scope["method"] != "OPTIONS" or not self._public(Request(scope)):
            return await self._app(scope, receive, send)
        scope["state"]["public"] = True
        headers = {
            "Access-Control-Allow-Methods": "GET",
            # The asterisk does not include Authorization.
            "Access-Control-Allow-Headers": "*, Authorization",
            "Access-Control-Max-Age": str(PREFLIGHT_S),
        }
        await Response(status_code=204, headers=headers)(scope, receive, send)

    def _public(self, request: Request) -> bool:
        reads = request.headers.get("access-control-request-method") in ("GET", "HEAD")
        return reads and any(path.match(request.scope["path"]) for path in self._paths)


def options(origins: tuple[str, ...]) -> dict[str, Any]:
    """The options of Starlette's CORS middleware for these origins.

    Credentials are never allowed: there are no cookies, and the key is an ordinary header.
    """
    return {
        "allow_origins": origins,
        "allow_methods": ("GET", "POST", "PUT", "PATCH", "DELETE"),
        "allow_headers": (
            "Authorization",
            "Content-Type",
            "If-None-Match",
            "Idempotency-Key",
            "X-Request-Id",
        ),
        "expose_headers": EXPOSED,
        "max_age": PREFLIGHT_S,
    }


def headers(request: Request) -> dict[str, str]:
    """The headers for a response that bypasses the middleware."""
    origin = request.headers.get("origin")
    origins = services_of(request).config.cors_origins
    if not origin or not origins:
        return {}
    policy = _policy(origins)
    allowed = policy.is_allowed_origin(origin) and not policy.allow_all_origins
    own = {"Access-Control-Allow-Origin": origin} if allowed else {}
    return {**policy.simple_headers, **own, "Vary": "Origin"}


@cache
def _policy(origins: tuple[str, ...]) -> CORSMiddleware:
    async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
        """Placeholder: the middleware is only used for its policy."""

    return CORSMiddleware(nothing, **options(origins))
