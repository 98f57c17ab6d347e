"""The reference page with its viewer, and the OpenAPI document; the page loads nothing from other hosts."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from pathlib import Path

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from service.api.responses import HOUR, JSONResponse

# Scalar, packed by `setup/vendor.sh`.
_VIEWER = Path(__file__).resolve().parent.parent / "web" / "vendor" / "scalar.js.gz"
# The viewer writes styles into the page, and shows icons that it carries.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


async def openapi(request: Request) -> Response:
    """The OpenAPI 3.1 document."""
    return JSONResponse(request.app.state.openapi, headers=HOUR)


async def docs(request: Request) -> Response:
    """The reference page."""
    return HTMLResponse(request.app.state.docs, headers={**HOUR, "Content-Security-Policy": _POLICY})


async def viewer(request: Request) -> Response:
    """The program of the reference page."""
    packed, tag = await to_thread.run_sync(_viewer)
    headers = {"Cache-Control": "public, max-age=86400", "ETag": tag, "Vary": "Accept-Encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    headers["Content-Type"] = "text/javascript; charset=utf-8"
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers={**headers, "Content-Encoding": "gzip"})
    return Response(await to_thread.run_sync(gzip.decompress, packed), headers=headers)


@cache
def _viewer() -> tuple[bytes, str]:
    """The packed file, read when it is first asked for, and its entity tag."""
    packed = _VIEWER.read_bytes()
    return packed, f'"{hashlib.sha256(packed).hexdigest()[:20]}"'
