"""The synchronous and the asynchronous client, each with a connection pool, retries, and responses as
objects."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import httpx2 as httpx

from . import calls, links
from .calls import Call
from .errors import ApiError, UnreachableError
from .retries import Retries

if TYPE_CHECKING:
    from .picture import Picture, Source
    from .schema import Device, Geometry, Project, Settings, Upload

T = TypeVar("T")
ADDRESS = "http://127.0.0.1:8000"
# A render waits in the service's queue; connecting does not.
TIMEOUT = httpx.Timeout(120.0, connect=5.0)


def _address(given: str | None) -> str:
    return (given or os.environ.get("MOCKUP_URL", ADDRESS)).rstrip("/")


def _options(address: str | None, key: str | None, timeout: httpx.Timeout | float) -> dict[str, Any]:
    key = key or os.environ.get("MOCKUP_API_KEY", "")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return {"base_url": _address(address), "headers": headers, "timeout": timeout, "trust_env": False}


def _sent(call: Call[Any]) -> dict[str, Any]:
    """The arguments that httpx takes for a call."""
    sent: dict[str, Any] = {"params": dict(call.query), "headers": dict(call.headers)}
    if call.files:
        sent |= {"data": dict(call.fields), "files": call.files}
    elif call.content is not None:
        sent["content"] = call.content
    elif call.json is not None:
        sent["json"] = call.json
    return sent


def _read(call: Call[T], response: httpx.Response) -> T:
    """The result of a call from its response; raises ApiError."""
    kind = response.headers.get("content-type", "")
    body: Any = response.content
    if kind.startswith("application/json"):
        body = response.json()
    if response.is_success:
        return call.read(body, response.headers)
    raise ApiError(
        response.status_code, body if kind.startswith("application/json") else response.text, response.headers
    )


class _Linking:
    """The methods of both clients that make no request."""

    _address: str
    _link_secret: str

    def link(
        self,
        url: str,
        settings: Settings | None = None,
        *,
        project: str | None = None,
        format: str | None = None,
        expires: datetime | None = None,
    ) -> str:
        """The address of a picture of the screenshot at `url`, for pages and mails; it needs no key.

        `format` defaults to that of `settings`, or png.
        """
        made = links.path(self._link_secret, url, settings, project, format=format, expires=expires)
        return self._address + made


class _Failure:
    """How an attempt failed, and how long to wait before the next."""

    def __init__(self, error: ApiError | httpx.TransportError, attempt: int, retries: Retries) -> None:
        self.error = (
            error if isinstance(error, ApiError) else UnreachableError(f"{type(error).__name__}: {error}")
        )
        status, after = (error.status, error.retry_after) if isinstance(error, ApiError) else (None, None)
        self.wait = retries.wait(attempt, status, after)


class Client(_Linking):
    """Calls a service; may be shared by threads, and used in a `with` statement.

    `address`, `key` and `link_secret`, which `link` alone needs, default to the environment's MOCKUP_URL,
    MOCKUP_API_KEY and MOCKUP_LINK_SECRET. `transport` is HTTPX's, for proxies, certificates or tests. Calls
    raise ApiError if the service refuses them, and UnreachableError if there is no response.
    """

    def __init__(
        self,
        address: str | None = None,
        key: str | None = None,
        *,
        link_secret: str | None = None,
        timeout: httpx.Timeout | float = TIMEOUT,
        retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(transport=transport, **_options(address, key, timeout))
        self._retries = retries or Retries()
        self._address = _address(address)
        self._link_secret = link_secret or os.environ.get("MOCKUP_LINK_SECRET", "")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the client's connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Make a call, with retries where they may help."""
        attempt = 0
        while True:
            try:
                return _read(call, self._http.request(call.method, call.path_below, **_sent(call)))
            except (ApiError, httpx.TransportError) as error:
                failure = _Failure(error, attempt, self._retries)
                if failure.wait is None:
                    raise failure.error from (None if failure.error is error else error)
            time.sleep(failure.wait)
            attempt += 1

    def render(
        self,
        screenshot: Source | None = None,
        settings: Settings | None = None,
        *,
        url: str | None = None,
        upload: str | None = None,
        project: str | None = None,
        fast: bool = False,
        geometry: bool = False,
    ) -> Picture:
        """Render a mockup of one screenshot, given as a picture, by its URL or by the id of an upload."""
        return self.send(
            calls.render(
                screenshot, settings, url=url, upload=upload, project=project, fast=fast, geometry=geometry
            )
        )

    def upload(self, screenshot: Source | None = None, *, url: str | None = None) -> Upload:
        """Store a screenshot for an hour, to make several pictures of it."""
        return self.send(calls.upload(screenshot, url))

    def forget(self, upload: str) -> None:
        """Delete an upload."""
        self.send(calls.forget(upload))

    def preview(
        self, settings: Settings | None = None, *, upload: str | None = None, pixels: int | None = None
    ) -> bytes:
        """A small picture of at most `pixels` pixels, as JPEG or WebP."""
        return self.send(calls.preview(settings, upload, pixels))

    def geometry(self, settings: Settings | None = None) -> Geometry:
        """Where the device would be in a picture."""
        return self.send(calls.geometry(settings))

    def devices(
        self,
        q: str | None = None,
        *,
        category: str | None = None,
        brand: str | None = None,
        width: int | None = None,
        height: int | None = None,
    ) -> list[Device]:
        """List devices whose names have the words of `q`, or with a screen of this size."""
        return self.send(calls.devices(q=q, category=category, brand=brand, width=width, height=height))

    def device(self, name: str) -> Device:
        """Describe a device by its id or name."""
        return self.send(calls.device(name))

    def save(
        self,
        name: str,
        settings: Settings,
        *,
        project: str | None = None,
        parts: Mapping[str, Any] | None = None,
    ) -> Project:
        """Save settings and `parts` (devices, set, film) as a new project, or replace one."""
        return self.send(calls.save(name, settings, project, parts))


class AsyncClient(_Linking):
    """As `Client`, for `async with` and `await`."""

    def __init__(
        self,
        address: str | None = None,
        key: str | None = None,
        *,
        link_secret: str | None = None,
        timeout: httpx.Timeout | float = TIMEOUT,
        retries: Retries | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(transport=transport, **_options(address, key, timeout))
        self._retries = retries or Retries()
        self._address = _address(address)
        self._link_secret = link_secret or os.environ.get("MOCKUP_LINK_SECRET", "")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the client's connections."""
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """Make a call, with retries where they may help."""
        attempt = 0
        while True:
            try:
                return _read(call, await self._http.request(call.method, call.path_below, **_sent(call)))
            except (ApiError, httpx.TransportError) as error:
                failure = _Failure(error, attempt, self._retries)
                if failure.wait is None:
                    raise failure.error from (None if failure.error is error else error)
            await asyncio.sleep(failure.wait)
            attempt += 1

    async def render(
        self,
        screenshot: Source | None = None,
        settings: Settings | None = None,
        *,
        url: str | None = None,
        upload: str | None = None,
        project: str | None = None,
        fast: bool = False,
        geometry: bool = False,
    ) -> Picture:
        """Render a mockup of one screenshot, given as a picture, by its URL or by the id of an upload."""
        return await self.send(
            calls.render(
                screenshot, settings, url=url, upload=upload, project=project, fast=fast, geometry=geometry
            )
        )

    async def upload(self, screenshot: Source | None = None, *, url: str | None = None) -> Upload:
        """Store a screenshot for an hour, to make several pictures of it."""
        return await self.send(calls.upload(screenshot, url))

    async def forget(self, upload: str) -> None:
        """Delete an upload."""
        await self.send(calls.forget(upload))

    async def preview(
        self, settings: Settings | None = None, *, upload: str | None = None, pixels: int | None = None
    ) -> bytes:
        """A small picture of at most `pixels` pixels, as JPEG or WebP."""
        return await self.send(calls.preview(settings, upload, pixels))

    async def geometry(self, settings: Settings | None = None) -> Geometry:
        """Where the device would be in a picture."""
        return await self.send(calls.geometry(settings))

    async def devices(
        self,
        q: str | None = None,
        *,
        category: str | None = None,
        brand: str | None = None,
        width: int | None = None,
        height: int | None = None,
    ) -> list[Device]:
        """List devices whose names have the words of `q`, or with a screen of this size."""
        return await self.send(calls.devices(q=q, category=category, brand=brand, width=width, height=height))

    async def device(self, name: str) -> Device:
        """Describe a device by its id or name."""
        return await self.send(calls.device(name))

    async def save(
        self,
        name: str,
        settings: Settings,
        *,
        project: str | None = None,
        parts: Mapping[str, Any] | None = None,
    ) -> Project:
        """Save settings and `parts` (devices, set, film) as a new project, or replace one."""
        return await self.send(calls.save(name, settings, project, parts))
