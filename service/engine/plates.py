"""The plate cache of a studio without a server: least recently used, bounded by bytes."""

from __future__ import annotations

from collections.abc import Callable

from cachetools import LRUCache

from ..render.plates.plate import Plate
from ..settings.scene import PlateSpec


class Plates:
    """Plates by plate spec, at most `limit` bytes of them; for one thread at a time."""

    def __init__(self, limit: int) -> None:
        """Start empty."""
        self.hits = self.misses = 0
        self._kept: LRUCache[PlateSpec, Plate] = LRUCache(max(limit, 1), getsizeof=lambda plate: plate.nbytes)

    @property
    def limit(self) -> int:
        """Memory that plates may take, in bytes."""
        return int(self._kept.maxsize)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return int(self._kept.currsize)

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether the plate is in the cache."""
        return spec in self._kept

    def get(self, spec: PlateSpec, build: Callable[[], Plate]) -> Plate:
        """The plate of a plate spec, from the cache or built now."""
        kept = self._kept.get(spec)
        if kept is not None:
            self.hits += 1
            return kept
        self.misses += 1
        plate = build()
        if plate.nbytes <= self._kept.maxsize:
            self._kept[spec] = plate
        return plate

    def clear(self) -> None:
        """Release every plate."""
        self._kept.clear()
