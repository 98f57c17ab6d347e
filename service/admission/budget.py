"""One budget for all bytes in flight: incoming requests, screenshots, outgoing responses.

Every byte has an owner: the client address before authentication, the user after. An owner may take more as
long as it holds no more than is left for everyone, so there is always room for a newcomer. This is the
dynamic threshold of shared-memory switches (Choudhury and Hahne, 1998), with a factor of one.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Callable
from types import TracebackType

import structlog

from service.errors import Code, MockupError, counted
from service.logs import anonymous

log = structlog.get_logger(__name__)

# Seconds after which a refused request may be retried.
RETRY_S = 1
# Seconds that an owner waits for room before others are evicted.
GRACE_S = 1.0

Evict = Callable[[], None] | None


class Reservation:
    """Bytes held by an owner until released; also a context manager."""

    def __init__(self, budget: Budget, owner: str, size: int, evict: Evict) -> None:
        self._budget = budget
        self.owner = owner
        self.size = size
        self.evict = evict

    def grow(self, size: int) -> None:
        """Hold `size` more bytes; raises `SERVER_BUSY` if the owner may not."""
        if not self._budget.fits(self.owner, size):
            raise busy()
        self.resize(self.size + size)

    def resize(self, size: int) -> None:
        """Hold `size` bytes from now on, whether or not they fit."""
        self._budget.change(self, size)

    def keep(self) -> None:
        """Protect it from eviction."""
        self._budget.keep(self)

    def release(self) -> None:
        """Release all bytes."""
        self.resize(0)

    def __enter__(self) -> Reservation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class Budget:
    """At most `limit` bytes, shared fairly between owners; for use on one event loop."""

    def __init__(self, limit: float) -> None:
        """Start empty; `limit` in bytes."""
        self.limit = limit
        self.used = 0
        self._held: Counter[str] = Counter()
        self._evictable: dict[Reservation, None] = {}
        self._waiting: dict[int, tuple[str, int, Evict, asyncio.Future[Reservation]]] = {}
        self._numbers = itertools.count()

    def held(self, owner: str) -> int:
        """Bytes that `owner` holds."""
        return self._held[owner]

    def fits(self, owner: str, size: int) -> bool:
        """Whether `owner` may hold `size` more bytes. A sole owner may hold any amount."""
        return not self.used or self._held[owner] + size <= self.limit - self.used

    def take(self, owner: str, size: int = 0) -> Reservation:
        """Reserve bytes immediately; raises `SERVER_BUSY` if the owner may not have them."""
        if size and not self.fits(owner, size):
            raise busy()
        return self._reserve(owner, size)

    async def reserve(self, owner: str, size: int, patience: float, evict: Evict = None) -> Reservation:
        """Reserve bytes as soon as the owner may have them; raises `SERVER_BUSY` after `patience` seconds.

        The request whose owner would hold the least is next, and ties go to the oldest: if it does not fit,
        no other does, and one owner's large body does not delay another's small one. After `GRACE_S`, a
        waiting request evicts what it can from owners that hold more.
        """
        if not self._waiting and self.fits(owner, size):
            return self._reserve(owner, size, evict)
        future: asyncio.Future[Reservation] = asyncio.get_running_loop().create_future()
        number = next(self._numbers)
        self._waiting[number] = (owner, size, evict, future)
        self._admit()
        until = time.monotonic() + patience
        try:
            while not future.done() and (left := until - time.monotonic()) > 0:
                await asyncio.wait({future}, timeout=min(left, GRACE_S))
                if not future.done():
                    self._reclaim(owner, size)
        except asyncio.CancelledError:
            if future.done():
                future.result().release()
            raise
        finally:
            self._waiting.pop(number, None)
        if not future.done():
            raise busy()
        return future.result()

    def hold(self, owner: str, size: int, evict: Evict) -> Reservation:
        """Hold bytes that already exist, such as a response's, whether or not they fit.

        If they do not fit, the owner of most of the evictable bytes loses its oldest: `evict` is called.
        """
        made = self._reserve(owner, size, evict)
        self._make_room()
        return made

    def change(self, reservation: Reservation, size: int) -> None:
        """Set the size of `reservation` in bytes."""
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

    def _reserve(self, owner: str, size: int, evict: Evict = None) -> Reservation:
        made = Reservation(self, owner, 0, evict)
        self.change(made, size)
        if evict is not None and size:
            self._evictable[made] = None
        return made

    def _admit(self) -> None:
        while self._waiting:
            number = min(self._waiting, key=self._rank)
            owner, size, evict, future = self._waiting[number]
            if not self.fits(owner, size):
                return
            del self._waiting[number]
            if not future.done():
                future.set_result(self._reserve(owner, size, evict))

    def _rank(self, number: int) -> tuple[int, int]:
        owner, size, *_ = self._waiting[number]
        return self._held[owner] + size, number

    def _make_room(self) -> None:
        while self.used > self.limit and self._evictable:
            self._evict(self._greatest())

    def _reclaim(self, owner: str, size: int) -> None:
        """Evict until `owner` may have `size` more bytes, but never from owners who would then hold less."""
        while self._evictable and not self.fits(owner, size):
            greatest = self._greatest()
            if greatest == owner or self._held[greatest] <= self._held[owner] + size:
                return
            self._evict(greatest)

    def _greatest(self) -> str:
        """The owner of most of the evictable bytes."""
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


def busy(message: str = "The server is busy", wait: int = RETRY_S) -> MockupError:
    """A 503 with the seconds after which to retry."""
    message = f"{message}. Try again in {counted(wait, 'second')}"
    return MockupError(Code.SERVER_BUSY, message, retry_after=wait)
