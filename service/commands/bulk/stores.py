"""Reads screenshots and publishes pictures: files by rename, objects of stores by conditional requests."""

from __future__ import annotations

import asyncio
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...clock import Clock
from ...errors import invalid
from ...settings.formats import BY_SUFFIX, FORMATS
from .. import picture_file
from .places import Place, Stored, Web, place

if TYPE_CHECKING:
    from obstore import ObjectMeta, PutMode, UpdateVersion
    from obstore.store import ObjectStore

    from ...config import Config
    from ...sources.remote import Fetcher

# The header in which an object has the id of the row it was made for.
ROW = "mockup-row"
# Identifies one version of a place's content.
Version = tuple[str | int, ...]


class StoreError(Exception):
    """Why a place could not be read or written."""


class Stores:
    """Files, web servers and object stores, for use on one event loop; connections are opened when first
    needed.

    Object stores take their credentials and options from the environment, as obstore does (`AWS_*`,
    `GOOGLE_*`). It retries requests that failed for a temporary reason.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._fetcher: Fetcher | None = None
        self._opened: dict[str, ObjectStore] = {}

    async def read(self, place: Place) -> tuple[bytes, Version]:
        """A screenshot and its version.

        Raises a 400 if it is too large or its URL cannot be fetched, StoreError if it cannot be read.
        """
        if isinstance(place, Path):
            return self._read_file(place)
        if isinstance(place, Web):
            return await self._fetch(place), ()
        return await self._get(place)

    async def version(self, place: Place) -> Version:
        """The version of a screenshot, without reading it; raises StoreError if it does not exist.

        Size and time of change for a file, size and entity tag for an object. The version of a web server's
        file is its URL.
        """
        if isinstance(place, Path):
            try:
                return _version_of_file(place.stat())
            except OSError as error:
                raise StoreError(error.strerror) from error
        if isinstance(place, Web):
            return ()
        import obstore

        try:
            return _version(await obstore.head_async(self._store(place), place.key))
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise StoreError(_said(error)) from error

    async def publish(self, place: Place, data: bytes | memoryview, id: str) -> None:
        """Publish the picture of the row with this id, completely or not at all; raises StoreError.

        If two machines publish at once, because one took over from another that lost its connection, only one
        picture is published.
        """
        if isinstance(place, Path):
            try:
                # In a thread, since it waits for the disk.
                await asyncio.to_thread(picture_file.publish, place, data, mark=id[:16])
            except OSError as error:
                raise StoreError(error.strerror) from error
        else:
            assert isinstance(place, Stored), "manifests name no other outputs"
            await self._put(place, data, id)

    async def fetched(self, text: str) -> bytes:
        """The file at a URL or an absolute path; raises as `read`."""
        return (await self.read(place(text, Path())))[0]

    async def close(self) -> None:
        """Close connections."""
        if self._fetcher is not None:
            await self._fetcher.close()

    def _read_file(self, file: Path) -> tuple[bytes, Version]:
        try:
            with file.open("rb") as opened:
                version = _version_of_file(os.fstat(opened.fileno()))
                data = opened.read(self._config.max_source_bytes + 1)
        except OSError as error:
            raise StoreError(error.strerror) from error
        self._check_size(len(data))
        return data, version

    def _check_size(self, size: int) -> None:
        if size > self._config.max_source_bytes:
            raise invalid(f"The screenshot is larger than {self._config.max_source_bytes} bytes")

    async def _fetch(self, web: Web) -> bytes:
        if self._fetcher is None:
            # Imported here, because it takes a while to load and only this function logs.
            from ... import logs
            from ...sources.remote import Fetcher

            logs.quiet()
            self._fetcher = Fetcher(self._config)
        return await self._fetcher.fetch(web.url, Clock(), user="command line")

    def _store(self, stored: Stored) -> ObjectStore:
        from obstore.store import from_url

        if stored.bucket not in self._opened:
            self._opened[stored.bucket] = from_url(stored.bucket)
        return self._opened[stored.bucket]

    async def _get(self, stored: Stored) -> tuple[bytes, Version]:
        import obstore

        try:
            got = await obstore.get_async(self._store(stored), stored.key)
            self._check_size(got.meta["size"])
            return bytes(await got.bytes_async()), _version(got.meta)
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise StoreError(_said(error)) from error

    async def _put(self, stored: Stored, data: bytes | memoryview, id: str) -> None:
        import obstore

        store = self._store(stored)
        mime = FORMATS[BY_SUFFIX[Path(stored.key).suffix.lower()]].mime
        attributes: Any = {"Content-Type": mime, ROW: id}

        async def put(mode: PutMode) -> None:
            await obstore.put_async(store, stored.key, data, attributes=attributes, mode=mode)

        try:
            try:
                await put("create")
            except obstore.exceptions.AlreadyExistsError:
                there = await obstore.get_async(store, stored.key, options={"head": True})
                if there.attributes.get(ROW) != id:
                    # The object has the picture of earlier settings: replace it unless another run does so
                    # first.
                    await put(_update(there.meta))
        except (obstore.exceptions.BaseError, OSError, ValueError) as error:
            raise StoreError(_said(error)) from error


def _version_of_file(status: os.stat_result) -> Version:
    return status.st_size, status.st_mtime_ns


def _version(meta: ObjectMeta) -> Version:
    changed: datetime = meta["last_modified"]
    return meta["size"], meta["e_tag"] or changed.isoformat()


def _update(meta: ObjectMeta) -> UpdateVersion:
    """The condition that an object is still as it was; stores know it by an entity tag, a version or both."""
    condition: UpdateVersion = {}
    if (tag := meta["e_tag"]) is not None:
        condition["e_tag"] = tag
    if (version := meta["version"]) is not None:
        condition["version"] = version
    return condition


def _said(error: Exception) -> str:
    """An error's first line; the rest is for the library's developers."""
    return str(error).partition("\n")[0]
