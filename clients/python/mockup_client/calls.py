"""Calls as data: the request, and a function that parses its response.

This module does no input or output.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import quote

from .picture import Picture, encoded

if TYPE_CHECKING:
    from .picture import Source
    from .schema import Device, Geometry, Project, Settings, Upload

T = TypeVar("T")
Files = dict[str, tuple[str, bytes]]
# Request the raw picture, because base64 in JSON takes about 6 ms per megabyte to send, parse and decode.
RAW = {"output": "raw"}


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request, and a function that `read`s its response from the body, which is decoded if it is JSON, and
    the headers."""

    method: str
    path: str
    read: Callable[[Any, Mapping[str, str]], T]
    query: Mapping[str, str | int] = field(default_factory=dict)
    json: Any = None
    fields: Mapping[str, str] = field(default_factory=dict)
    files: Files = field(default_factory=dict)
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def path_below(self) -> str:
        """The path below the service's address."""
        return f"/api/v1/{self.path}"


def render(
    screenshot: Source | None,
    settings: Settings | None,
    *,
    url: str | None,
    upload: str | None,
    project: str | None,
    fast: bool,
    geometry: bool,
) -> Call[Picture]:
    """Render a mockup of one screenshot, given as a picture, by its URL or by the id of an upload."""
    given = {"screenshot": screenshot, "url": url, "upload": upload}
    if sum(value is not None for value in given.values()) != 1:
        raise TypeError("give exactly one of screenshot, url and upload")
    body: dict[str, Any] = {"settings": settings} if settings else {}
    if project:
        body["projectId"] = project
    if fast:
        body["fast"] = True
    if geometry:
        body["include"] = ["geometry"]
    # The key makes a retry safe if the response was lost.
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    if screenshot is None:
        kind, src = ("url", url) if url else ("upload", upload)
        body |= {"type": "screenshot", "screenshot": {"type": kind, "src": src}}
        return Call("POST", "mockup", _picture, RAW, json=body, headers=headers)
    fields = {name: value if isinstance(value, str) else json.dumps(value) for name, value in body.items()}
    files = {"screenshot": ("screenshot", encoded(screenshot))}
    return Call("POST", "mockup", _picture, RAW, fields=fields, files=files, headers=headers)


def upload(screenshot: Source | None, url: str | None) -> Call[Upload]:
    """Store a screenshot for an hour, to make several pictures of it."""
    if (screenshot is None) == (url is None):
        raise TypeError("give either screenshot or url")
    if screenshot is None:
        return Call("POST", "screenshots", _same, json={"url": url})
    headers = {"Content-Type": "application/octet-stream"}
    return Call("POST", "screenshots", _same, content=encoded(screenshot), headers=headers)


def forget(upload: str) -> Call[None]:
    """Delete an upload."""
    return Call("DELETE", f"screenshots/{quote(upload, safe='')}", _nothing)


def preview(settings: Settings | None, upload: str | None, pixels: int | None) -> Call[bytes]:
    """A small picture, as JPEG or WebP."""
    body: dict[str, Any] = {"settings": settings or {}}
    if upload:
        body["screenshot"] = {"type": "upload", "src": upload}
    if pixels:
        body["maxPixels"] = pixels
    return Call("POST", "previews", _same, json=body)


def geometry(settings: Settings | None) -> Call[Geometry]:
    """Where the device would be in a picture."""
    return Call("POST", "geometry", lambda body, _: body["geometry"], json={"settings": settings or {}})


def devices(**narrowed: str | int | None) -> Call[list[Device]]:
    """List devices, narrowed down by category, brand, q, width and height."""
    query = {name: value for name, value in narrowed.items() if value is not None}
    return Call("GET", "devices", lambda body, _: body["devices"], query=query)


def device(name: str) -> Call[Device]:
    """Describe a device."""
    return Call("GET", f"devices/{quote(name, safe='')}", _same)


def save(
    name: str, settings: Settings, project: str | None, parts: Mapping[str, Any] | None = None
) -> Call[Project]:
    """Save a project, or replace one."""
    body = {"name": name, "settings": settings, **(parts or {})}
    if project is None:
        return Call("POST", "projects", _same, json=body)
    return Call("PUT", f"projects/{quote(project, safe='')}", _same, json=body)


def _same(body: Any, _: Mapping[str, str]) -> Any:
    return body


def _nothing(_body: Any, _: Mapping[str, str]) -> None:
    return None


def _picture(data: bytes, headers: Mapping[str, str]) -> Picture:
    width, height = map(int, headers["x-mockup-size"].split("x"))
    place = headers.get("x-mockup-geometry")
    return Picture(
        data=data,
        mime_type=headers["content-type"],
        width=width,
        height=height,
        device=headers["x-mockup-device"],
        duration_ms=int(headers["x-duration-ms"]),
        warnings=tuple(json.loads(headers.get("x-mockup-warning-details", "[]"))),
        geometry=json.loads(place) if place else None,
    )
