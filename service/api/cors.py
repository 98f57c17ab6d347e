"""Cross-origin access: any site may read public responses, configured origins the rest."""

from __future__ import annotations

from functools import cache
from typing import Any

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

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
        "max_age": 7200,
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
