"""Backgrounds that are pictures: their files, and a renderer's cache of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    # The server imports this module to read headers, and does not load NumPy.
    from ..arrays import U8

MOST = 24 * 2**20  # bytes that a renderer caches

BackdropKey = tuple[str, BackdropSpec, tuple[int, int], bool]


@dataclass(frozen=True, slots=True)
class BackdropFile:
    """The file of a background, its header, and a name that identifies its bytes and its owner."""

    data: bytes | memoryview
    header: Header
    name: str

    @property
    def area(self) -> int:
        """The number of the background's pixels."""
        return self.header.width * self.header.height


def backdrop_file(data: bytes, owner: str, limits: PictureLimits) -> BackdropFile:
    """Read the header of a background's file; raises a 400 that names its path."""
    with about_background():
        facts = header.read(data, limits)
    # The cache is per owner: response times must not reveal to other users that a file is cached.
    return BackdropFile(data, facts, f"{owner} {sha256(data).hexdigest()}")


@contextmanager
def about_background() -> Iterator[None]:
    """Raise an error about a screenshot as the same error about a background image."""
    try:
        yield
    except MockupError as error:
        raise _named(error) from error.__cause__


def _named(error: MockupError) -> MockupError:
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
    """A cache of the last backgrounds by their inputs; for one thread at a time."""

    def __init__(self, limit: int = MOST) -> None:
        """Start empty; keep at most `limit` bytes."""
        self._kept: LRUCache[BackdropKey, U8] = LRUCache(max(limit, 1), getsizeof=lambda made: made.nbytes)

    def get(self, key: BackdropKey, make: Callable[[], U8]) -> U8:
        """The background of a key, from the cache, or made and cached if it is small enough."""
        found = self._kept.get(key)
        if found is None:
            found = make()
            if found.nbytes <= self._kept.maxsize:
                self._kept[key] = found
        return found

    def trim(self) -> None:
        """Empty the cache."""
        self._kept.clear()
