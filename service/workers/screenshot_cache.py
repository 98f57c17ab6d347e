"""Decoded screenshots, kept for a short time, each for its owner only.

The server only holds their memory and never looks inside; renderers map it.
"""

from __future__ import annotations

import os
import time
import weakref
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from cachetools import FIFOCache

from ..codec.picture import Header
from ..devices.content import Content
from ..engine.request import Known, ScreenshotId
from ..limits import KEPT_S
from ..processes.segments import DESCRIPTOR_BYTES


@dataclass(eq=False)
class DecodedScreenshot:
    """A screenshot's pixels in memory; its descriptor is closed with the last reference.

    `content` is its opaque part, if its corners are transparent.
    """

    id: ScreenshotId
    header: Header
    shape: tuple[int, int, int]
    fd: int
    content: Content | None = None

    def __post_init__(self) -> None:
        self.used = time.monotonic()
        self.size = max(os.fstat(self.fd).st_size, DESCRIPTOR_BYTES)
        weakref.finalize(self, os.close, self.fd)

    @property
    def known(self) -> Known:
        """The header and content found when it was decoded."""
        return Known(self.header, self.content)

    @property
    def replaces_file(self) -> bool:
        """Whether the pixels replace the file, because it is decoded to the same pixels for every picture."""
        return self.header.divisors == (1,)


class ScreenshotCache:
    """Decoded screenshots, at most `limit` bytes of them; for use on the event loop only.

    Beyond the limit, the user who holds most loses the least recently used. An upload is kept the first time
    it is decoded. Other screenshots are kept when they come a second time, if few enough others came in
    between that they would still have been in the cache (the ghost queue of 2Q, Johnson and Shasha, 1994).
    None of cachetools' caches fits, because their choice of the entry to drop does not depend on owners.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.nbytes = self.hits = self.misses = 0
        # In the order in which they were last used.
        self._kept: OrderedDict[ScreenshotId, DecodedScreenshot] = OrderedDict()
        self._held: Counter[str] = Counter()
        self._ghosts: FIFOCache[ScreenshotId, int] = FIFOCache(limit, getsizeof=lambda size: size)

    def __iter__(self) -> Iterator[ScreenshotId]:
        """The screenshots kept, the least recently used first."""
        return iter(self._kept)

    def find(self, id: ScreenshotId) -> DecodedScreenshot | None:
        """The screenshot if it is kept, which counts as a use."""
        decoded = self._kept.get(id)
        if decoded is not None:
            decoded.used = time.monotonic()
            self._kept.move_to_end(id)
        return decoded

    def is_worth(self, id: ScreenshotId, size: int) -> bool:
        """Whether a screenshot of `size` bytes that is about to be decoded should be kept."""
        if size > self.limit:
            return False
        if id.uploaded:
            return True
        if self._ghosts.pop(id, None) is not None:
            return True
        self._ghosts[id] = size
        return False

    def keep(self, decoded: DecodedScreenshot) -> None:
        """Keep a screenshot, in place of the one of the same id."""
        self.forget(decoded.id)
        self._kept[decoded.id] = decoded
        self._held[decoded.id.owner] += decoded.size
        self.nbytes += decoded.size
        while self.nbytes > self.limit:
            most = max(self._held.values())
            self.forget(next(id for id in self._kept if self._held[id.owner] == most))

    def forget(self, id: ScreenshotId) -> None:
        """Release a screenshot, if it is kept."""
        decoded = self._kept.pop(id, None)
        if decoded is not None:
            self.nbytes -= decoded.size
            self._held[id.owner] -= decoded.size
            if not self._held[id.owner]:
                del self._held[id.owner]

    def expire(self, now: float) -> float | None:
        """Forget screenshots last used `KEPT_S` before `now`; returns when to call this again, if at all."""
        while self._kept:
            oldest = next(iter(self._kept.values()))
            if oldest.used + KEPT_S > now:
                return oldest.used + KEPT_S
            self.forget(oldest.id)
        self._ghosts.clear()
        return None

    def clear(self) -> None:
        """Release every screenshot."""
        self._kept.clear()
        self._held.clear()
        self._ghosts.clear()
        self.nbytes = 0
