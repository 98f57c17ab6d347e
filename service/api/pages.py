"""The reference page and the OpenAPI document; the page loads nothing from other hosts."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from service.api.responses import HOUR, JSONResponse


async def openapi(request: Request) -> Response:
    """The OpenAPI 3.1 document."""
    return JSONResponse(request.app.state.openapi, headers=HOUR)


async def docs(request: Request) -> Response:
    """The reference page."""
    return _page(request.app.state.docs)


def _page(html: str) -> Response:
    policy = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'"
    return HTMLResponse(html, headers={**HOUR, "Content-Security-Policy": policy})
