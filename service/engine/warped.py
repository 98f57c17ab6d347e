"""Screenshots warped to the screens of the last pictures, for pictures in which little has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cachetools import LRUCache

from ..arrays import U8
from ..limits import WARPED_BYTES
from ..render.compose.shot import Placement
from ..render.geometry.raster import Box
from ..settings.scene import Fit
from .request import ScreenshotId


class WarpedShot(NamedTuple):
    """All that a warped screenshot depends on: its id, its pixels' shape, its fit, the screen's place.

    `matrix` are the bytes of the screen layer's. Without an id it is not kept.
    """

    id: ScreenshotId | None
    shape: tuple[int, ...]
    placement: Placement
    fit: Fit
    box: Box
    size: tuple[float, float]
    matrix: bytes
    fast: bool


class Warped:
    """Warped screenshots by all that they depend on; for one thread at a time.

    Of a scene in which one screenshot or the background has changed, the others come from here.
    """

    def __init__(self, limit: int = WARPED_BYTES) -> None:
        """Nothing is kept yet; at most `limit` bytes will be."""
        self._kept: LRUCache[WarpedShot, U8] = LRUCache(max(limit, 1), getsizeof=lambda made: made.nbytes)

    def get(self, shown: WarpedShot, make: Callable[[], U8]) -> U8:
        """What `make` returns for a shot, read-only; it must depend on nothing else."""
        if shown.id is None:
            return make()
        found = self._kept.get(shown)
        if found is None:
            found = make()
            found.flags.writeable = False
            if found.nbytes <= self._kept.maxsize:
                self._kept[shown] = found
        return found

    def trim(self) -> None:
        """Keep nothing."""
        self._kept.clear()
