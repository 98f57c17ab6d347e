"""The existing plates, built once for all callers who want the same one; the least recently used are dropped.

Their bytes are limited. The server only holds their memory and never looks inside; renderers map it.
"""

from __future__ import annotations

import itertools
import os
import weakref
from typing import Literal

from cachetools import LRUCache

from ..concurrency.async_single_flight import AsyncSingleFlight
from ..processes.segments import DESCRIPTOR_BYTES
from ..settings.scene import PlateSpec

Outcome = Literal["again", "alone"]


class SharedPlate:
    """A plate's memory; its descriptor is closed with the last reference."""

    def __init__(self, serial: int, fd: int) -> None:
        self.serial = serial
        self.fd = fd
        self.size = os.fstat(fd).st_size
        weakref.finalize(self, os.close, fd)


class PlateCache:
    """Plates by plate spec, at most `limit` bytes of them; for use on the event loop only.

    `live` are the serials of those that are kept.
    """

    def __init__(self, limit: int) -> None:
        self.hits = self.misses = 0
        self.live: frozenset[int] = frozenset()
        self._plates: LRUCache[PlateSpec, SharedPlate] = LRUCache(
            max(limit, 1), getsizeof=lambda plate: max(plate.size, DESCRIPTOR_BYTES)
        )
        self._builds: AsyncSingleFlight[PlateSpec, SharedPlate | Outcome] = AsyncSingleFlight()
        self._serials = itertools.count(1)

    @property
    def limit(self) -> int:
        """Memory that plates may take."""
        return int(self._plates.maxsize)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return int(self._plates.currsize)

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether the plate is kept or being built."""
        return spec in self._plates or spec in self._builds

    async def claim(self, spec: PlateSpec) -> tuple[SharedPlate | None, bool]:
        """The plate if it is kept or being built, and otherwise whether the caller must build it for all.

        A caller that must build it has to call `built` or `settle` afterwards.
        """
        while True:
            plate: SharedPlate | Outcome | None = self._plates.get(spec)
            if plate is None:
                if spec not in self._builds:
                    self.misses += 1
                    self._builds.begin(spec)
                    return None, True
                plate = await self._builds.outcome(spec)
            if isinstance(plate, SharedPlate):
                self.hits += 1
                return plate, False
            if plate == "alone":
                self.misses += 1
                return None, False

    def built(self, spec: PlateSpec, fd: int | None) -> None:
        """Record a finished plate: its descriptor `fd`, or None if it is too large to be shared."""
        if fd is None:
            self.settle(spec, "alone")
            return
        plate = SharedPlate(next(self._serials), fd)
        if plate.size <= self._plates.maxsize:
            self._plates[spec] = plate
            self.live = frozenset(one.serial for one in self._plates.values())
        self.settle(spec, plate)

    def settle(self, spec: PlateSpec, outcome: SharedPlate | Outcome = "again") -> None:
        """End the wait for a build, if there is one; by default, the next caller in line builds the plate."""
        self._builds.settle(spec, outcome)

    def clear(self) -> None:
        """Release every plate."""
        self._plates.clear()
        self.live = frozenset()
