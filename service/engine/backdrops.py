"""Backgrounds made of pictures: their files, and those that a renderer keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from cachetools import LRUCache

from ..codec import header
from ..codec.picture import Header, PictureLimits
from ..errors import Detail, MockupError
from ..settings.background_image import PATH
from ..settings.scene import BackdropSpec

if TYPE_CHECKING:
    # The server reads headers, and loads no NumPy.
    from ..arrays import U8

MOST = 24 * 2**20  # bytes that a renderer keeps

Key = tuple[str, BackdropSpec, tuple[int, int], bool]


@dataclass(frozen=True, slots=True)
class BackdropFile:
    """The file of a background, its header, and a name that stands for its bytes and for whose they are."""

    data: bytes | memoryview
    header: Header
    name: str

    @property
    def area(self) -> int:
        """Its pixels."""
        return self.header.width * self.header.height


def backdrop_file(data: bytes, owner: str, limits: PictureLimits) -> BackdropFile:
    """Read the header of a background's file; raises a 400 that names its path."""
    try:
        facts = header.read(data, limits)
    except MockupError as error:
        raise named(error) from error.__cause__
    # Of its owner alone: others must not learn by its time whether it is kept.
    return BackdropFile(data, facts, f"{owner} {sha256(data).hexdigest()}")


def named(error: MockupError) -> MockupError:
    """The error of a decoder about a background's file, which it takes for a screenshot."""
    details = (
        Detail(PATH if one.path == "screenshot.src" else one.path, _about(one.message))
        for one in error.details
    )
    found = error.about(*details)
    return MockupError(found.code, _about(found.message), found.details, retry_after=found.retry_after)


def _about(text: str) -> str:
    return text.replace("The screenshot", "The background image").replace(
        "the screenshot", "the background image"
    )


class Backdrops:
    """The last backgrounds by what they are made from; for one thread at a time."""

    def __init__(self, limit: int = MOST) -> None:
        """Nothing is kept yet; at most `limit` bytes will be."""
        self._kept: LRUCache[Key, U8] = LRUCache(max(limit, 1), getsizeof=lambda made: made.nbytes)

    def get(self, key: Key, make: Callable[[], U8]) -> U8:
        """The background that is kept under a key, or is made and kept if it is small enough."""
        found = self._kept.get(key)
        if found is None:
            found = make()
            if found.nbytes <= self._kept.maxsize:
                self._kept[key] = found
        return found

    def trim(self) -> None:
        """Keep nothing."""
        self._kept.clear()
