"""The places of a manifest's screenshots and pictures: files, and URLs of web servers and object stores."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from ...shipped import extra

# Object stores that pictures are read from and written to.
STORES = ("s3", "gs")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")

Use = Literal["screenshot", "output"]


@dataclass(frozen=True, slots=True)
class Web:
    """A URL of a web server, which is only read."""

    url: str


@dataclass(frozen=True, slots=True)
class Stored:
    """An object of a store, such as `s3://bucket/key`."""

    bucket: str
    key: str

    def __str__(self) -> str:
        return f"{self.bucket}/{self.key}"


Place = Path | Web | Stored


def place(text: str, folder: Path) -> Place:
    """The place of a path or URL; relative paths start at `folder`. Raises ValueError for all else."""
    if "\0" in text:
        raise ValueError("expected a path or a URL")
    scheme = _scheme(text)
    if scheme is None:
        return folder / text
    if scheme in ("http", "https"):
        return Web(text)
    if scheme == "file":
        parts = urlsplit(text)
        if parts.netloc not in ("", "localhost") or parts.query or parts.fragment:
            raise ValueError("expected file:///PATH")
        return Path(unquote(parts.path))
    if scheme in STORES:
        bucket, _, key = text[len(scheme) + 3 :].partition("/")
        if not bucket or not key:
            raise ValueError(f"expected {scheme}://BUCKET/KEY")
        return Stored(f"{scheme}://{bucket}", key)
    raise ValueError(f"{scheme}:// is not known; expected a path, or a URL with file, http, https, s3 or gs")


def fault(text: str, use: Use) -> str | None:
    """The reason why a path or URL cannot be read or written, if it is known without trying."""
    if _is_path(text):
        return None
    try:
        found = place(text, Path())
    except ValueError as error:
        return str(error)
    if use == "output" and isinstance(found, Web):
        return "pictures cannot be written to a web server; expected a path, or a URL with file, s3 or gs"
    if isinstance(found, Stored) and find_spec("obstore") is None:
        return f"object stores need {extra('bulk')}"
    return None


def shown(text: str) -> str:
    """A path or URL for messages and receipts: the query of a signed URL is a secret."""
    return text if _scheme(text) not in ("http", "https") else re.split(r"[?#]", text, maxsplit=1)[0]


def normal(text: str, folder: Path) -> str:
    """A text that is equal for all ways of writing the same place; raises ValueError as `place` does."""
    if _is_path(text):
        # Without a path object, which would take longer than all other work on a row.
        return os.path.normpath(os.path.join(folder, text))
    found = place(text, folder)
    if isinstance(found, Path):
        return os.path.normpath(found)
    return found.url if isinstance(found, Web) else str(found)


def _is_path(text: str) -> bool:
    return _scheme(text) is None and "\0" not in text


def _scheme(text: str) -> str | None:
    match = _SCHEME.match(text)
    return match[1].lower() if match else None
