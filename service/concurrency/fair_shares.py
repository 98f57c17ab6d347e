"""Fair shares of something limited, such as bytes or connections.

An owner may take more as long as it holds no more than what is free for everyone, so there is always room for
a newcomer. This is the dynamic threshold of shared-memory switches (Choudhury and Hahne, 1998), with a factor
of one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from types import TracebackType

import structlog

from ..errors import busy
from ..limits import EVICTION_S
from ..logs import anonymous
from .waiting_line import Waiter, WaitingLine

log = structlog.get_logger(__name__)


Evict = Callable[[], None] | None


class Reservation:
    """Units that an owner holds until they are released; also a context manager."""

    def __init__(self, shares: FairShares, owner: str, evict: Evict) -> None:
        self._shares = shares
        self.owner = owner
        self.size = 0
        self.evict = evict

    def grow(self, size: int) -> None:
        """Hold `size` more; raises `SERVER_BUSY` if the owner may not."""
        if not self._shares.fits(self.owner, size):
            raise busy()
        self.resize(self.size + size)

    def resize(self, size: int) -> None:
        """Hold `size` from now on, whether or not it fits."""
        self._shares.change(self, size)

    def keep(self) -> None:
        """Protect the reservation from eviction."""
        self._shares.keep(self)

    def release(self) -> None:
        """Release all units."""
        self.resize(0)

    def __enter__(self) -> Reservation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class FairShares(WaitingLine[tuple[Reservation, int]]):
    """At most `limit` of something, such as bytes, shared fairly between owners."""

    def __init__(self, limit: float) -> None:
        """Start empty."""
        super().__init__()
        self.limit = limit
        self.used = 0
        self._held: Counter[str] = Counter()
        self._evictable: dict[Reservation, None] = {}

    def held(self, owner: str) -> int:
        """How much `owner` holds."""
        return self._held[owner]

    def fits(self, owner: str, size: int) -> bool:
        """Whether `owner` may hold `size` more. A sole owner may hold any amount."""
        return not self.used or self._held[owner] + size <= self.limit - self.used

    def take(self, owner: str, size: int = 0) -> Reservation:
        """Reserve immediately; raises `SERVER_BUSY` if the owner may not have it."""
        if size and not self.fits(owner, size):
            raise busy()
        return self._reserved(Reservation(self, owner, None), size)

    async def reserve(
        self, owner: str, size: int, patience: float = math.inf, evict: Evict = None
    ) -> Reservation:
        """Reserve as soon as the owner may have it; raises `SERVER_BUSY` after `patience` seconds.

        The request whose owner would hold the least is next, and ties go to the oldest: if it does not fit,
        no other does, and one owner's large request does not delay another's small one. After `EVICTION_S`, a
        waiting request evicts as much as it needs from owners that hold more.
        """
        reservation = Reservation(self, owner, evict)
        await self._wait(owner, (reservation, size), patience, EVICTION_S)
        return reservation

    def hold(self, owner: str, size: int, evict: Evict) -> Reservation:
        """Reserve for something that already exists, such as a response's bytes, whether or not it fits.

        If it does not fit, the owner with the most evictable units loses its oldest reservation: its `evict`
        is called.
        """
        reservation = self._reserved(Reservation(self, owner, evict), size)
        while self.used > self.limit and self._evictable:
            self._evict(self._greatest())
        return reservation

    def change(self, reservation: Reservation, size: int) -> None:
        """Set the size of `reservation`."""
        less = size < reservation.size
        self.used += size - reservation.size
        self._held[reservation.owner] += size - reservation.size
        reservation.size = size
        if not size:
            self._evictable.pop(reservation, None)
            if not self._held[reservation.owner]:
                del self._held[reservation.owner]
        if less:
            self._admit()

    def keep(self, reservation: Reservation) -> None:
        """Protect `reservation` from eviction."""
        self._evictable.pop(reservation, None)

    def _reserved(self, reservation: Reservation, size: int) -> Reservation:
        self.change(reservation, size)
        if reservation.evict is not None and size:
            self._evictable[reservation] = None
        return reservation

    def _next(self) -> Waiter[tuple[Reservation, int]] | None:
        waiting = [waiter for line in self._lines.values() for waiter in line]
        least = min(waiting, key=self._rank, default=None)
        return least if least is not None and self.fits(least.owner, least.want[1]) else None

    def _rank(self, waiter: Waiter[tuple[Reservation, int]]) -> tuple[int, int]:
        return self._held[waiter.owner] + waiter.want[1], waiter.number

    def _begin(self, waiter: Waiter[tuple[Reservation, int]]) -> None:
        self._reserved(*waiter.want)

    def _end(self, waiter: Waiter[tuple[Reservation, int]]) -> None:
        waiter.want[0].release()

    def _still_waits(self, waiter: Waiter[tuple[Reservation, int]]) -> None:
        """Evict others' reservations until the waiter's fits, but never from owners who hold no more than the
        waiter then would."""
        owner, (_, size) = waiter.owner, waiter.want
        while self._evictable and not (waiter.turn.done() or self.fits(owner, size)):
            greatest = self._greatest()
            if greatest == owner or self._held[greatest] <= self._held[owner] + size:
                return
            self._evict(greatest)

    def _greatest(self) -> str:
        """The owner with the largest evictable holdings."""
        by_owner: Counter[str] = Counter()
        for one in self._evictable:
            by_owner[one.owner] += one.size
        return by_owner.most_common(1)[0][0]

    def _evict(self, owner: str) -> None:
        """Evict the oldest evictable reservation of `owner`."""
        oldest = next(one for one in self._evictable if one.owner == owner)
        if anonymous.allows():
            log.info("connection ended to make room", owner=owner, bytes=oldest.size)
        evict = oldest.evict
        oldest.release()
        if evict is not None:
            evict()
