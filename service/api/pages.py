"""The reference page with its viewer, and the OpenAPI document; the page loads nothing from other hosts."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from .file_responses import VARY, File, takes_packed
from .operation import OPERATION, operation
from .responses import DAY, HOUR

# Scalar, packed by `setup/vendor.sh`.
_VIEWER = Path(__file__).resolve().parent.parent / "web" / "vendor" / "scalar.js.gz"
# The viewer writes styles into the page, and shows icons that it contains.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@operation(OPERATION, "GET", "/openapi.json", listed=False)
async def openapi(request: Request) -> Response:
    """OpenAPI document."""
    file = await _pages(request).document.get()
    return file.response(request, {**HOUR, **VARY})


@operation(OPERATION, "GET", "/docs", listed=False)
async def docs(request: Request) -> Response:
    """Reference page."""
    file = await _pages(request).reference.get()
    return file.response(request, {**HOUR, **VARY, "Content-Security-Policy": _POLICY})


@operation(OPERATION, "GET", "/docs/viewer.js", listed=False)
async def viewer(request: Request) -> Response:
    """The program of the reference page."""
    pages = _pages(request)
    file = await (pages.viewer if takes_packed(request) else pages.plain_viewer).get()
    return file.response(request, {**DAY, **VARY})


def _pages(request: Request) -> ReferencePages:
    pages: ReferencePages = request.app.state.reference_pages
    return pages


class LazyFile:
    """A file that is made once, by a thread, when it is first requested; for one event loop.

    A file may take a tenth of a second, and a hundred clients may request it at once.
    """

    def __init__(self, make: Callable[[], File]) -> None:
        self._make = make
        self._made: asyncio.Task[File] | None = None

    async def get(self) -> File:
        """The file."""
        if self._made is None:
            self._made = asyncio.create_task(to_thread.run_sync(self._make))
        return await asyncio.shield(self._made)


class ReferencePages:
    """The OpenAPI document, the reference page, and its viewer as stored and decompressed."""

    def __init__(self, document: Callable[[], dict[str, Any]], html: Callable[[dict[str, Any]], str]) -> None:
        """`document` makes the OpenAPI document, `html` the reference page from it."""
        self.document = LazyFile(lambda: File.json(document()))
        self.reference = LazyFile(
            lambda: File.constant(html(document()).encode(), "text/html; charset=utf-8")
        )
        self.viewer = LazyFile(_viewer)
        self.plain_viewer = LazyFile(_plain_viewer)


def _viewer() -> File:
    packed = _VIEWER.read_bytes()
    tag = f'"{hashlib.sha256(packed).hexdigest()[:20]}"'
    return File(b"", "text/javascript; charset=utf-8", tag, packed, shared=True)


def _plain_viewer() -> File:
    file = _viewer()
    return replace(file, data=gzip.decompress(file.packed), packed=b"")
