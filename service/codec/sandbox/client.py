"""The renderer's end of a decoder process."""

from __future__ import annotations

import logging
import math
import pickle
import select
import socket
import time

import numpy as np

from ...arrays import U8
from ...clock import Clock
from ...errors import Detail, MockupError, failed, invalid, short_of_memory
from ...limits import DECODE_ATTEMPTS, DECODE_S, DECODER_LIVES, MAX_PIXELS, TAKE_S, UNTAKEN
from ...processes.forks import Forks, ForkServer
from ...processes.segments import Segment, Segments
from ...processes.worker import Worker
from ...system.container import out_of_memory_kills
from ..picture import Header
from ..raw import RequestedSize
from .messages import (
    JOB,
    KIND,
    MAX_BYTES,
    MAX_REPLY,
    TAKEN,
    UNCONFINED,
    options,
)
from .reply import Reply, parsed

log = logging.getLogger(__name__)

# Seconds between checks whether the caller has left.
SLICE_S = 0.1


class Sandboxed:
    """Decodes in a process that may die at any time, by a picture or a deadline; for one thread at a time.

    When the process dies, its picture gets a second try in a fresh one; a picture that kills both is refused.
    If the kernel killed a process because memory ran out, or refused it the memory that such a picture takes,
    the server is to blame, not the picture. Any doubt about a reply ends the process.
    """

    def __init__(
        self,
        *,
        lives: int = DECODER_LIVES,
        seconds: float = DECODE_S,
        max_pixels: int = MAX_PIXELS,
        max_bytes: int = MAX_BYTES,
        forks: Forks | None = None,
    ) -> None:
        """A process takes `lives` pictures, and each picture at most `seconds` of processor time.

        It is forked by `forks`, or by a fork server started for it.
        """
        self._seconds = seconds
        self._segments = Segments()
        self.forks = forks or ForkServer(KIND)
        self._worker = Worker(self.forks, KIND, options(lives, max_pixels, max_bytes))
        self._kills = out_of_memory_kills()

    def decode(
        self,
        data: bytes | memoryview,
        header: Header,
        requested: RequestedSize,
        clock: Clock,
        number: int = 0,
    ) -> U8:
        """As `service.codec.decode.decode`, in another process and within the time of `clock`."""
        target = self._segments.take(header.width * header.height * (4 if header.has_alpha else 3))
        job = pickle.dumps((header, requested))
        # A copy of the file: the decoder must not see the memory that jobs come in.
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
        """Fork the process now instead of for the first picture."""
        self._worker.ready()

    def trim(self) -> None:
        """Give back shared memory that is not in use; the process gives back its own after a while."""
        self._segments.trim()

    def close(self) -> None:
        """End the process; shared memory is released with its last user."""
        self._worker.end()
        self.forks.close()
        self._segments.close()

    def _decoded(
        self, source: Segment, target: Segment, message: bytes, header: Header, clock: Clock
    ) -> tuple[int, int, int]:
        """The shape of the pixels that are now in `target`."""
        deaths = untaken = 0
        starved = False
        while deaths < DECODE_ATTEMPTS:
            child = self._worker.ready()
            channel = child.channel
            reply: Reply | None = None
            try:
                # Ask for the time now, since the process may have ended by the time its last reply is read.
                until = child.cpu_seconds() + self._seconds
                socket.send_fds(channel, [message], [source.fd, target.fd])
                first = _received(channel, clock, TAKE_S)
                if first == UNCONFINED:
                    log.error("a decoder process could not filter its system calls")
                    raise failed()
                if first is None:
                    log.warning("a decoder process did not take a picture; replaced")
                    untaken += 1
                    if untaken == UNTAKEN:
                        raise failed()
                    continue
                if first != TAKEN:
                    log.error("a decoder process gave an invalid answer")
                    raise failed()
                left = self._seconds
                while (said := _received(channel, clock, max(SLICE_S, left))) is None:
                    left = until - child.cpu_seconds()
                    if left <= 0:
                        raise _undecoded(f"it takes longer than {self._seconds:g} seconds")
                reply = parsed(said, header, target.size)
            except OSError:
                deaths += 1
                starved |= self._starved()
                log.warning("a decoder process died on a %s file; attempt %d", header.format, deaths)
                continue
            finally:
                if reply is None or reply.last:
                    self._worker.end()
            if reply is None:
                log.error("a decoder process gave an invalid answer")
                raise failed()
            if reply.short:
                deaths += 1
                starved = True
                log.warning("a decoder process was refused memory; attempt %d", deaths)
                continue
            if reply.shape is None:
                raise invalid(reply.refused, Detail("screenshot.src", reply.detail))
            return reply.shape
        if starved:
            log.error("decoder processes were killed, or refused a picture, for lack of memory")
            raise short_of_memory()
        raise _undecoded("it crashed the decoder twice")

    def _starved(self) -> bool:
        """Whether the kernel has killed any process for lack of memory since the previous call."""
        before, self._kills = self._kills, out_of_memory_kills()
        return self._kills > before


def _received(channel: socket.socket, clock: Clock, seconds: float) -> bytes | None:
    """The next message, None when `seconds` have passed.

    Raises OSError when the process has ended, and as `clock.check` does.
    """
    poller = select.poll()
    poller.register(channel, select.POLLIN)
    until = time.perf_counter() + seconds
    while True:
        clock.check()
        left = min(SLICE_S, until - time.perf_counter(), clock.remaining + 0.001)
        if poller.poll(max(0.0, left) * 1e3):
            message = channel.recv(MAX_REPLY)
            if not message:
                raise ConnectionResetError
            return message
        if time.perf_counter() >= until:
            return None


def _undecoded(why: str) -> MockupError:
    """A 400 for a file that could not be decoded; it does not claim that the file is damaged."""
    return invalid(f"The screenshot could not be decoded: {why}", Detail("screenshot.src", why))
