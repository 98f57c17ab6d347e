"""Which plates exist: least recently used by bytes, and built once for all callers who want the same one.

The server only holds their memory and never looks inside; renderers map it.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import weakref
from typing import Literal

from cachetools import LRUCache

from service.processes.segments import DESCRIPTOR_BYTES
from service.settings.scene import PlateSpec

Outcome = Literal["again", "alone"]


class Kept:
    """A plate's memory; its descriptor is closed with the last reference."""

    def __init__(self, serial: int, fd: int) -> None:
        self.serial = serial
        self.fd = fd
        self.size = os.fstat(fd).st_size
        weakref.finalize(self, os.close, fd)


class PlateCache:
    """Plates by plate spec, at most `limit` bytes of them; for use on the event loop only."""

    def __init__(self, limit: int) -> None:
        self.hits = self.misses = 0
        self.living: frozenset[int] = frozenset()
        self._kept: LRUCache[PlateSpec, Kept] = LRUCache(
            max(limit, 1), getsizeof=lambda kept: max(kept.size, DESCRIPTOR_BYTES)
        )
        self._building: dict[PlateSpec, asyncio.Future[Kept | Outcome]] = {}
        self._serials = itertools.count(1)

    @property
    def limit(self) -> int:
        """Memory that plates may take."""
        return int(self._kept.maxsize)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return int(self._kept.currsize)

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether the plate is kept or being built."""
        return spec in self._kept or spec in self._building

    async def claim(self, spec: PlateSpec) -> tuple[Kept | None, bool]:
        """The plate if it is kept or being built; otherwise whether the caller is to build it for everyone.

        A caller that is must call `built` or `settle`.
        """
        while True:
            kept = self._kept.get(spec)
            if kept is not None:
                self.hits += 1
                return kept, False
            pending = self._building.get(spec)
            if pending is None:
                self.misses += 1
                self._building[spec] = asyncio.get_running_loop().create_future()
                return None, True
            outcome = await asyncio.shield(pending)
            if isinstance(outcome, Kept):
                self.hits += 1
                return outcome, False
            if outcome == "alone":
                self.misses += 1
                return None, False

    def built(self, spec: PlateSpec, fd: int | None) -> None:
        """Record a plate that was built: its memory, or None if it is too large to be shared."""
        if fd is None:
            self.settle(spec, "alone")
            return
        kept = Kept(next(self._serials), fd)
        if kept.size <= self._kept.maxsize:
            self._kept[spec] = kept
            self.living = frozenset(one.serial for one in self._kept.values())
        self.settle(spec, kept)

    def settle(self, spec: PlateSpec, outcome: Kept | Outcome = "again") -> None:
        """End the wait for a build, if there is one; by default the next caller in line builds."""
        pending = self._building.pop(spec, None)
        if pending is not None:
            pending.set_result(outcome)

    def clear(self) -> None:
        """Let go of every plate."""
        self._kept.clear()
        self.living = frozenset()
