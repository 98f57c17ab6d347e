"""The pages and their files, read once; the name of the files' folder changes with their content."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response

from ..errors import Code, MockupError
from ..shipped import FRAMES
from .file_responses import VARY, File
from .operation import OPERATION, operation

WEB = Path(__file__).resolve().parent.parent / "web"
#: The path of the files, in which `tag` is their version.
PATH = "/studio/{tag}/{name:path}"
_ADDRESS = "/studio/{tag}/{name}"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".otf": "font/otf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
STUDIO, STATUS = "index.html", "status.html"
# Placeholders in a page for its files' version, and for links to modules that are needed at once.
_TAG, _MODULES = "{tag}", "{modules}"
_PROGRAM = re.compile(r'<script type="module" src="/studio/{tag}/([^"]+)"')
_IMPORT = re.compile(r"""\b(?:from|import)\s*["'](\.[^"']+)["']""")
_FOREVER = "public, max-age=31536000, immutable"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True, slots=True)
class WebFiles:
    """Pages and the contents of other files by name; `tag` is their version."""

    tag: str
    pages: Mapping[str, File]
    files: Mapping[str, bytes]


@cache
def web_files() -> WebFiles:
    """Read all files. Only these names are ever served, so no request can reach another file."""
    found = dict(_read())
    everything = b"".join(name.encode() + data for name, data in sorted(found.items()))
    tag = hashlib.sha256(everything).hexdigest()[:12]
    pages = {name: found.pop(name).decode() for name in (STUDIO, STATUS)}
    written = {name: _constant(name, _page(text, tag, found).encode()) for name, text in pages.items()}
    return WebFiles(tag, MappingProxyType(written), MappingProxyType(found))


def _page(text: str, tag: str, files: Mapping[str, bytes]) -> str:
    """A page with its files' version, and links to the modules it needs.

    Without the links, browsers would find modules one import after the other.
    """
    (program,) = _PROGRAM.findall(text)
    needed, left = set[str](), {program}
    while left:
        name = left.pop()
        needed.add(name)
        for path in _IMPORT.findall(files[name].decode()):
            found = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            if found in files and found not in needed:
                left.add(found)
    addresses = (_ADDRESS.format(tag=tag, name=name) for name in sorted(needed))
    links = "\n  ".join(f'<link rel="modulepreload" href="{address}">' for address in addresses)
    return text.replace(_MODULES, links).replace(_TAG, tag)


@operation(OPERATION, "GET", "/", listed=False)
async def studio(request: Request) -> Response:
    """Studio."""
    return page(request, STUDIO, VARY)


def page(request: Request, name: str, headers: Mapping[str, str]) -> Response:
    """A page, with the policy that all of them have."""
    policy = {"Cache-Control": "no-cache", "Content-Security-Policy": _POLICY}
    return web_files().pages[name].response(request, {**policy, **headers})


@operation(OPERATION, "GET", PATH, listed=False)
async def file(request: Request) -> Response:
    """The files of the studio and the operators' page; `tag` is their version."""
    web = web_files()
    name = request.path_params["name"]
    if name not in web.files:
        raise MockupError(Code.NOT_FOUND, "There is no such file")
    kept = request.path_params["tag"] == web.tag
    return _file(name).response(request, {"Cache-Control": _FOREVER if kept else "no-cache", **VARY})


def _read() -> Iterator[tuple[str, bytes]]:
    for path in sorted(WEB.rglob("*")):
        if path.suffix in TYPES:
            yield path.relative_to(WEB).as_posix(), path.read_bytes()
    for path in sorted((FRAMES / "samples").glob("*.png")):
        yield f"samples/{path.name}", path.read_bytes()
    for path in sorted((FRAMES / "fonts").glob("*.otf")):
        yield f"fonts/{path.name}", path.read_bytes()


@cache
def _file(name: str) -> File:
    """A file, compressed when it is first requested: compressing all files would delay every start."""
    return _constant(name, web_files().files[name])


def _constant(name: str, data: bytes) -> File:
    return File.constant(data, TYPES[Path(name).suffix])
