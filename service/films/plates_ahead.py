"""Prefetches the plates of a film's frames: other processes build them before they are needed."""

from __future__ import annotations

import logging
import pickle
import select
import socket
import weakref
from collections import deque
from collections.abc import Sequence

from ..arrays import U8
from ..clock import Clock
from ..errors import MockupError, failed
from ..processes import packing
from ..processes.forks import Forks
from ..processes.segments import Segment
from ..processes.worker import NUMBER, Worker
from ..settings.scene import PlateSpec
from .film import Film
from .key_poses import Place, places
from .messages import PLATES
from .plate_builder import FAILED, MADE, MAX_FAULT, PLACE, options
from .plate_store import BuiltPlate, CutPlate, PlateStore

log = logging.getLogger(__name__)

SLICE_MS = 100
# Largest number of plate builders; more of them would wait for the process that paints.
MOST_BUILDERS = 4
# Bytes of plates that are built before they are needed: a key plate takes several times as long as a frame,
# and meanwhile the frames before it are painted.
AHEAD_BYTES = 20 << 20
# Plates that a process is given at a time, so that it never waits until a frame has been painted.
QUEUED = 3


def builders(processors: int) -> int:
    """How many processes build plates: one processor is left to decode, paint and encode.

    A plate's backdrop and the halves of a large body are painted in parallel, so that even a single process
    keeps more than one processor busy.
    """
    return min(processors - 1, MOST_BUILDERS)


class PlatesAhead:
    """Lets processes build plates for frames that are requested in order; for one thread.

    The processes end once the store has the plates of all later frames.
    """

    def __init__(
        self, forks: Forks, film: Film, store: PlateStore, times: Sequence[float], clock: Clock
    ) -> None:
        """`times` are the times of the exposures, seconds; `store` caches their plates."""
        self._forks, self._film, self._store, self._clock = forks, film, store, clock
        self._first = times[0]
        self._coming = places(film, times)
        self._places: dict[PlateSpec, Place] = {}
        self._ready: dict[PlateSpec, tuple[CutPlate, U8 | None]] = {}
        self._workers: list[Worker] = []
        self._most = 0  # plates that are ready or being built
        # By the descriptor of a process's channel: the plates that it was given, and those that it will be
        # given. A process builds all plates up to a key pose, since it then has the plates of both key poses.
        self._building: dict[int, deque[PlateSpec]] = {}
        self._next: dict[int, deque[PlateSpec]] = {}
        # The numbers of plates whose memory a process may use again.
        self._unused: dict[int, deque[int]] = {}

    def start(self, builders: int, nice: int) -> None:
        """Start a number of processes with this niceness; `close` ends them."""
        told = packing.pack((self._film, self._first), Segment)
        for _ in range(builders):
            self._workers.append(Worker(self._forks, PLATES, options(nice)))
            channel = self._workers[-1].ready().channel
            socket.send_fds(channel, [b"f"], [told.fd])
            fd = channel.fileno()
            self._building[fd], self._next[fd], self._unused[fd] = deque(), deque(), deque()
        self._most = builders + 1

    def get(self, spec: PlateSpec) -> BuiltPlate:
        """The plate of an exposure's plate spec; raises MockupError."""
        kept = self._store.take(spec)
        self._look_ahead()
        while kept is None and spec not in self._ready:
            self._need(spec)
            self._receive()
            self._look_ahead()
        plate = kept or self._store.join(spec, *self._ready.pop(spec))
        if self._store.is_complete:
            self.close()
        return plate

    @property
    def running(self) -> int:
        """The number of processes."""
        return len(self._workers)

    @property
    def under_way(self) -> int:
        """The number of plates that are ready, or that processes were given."""
        return len(self._ready) + sum(map(len, self._building.values()))

    def close(self) -> None:
        """End the processes."""
        while self._workers:
            self._workers.pop().end()
        self._next.clear()
        self._building.clear()

    def _look_ahead(self) -> None:
        """Give processes their next plates, unless enough plates are waiting to be used."""
        for queued in range(QUEUED):
            for fd, given in self._building.items():
                room = self.under_way < self._most and len(given) <= queued
                if room and (self._next[fd] or self._plan(fd)):
                    self._begin(fd, self._next[fd].popleft())

    def _plan(self, fd: int) -> bool:
        """Assign the plates up to the next key pose to a process; returns whether there are any."""
        for spec, place in self._coming:
            self._places[spec] = place
            self._next[fd].append(spec)
            if place.start == place.end:
                return True
        return False

    def _need(self, spec: PlateSpec) -> None:
        """Have a plate built, unless a process is already building it."""
        if any(spec in given for given in self._building.values()):
            return
        # If no process is about to build it, the store had no room for it.
        fd = next((fd for fd, specs in self._next.items() if spec in specs), None)
        if fd is None:
            fd = min(self._building, key=lambda one: len(self._building[one]))
        else:
            self._next[fd].remove(spec)
        self._begin(fd, spec)

    def _begin(self, fd: int, spec: PlateSpec) -> None:
        channel = next(one for one in map(_channel, self._workers) if one.fileno() == fd)
        place, unused = self._places[spec], self._unused[fd]
        numbers = [unused.popleft() for _ in range(len(unused))]
        channel.send(PLACE.pack(place.time, place.start, place.end) + b"".join(map(NUMBER.pack, numbers)))
        self._building[fd].append(spec)

    def _receive(self) -> None:
        """Wait for a plate."""
        poller = select.poll()
        for fd, given in self._building.items():
            if given:
                poller.register(fd, select.POLLIN)
        while not (found := poller.poll(SLICE_MS)):
            self._clock.check()
        for fd, _ in found:
            channel = next(one for one in map(_channel, self._workers) if one.fileno() == fd)
            message, fds, _, _ = socket.recv_fds(channel, MAX_FAULT, 2)
            whole = self._places[self._building[fd][0]].time == self._first
            if message[:1] != MADE or len(fds) != (2 if whole else 1):
                raise _fault(message)
            memory, *first = map(packing.opened, fds)
            (number,) = NUMBER.unpack(message[1:])
            # Once no array refers to the memory, the process may write the next plate there.
            weakref.finalize(memory, self._unused[fd].append, number).atexit = False
            made = packing.unpack(memory), packing.unpack(first[0]) if first else None
            self._ready[self._building[fd].popleft()] = made
            self._most = max(len(self._workers) + 1, AHEAD_BYTES // len(memory))


def _channel(worker: Worker) -> socket.socket:
    assert worker.child is not None
    return worker.child.channel


def _fault(message: bytes) -> MockupError:
    if message[:1] != FAILED:
        log.error("a process that built plates died, or no descriptor was left for its plate")
        return failed()
    known, text = pickle.loads(message[1:])
    if known is None:
        log.error("a plate could not be built: %s", text)
        return failed()
    assert isinstance(known, MockupError)
    return known
