"""A cache of the last pictures' warped screenshots, for pictures in which little has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cachetools import LRUCache

from ..arrays import U8
from ..limits import WARPED_BYTES
from ..render.compose.shot import ShotPlacement
from ..render.geometry.raster import Box
from ..settings.scene import Fit, PlateSpec
from .request import ScreenshotId


class WarpedShot(NamedTuple):
    """The inputs of a warped screenshot: its id, its pixels' shape, its fit, the screen's place.

    `matrix` has the bytes of the screen layer's matrix. The reflection in a rough floor depends on the whole
    plate spec, so for that, `seen` is the plate spec. Without an id, the result is not cached.
    """

    id: ScreenshotId | None
    shape: tuple[int, ...]
    placement: ShotPlacement
    fit: Fit
    box: Box
    size: tuple[float, float]
    matrix: bytes
    fast: bool
    seen: PlateSpec | None = None


class Warped:
    """Warped screenshots by their inputs; for one thread at a time.

    If only one screenshot or the background of a scene has changed, the other screenshots are taken from
    here.
    """

    def __init__(self, limit: int = WARPED_BYTES) -> None:
        """Start empty; keep at most `limit` bytes."""
        self._kept: LRUCache[WarpedShot, U8] = LRUCache(max(limit, 1), getsizeof=lambda made: made.nbytes)

    def get(self, shown: WarpedShot, make: Callable[[], U8]) -> U8:
        """The read-only result of `make` for a shot; it must depend only on the shot."""
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
        """Empty the cache."""
        self._kept.clear()
