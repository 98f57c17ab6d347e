"""Prefetches the plates of a film's frames: other processes build them before they are needed."""

from __future__ import annotations

import logging
import pickle
import select
import socket
from collections.abc import Iterator, Sequence

from ..arrays import U8
from ..clock import Clock
from ..errors import MockupError, failed
from ..processes import packing
from ..processes.forks import Forks
from ..processes.segments import Segment
from ..processes.worker import Worker
from ..settings.scene import PlateSpec
from .film import Film
from .messages import PLATES
from .plate_builder import MADE, MAX_FAULT, TIME, options
from .plate_store import BuiltPlate, CutPlate, PlateStore

log = logging.getLogger(__name__)

SLICE_MS = 100
# Largest number of plate builders; more of them would wait for the process that paints.
MOST_BUILDERS = 4


def builders(processors: int) -> int:
    """How many processes build plates: one processor is left to decode, paint and encode.

    A plate's backdrop and the halves of a large body are painted in parallel, so that even a single process
    keeps more than one processor busy.
    """
    return min(processors - 1, MOST_BUILDERS)


class PlatesAhead:
    """Lets processes build plates for frames that are requested in order; for one thread."""

    def __init__(
        self, forks: Forks, film: Film, store: PlateStore, times: Sequence[float], clock: Clock
    ) -> None:
        """`times` are the times of the exposures, seconds; `store` caches their plates."""
        self._forks, self._film, self._store, self._clock = forks, film, store, clock
        self._first = times[0]
        self._coming: Iterator[float] = iter(times)
        self._ready: dict[PlateSpec, tuple[CutPlate, U8 | None]] = {}
        self._workers: list[Worker] = []
        # The plate that each busy process builds, by the descriptor of its channel.
        self._building: dict[int, PlateSpec] = {}

    def start(self, builders: int, nice: int) -> None:
        """Start a number of processes with this niceness; `close` ends them."""
        told = packing.pack((self._film, self._first), Segment)
        for _ in range(builders):
            self._workers.append(Worker(self._forks, PLATES, options(nice)))
            socket.send_fds(self._workers[-1].ready().channel, [b"f"], [told.fd])

    def get(self, time: float, spec: PlateSpec) -> BuiltPlate:
        """The plate of an exposure's plate spec; raises MockupError."""
        kept = self._store.take(spec)
        while kept is None and spec not in self._ready:
            if spec not in self._building.values():
                # The plate has not been built, or the store had no room for it.
                self._begin(time, spec)
            self._look_ahead()
            self._receive()
        self._look_ahead()
        return kept or self._store.join(spec, *self._ready.pop(spec))

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end()

    def _look_ahead(self) -> None:
        """Give each idle process the next plate, unless enough plates are waiting to be used."""
        while self._idle() and len(self._ready) <= len(self._workers):
            for time in self._coming:
                spec = self._film.spec(time)
                if not (spec in self._ready or spec in self._store or spec in self._building.values()):
                    self._begin(time, spec)
                    break
            else:
                return

    def _idle(self) -> list[Worker]:
        return [one for one in self._workers if _channel(one).fileno() not in self._building]

    def _begin(self, time: float, spec: PlateSpec) -> None:
        while not self._idle():
            self._receive()
        channel = _channel(self._idle()[0])
        channel.send(TIME.pack(time))
        self._building[channel.fileno()] = spec

    def _receive(self) -> None:
        """Wait for a plate."""
        poller = select.poll()
        for fd in self._building:
            poller.register(fd, select.POLLIN)
        while not (found := poller.poll(SLICE_MS)):
            self._clock.check()
        for fd, _ in found:
            channel = next(one for one in map(_channel, self._workers) if one.fileno() == fd)
            message, fds, _, _ = socket.recv_fds(channel, MAX_FAULT, 1)
            if message != MADE or not fds:
                raise _fault(message)
            self._ready[self._building.pop(fd)] = packing.unpack(packing.opened(fds[0]))


def _channel(worker: Worker) -> socket.socket:
    assert worker.child is not None
    return worker.child.channel


def _fault(message: bytes) -> MockupError:
    if not message:
        log.error("a process that built plates died")
        return failed()
    known, text = pickle.loads(message[1:])
    if known is None:
        log.error("a plate could not be built: %s", text)
        return failed()
    assert isinstance(known, MockupError)
    return known
