"""The plate cache: least recently used by bytes, and one build for callers who want the same."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError as Abandoned
from concurrent.futures import Future

from cachetools import LRUCache

from service.clock import Clock
from service.render.plate import Plate
from service.scene import Stage


class Plates:
    """Plates by their stage, at most `limit` bytes of them; safe to use from several threads."""

    def __init__(self, limit: int, build: Callable[[Stage, Clock], Plate]) -> None:
        """`build` makes the plate of a stage."""
        self.hits = self.misses = 0
        self._build = build
        self._lock = threading.Lock()
        self._kept: LRUCache[Stage, Plate] = LRUCache(max(limit, 1), getsizeof=lambda plate: plate.nbytes)
        self._building: dict[Stage, Future[Plate]] = {}

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return int(self._kept.currsize)

    def __contains__(self, stage: Stage) -> bool:
        """Whether the plate is kept just now."""
        with self._lock:
            return stage in self._kept

    def clear(self) -> None:
        """Let go of every plate."""
        with self._lock:
            self._kept.clear()

    def get(self, stage: Stage, clock: Clock) -> Plate:
        """The plate of a stage, built now unless it is kept or another thread is at it."""
        with self._lock:
            kept = self._kept.get(stage)
            if kept is not None:
                self.hits += 1
                return kept
            self.misses += 1
            pending = self._building.get(stage)
            if pending is None:
                mine = self._building[stage] = Future[Plate]()
        if pending is not None:
            return self._wait(pending, stage, clock)
        try:
            plate = self._build(stage, clock)
        except BaseException:
            with self._lock:
                self._building.pop(stage, None)
            mine.cancel()
            raise
        with self._lock:
            self._building.pop(stage, None)
            if plate.nbytes <= self._kept.maxsize:
                self._kept[stage] = plate
        mine.set_result(plate)
        return plate

    def _wait(self, pending: Future[Plate], stage: Stage, clock: Clock) -> Plate:
        """Take what another thread builds; if that one gives up (its own deadline), build here."""
        while True:
            clock.check()
            try:
                return pending.result(timeout=min(0.05, clock.remaining + 1e-3))
            except TimeoutError:
                continue
            except Abandoned:
                return self.get(stage, clock)
