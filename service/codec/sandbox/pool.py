"""A handful of decoder processes for those who render to share."""

from __future__ import annotations

import logging
import math
import pickle
import threading
import time
from collections import deque

import numpy as np

from service.arrays import U8
from service.clock import Clock
from service.codec.picture import Header
from service.codec.raw import Wanted
from service.codec.sandbox.messages import JOB, KIND, LIVES, MAX_PIXELS, TAKEN, options
from service.codec.sandbox.process import GoneError, Process
from service.codec.sandbox.reply import Reply, parsed
from service.errors import Detail, MockupError, failed, invalid, stopping
from service.processes.forks import Forks, ForkServer
from service.processes.segments import Segment, Segments

log = logging.getLogger(__name__)

# How often a waiting thread looks whether its caller has left.
SLICE_S = 0.1
# A process that does not even take a picture within this time is replaced, and the picture given to another.
TAKE_S = 1.0
ATTEMPTS = 2
DECODE_S = 6.0


class Sandboxed:
    """Decodes in processes that can be killed: by a picture, by a deadline, or by anything else.

    A process that dies costs its picture a second try in a fresh one, and a picture that kills both is
    refused. Any doubt about what a process answered ends the process.
    """

    def __init__(
        self,
        processes: int,
        *,
        lives: int = LIVES,
        seconds: float = DECODE_S,
        max_pixels: int = MAX_PIXELS,
        forks: Forks | None = None,
    ) -> None:
        """Keep `processes` decoders; each takes `lives` pictures, and each picture at most `seconds`.

        They are forked by `forks`, whose options then hold, or else by a fork server started for them.
        """
        self._seconds = seconds
        self._segments = Segments()
        self._forks = forks or ForkServer({KIND: options(lives, max_pixels)})
        self._idle: deque[Process | None] = deque([None] * processes)
        self._changed = threading.Condition()
        self._closed = False
        self._warned = False

    def decode(self, data: bytes | memoryview, header: Header, wanted: Wanted, clock: Clock) -> U8:
        """As `service.codec.decode.decode`, in another process and within the time of `clock`."""
        target = self._segments.take(header.width * header.height * (4 if header.has_alpha else 3))
        job = pickle.dumps((header, wanted))
        source = self._segments.take(len(job) + len(data))
        try:
            source.fill(job, data)
            message = JOB.pack(len(job), len(data), target.size)
            shape = self._decoded(source, target, message, header, clock)
        except BaseException:
            self._segments.give(target)
            raise
        finally:
            self._segments.give(source)
        return np.frombuffer(self._segments.lend(target, math.prod(shape)), np.uint8).reshape(shape)

    def warm(self) -> None:
        """Fork every decoder now instead of when it is first needed."""
        taken = [self._take(Clock()) for _ in range(len(self._idle))]
        for process in taken:
            self._give(process)

    def trim(self) -> None:
        """Give back the shared memory that no picture is in; decoders see to their own after a while."""
        self._segments.trim()

    def close(self) -> None:
        """End all processes; shared memory goes with its last user."""
        with self._changed:
            self._closed = True
            processes = [process for process in self._idle if process]
            self._idle.clear()
            self._changed.notify_all()
        for process in processes:
            process.kill()
        self._forks.close()
        self._segments.close()

    def _decoded(
        self, source: Segment, target: Segment, message: bytes, header: Header, clock: Clock
    ) -> tuple[int, int, int]:
        """The shape of the pixels that are now in `target`; another process is tried when one dies."""
        for attempt in range(ATTEMPTS):
            process = self._take(clock, fresh=attempt > 0)
            reply: Reply | None = None
            try:
                process.send(message, source, target)
                if self._message(process, clock, TAKE_S) != TAKEN:
                    log.warning("a decoder process did not take a picture; replaced")
                    continue
                said = self._message(process, clock, self._seconds)
                if said is None:
                    raise _undecoded(f"it takes longer than {self._seconds:g} seconds")
                reply = parsed(said, header, target.size)
            except GoneError:
                log.warning("a decoder process died on a %s file; attempt %d", header.format, attempt + 1)
                continue
            finally:
                if reply is None or reply.last:
                    process.kill()
                    self._give(None)
                else:
                    self._give(process)
            if reply is None:
                log.error("a decoder process gave a senseless answer")
                raise failed()
            if reply.shape is None:
                raise invalid(reply.refused, Detail("screenshot.src", reply.detail))
            return reply.shape
        raise _undecoded("it ended the process that decodes, by a fault in it or for want of memory")

    def _message(self, process: Process, clock: Clock, seconds: float) -> bytes | None:
        """The process' next message, None when `seconds` have passed; raises as `clock.check` does."""
        until = time.perf_counter() + seconds
        while True:
            clock.check()
            left = min(until - time.perf_counter(), clock.remaining + 0.001)
            message = process.answer(min(SLICE_S, left))
            if message is not None:
                self._note(process)
                return message
            if time.perf_counter() >= until:
                return None

    def _take(self, clock: Clock, *, fresh: bool = False) -> Process:
        """An idle process, or one forked now if there is none or it must be `fresh`; waits for a place."""
        with self._changed:
            while not self._idle and not self._closed:
                clock.check()
                self._changed.wait(min(SLICE_S, clock.remaining + 0.001))
            if self._closed:
                raise stopping()
            process = self._idle.pop()
        if process is not None and not fresh and process.is_alive():
            return process
        try:
            if process is not None:
                process.kill()
            return Process.forked(self._forks)
        except BaseException:
            self._give(None)
            raise

    def _give(self, process: Process | None) -> None:
        """Free a place; None has the next one who takes it fork."""
        with self._changed:
            if self._closed:
                if process is not None:
                    process.kill()
                return
            # Those that were used last are used first: their memory is warm.
            if process is None:
                self._idle.appendleft(None)
            else:
                self._idle.append(process)
            self._changed.notify()

    def _note(self, process: Process) -> None:
        if process.filtered is False and not self._warned:
            self._warned = True
            log.warning("this machine cannot filter system calls; decoders have their other limits alone")


def _undecoded(why: str) -> MockupError:
    """A 400 that does not call a file damaged that may be none."""
    return invalid(f"The screenshot could not be decoded: {why}", Detail("screenshot.src", why))
