"""The reference page with its viewer, and the OpenAPI document; the page loads nothing from other hosts."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from dataclasses import replace
from pathlib import Path

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from .file_responses import VARY, File, takes_packed
from .operation import OPERATION, operation
from .responses import DAY, HOUR

# Scalar, packed by `setup/vendor.sh`.
_VIEWER = Path(__file__).resolve().parent.parent / "web" / "vendor" / "scalar.js.gz"
# The viewer writes styles into the page, and shows icons that it carries.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@operation(OPERATION, "GET", "/openapi.json", listed=False)
async def openapi(request: Request) -> Response:
    """OpenAPI document."""
    file: File = request.app.state.openapi
    return file.response(request, {**HOUR, **VARY})


@operation(OPERATION, "GET", "/docs", listed=False)
async def docs(request: Request) -> Response:
    """Reference page."""
    file: File = request.app.state.docs
    return file.response(request, {**HOUR, **VARY, "Content-Security-Policy": _POLICY})


@operation(OPERATION, "GET", "/docs/viewer.js", listed=False)
async def viewer(request: Request) -> Response:
    """The program of the reference page."""
    kept: Viewer = request.app.state.viewer
    file = await (kept.packed() if takes_packed(request) else kept.plain())
    return file.response(request, {**DAY, **VARY})


class Viewer:
    """The script's file, read and decompressed once, on the first request; for one event loop.

    Hardly any client wants it uncompressed, but one that does may ask a hundred times a second.
    """

    def __init__(self) -> None:
        self._packed: asyncio.Task[File] | None = None
        self._plain: asyncio.Task[File] | None = None

    async def packed(self) -> File:
        """The compressed file."""
        if self._packed is None:
            self._packed = asyncio.create_task(to_thread.run_sync(_read))
        return await asyncio.shield(self._packed)

    async def plain(self) -> File:
        """The decompressed file."""
        packed = await self.packed()
        if self._plain is None:
            self._plain = asyncio.create_task(to_thread.run_sync(_unpacked, packed))
        return await asyncio.shield(self._plain)


def _read() -> File:
    packed = _VIEWER.read_bytes()
    tag = f'"{hashlib.sha256(packed).hexdigest()[:20]}"'
    return File(b"", "text/javascript; charset=utf-8", tag, packed, shared=True)


def _unpacked(file: File) -> File:
    return replace(file, data=gzip.decompress(file.packed), packed=b"")
