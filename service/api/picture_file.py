"""A cache of small pictures in an unnamed file, which the system removes when the service ends."""

from __future__ import annotations

import hashlib
import os
import tempfile
import weakref
from collections.abc import Hashable
from pathlib import Path

import structlog

from ..limits import THUMBNAIL_BYTES
from ..settings.rendering import Rendering
from .file_responses import File

log = structlog.get_logger(__name__)


class PictureFile:
    """Pictures by name, each written once, in an unnamed file in `folder`; for use on one event loop.

    The disk has room for all of them, but memory does not. Reading one from the system's cache takes a
    fraction of a millisecond.
    """

    def __init__(self, folder: Path) -> None:
        """Open no file before the first picture."""
        self._folder = folder
        self._fd: int | None = None
        self._end = 0
        self._places: dict[Hashable, tuple[int, int, str, str]] = {}

    def find(self, name: Hashable) -> File | None:
        """The picture of that name, None if it is missing or cannot be read."""
        place = self._places.get(name)
        if place is None or self._fd is None:
            return None
        start, size, mime, tag = place
        try:
            data = os.pread(self._fd, size, start)
        except OSError as error:
            log.warning("previews cannot be read", reason=str(error))
            return None
        return File(data, mime, tag) if len(data) == size else None

    def keep(self, name: Hashable, made: Rendering) -> File:
        """The picture as a file with its entity tag, stored under a name if there is room."""
        data = bytes(made.data)
        tag = f'"{hashlib.blake2b(data, digest_size=12).hexdigest()}"'
        if self._end + len(data) <= THUMBNAIL_BYTES:
            try:
                self._write(data)
            except OSError as error:
                log.warning("previews are not kept", reason=str(error))
            else:
                self._places[name] = (self._end, len(data), made.mime, tag)
                self._end += len(data)
        return File(data, made.mime, tag)

    def _write(self, data: bytes) -> None:
        if self._fd is None:
            with tempfile.TemporaryFile(dir=self._folder) as file:
                self._fd = os.dup(file.fileno())
            weakref.finalize(self, os.close, self._fd)
        if os.pwrite(self._fd, data, self._end) < len(data):
            raise OSError("a picture was written in part")
