"""One budget for all bytes in flight: requests on their way in, screenshots, answers on their way out.

Every byte has an owner: a client address before a key was shown, a user after. An owner may take more while
it holds no more than what is left for everybody, so that there is always room for a newcomer. This is the
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

# What is said when there is no room, and after how many seconds to ask again.
RETRY_S = 1
# Seconds that one waits for room before others are evicted for it.
GRACE_S = 1.0

Evict = Callable[[], None] | None


class Reservation:
    """Bytes that an owner holds until they are released; also a context manager."""

    def __init__(self, budget: Budget, owner: str, size: int, evict: Evict) -> None:
        self._budget = budget
        self.owner = owner
        self.size = size
        self.evict = evict

    def grow(self, size: int) -> None:
        """Hold `size` bytes more; raises `SERVER_BUSY` when the owner may not."""
        if not self._budget.fits(self.owner, size):
            raise busy()
        self.resize(self.size + size)

    def resize(self, size: int) -> None:
        """Hold `size` bytes from now on, whether they fit or not."""
        self._budget.change(self, size)

    def keep(self) -> None:
        """Let it not be evicted any more."""
        self._budget.keep(self)

    def release(self) -> None:
        """Hold nothing any more."""
        self.resize(0)

    def __enter__(self) -> Reservation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class Budget:
    """At most `limit` bytes, shared fairly between owners; used on one event loop."""

    def __init__(self, limit: float) -> None:
        """Begin with nothing held; `limit` in bytes."""
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
        """Whether `owner` may hold `size` bytes more. Alone, anybody may hold anything."""
        return not self.used or self._held[owner] + size <= self.limit - self.used

    def take(self, owner: str, size: int = 0) -> Reservation:
        """Bytes at once; raises `SERVER_BUSY` when the owner may not have them."""
        if size and not self.fits(owner, size):
            raise busy()
        return self._reserve(owner, size)

    async def reserve(self, owner: str, size: int, patience: float, evict: Evict = None) -> Reservation:
        """Bytes as soon as the owner may have them; `SERVER_BUSY` after `patience` seconds.

        Of those who wait, whoever holds least is next, and of one owner's requests the oldest. Whoever has
        waited for `GRACE_S` takes the place of what can be evicted of those who hold more.
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
        """Bytes that exist already, whether they fit or not, such as an answer's.

        Where they don't, the owner who holds most of what can be evicted loses its oldest: `evict` is called.
        """
        made = self._reserve(owner, size, evict)
        self._make_room()
        return made

    def change(self, reservation: Reservation, size: int) -> None:
        """Let `reservation` hold `size` bytes."""
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
        """Let `reservation` not be evicted any more."""
        self._evictable.pop(reservation, None)

    def _reserve(self, owner: str, size: int, evict: Evict = None) -> Reservation:
        made = Reservation(self, owner, 0, evict)
        self.change(made, size)
        if evict is not None and size:
            self._evictable[made] = None
        return made

    def _admit(self) -> None:
        while self._waiting:
            number = min(self._waiting, key=lambda one: (self._held[self._waiting[one][0]], one))
            owner, size, evict, future = self._waiting[number]
            if not self.fits(owner, size):
                return
            del self._waiting[number]
            if not future.done():
                future.set_result(self._reserve(owner, size, evict))

    def _make_room(self) -> None:
        while self.used > self.limit and self._evictable:
            self._evict(self._greatest())

    def _reclaim(self, owner: str, size: int) -> None:
        """Evict until `owner` may have `size` bytes more, but nothing of who would hold less than it then."""
        while self._evictable and not self.fits(owner, size):
            greatest = self._greatest()
            if greatest == owner or self._held[greatest] <= self._held[owner] + size:
                return
            self._evict(greatest)

    def _greatest(self) -> str:
        """Who holds most of what can be evicted."""
        by_owner: Counter[str] = Counter()
        for one in self._evictable:
            by_owner[one.owner] += one.size
        return by_owner.most_common(1)[0][0]

    def _evict(self, owner: str) -> None:
        """End the oldest of what `owner` holds and can be evicted."""
        oldest = next(one for one in self._evictable if one.owner == owner)
        if anonymous.allows():
            log.info("connection ended to make room", owner=owner, bytes=oldest.size)
        evict = oldest.evict
        oldest.release()
        if evict is not None:
            evict()


def busy(message: str = "The server is busy", wait: int = RETRY_S) -> MockupError:
    """The 503 for whoever finds no room, with the seconds after which there may be."""
    told = f"{message}. Try again in {counted(wait, 'second')}"
    return MockupError(Code.SERVER_BUSY, told, retry_after=wait)
