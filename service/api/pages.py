"""The reference page with its viewer, and the OpenAPI document; the page loads nothing from other hosts."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from service.api.file_responses import VARY, File, takes_packed
from service.api.responses import DAY, HOUR, JSONResponse

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
    file = await to_thread.run_sync(_viewer)
    if not takes_packed(request):
        # Hardly anyone: unpacked when it is asked for, rather than kept.
        file = replace(file, data=await to_thread.run_sync(gzip.decompress, file.packed), packed=b"")
    return file.response(request, {**DAY, **VARY})


@cache
def _viewer() -> File:
    """The packed file, read when it is first asked for."""
    packed = _VIEWER.read_bytes()
    tag = f'"{hashlib.sha256(packed).hexdigest()[:20]}"'
    return File(b"", "text/javascript; charset=utf-8", tag, packed)
