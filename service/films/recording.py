"""The client of the process that decodes a recording frame by frame."""

from __future__ import annotations

import contextlib
import json
import logging
import select
import socket
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import U8
from ..clock import Clock
from ..codec.sandbox.reply import plain
from ..errors import MockupError, failed, invalid
from ..limits import RECORDING_FRAME_S, RECORDING_OPEN_S
from ..processes.forks import Forks
from ..processes.segments import Segment
from ..processes.worker import Worker
from .container import Container
from .decoder import FRAME, MAX_MESSAGE, REQUEST, SLOTS, UNCONFINED, options
from .messages import DECODER
from .source import RecordingFacts, check_size

log = logging.getLogger(__name__)

SLICE_S = 0.1
LONGEST_S = 24 * 3600.0
MOST_FPS = 1000.0


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A frame: whether it differs from the last one, and its pixels.

    These are (h, w, 3 or 4) uint8 in OpenCV's order: blue, green, red and alpha.
    """

    fresh: bool
    pixels: U8


class Recording:
    """Requests the frames at ascending times; for one thread.

    The process is not trusted: its messages are checked, and any inconsistency ends it.
    """

    def __init__(
        self,
        forks: Forks,
        container: Container,
        fd: int,
        clock: Clock,
        start: float = 0.0,
        *,
        nice: int = 0,
    ) -> None:
        """Let the process open a file and begin at `start` seconds; raises a 400 if it refuses the file.

        The process runs with this niceness.
        """
        self._clock = clock
        self._worker = Worker(forks, DECODER, options(nice))
        self._child = self._worker.ready()
        self._wanted: deque[float] = deque()
        # The part of the shared memory for the next frame.
        self._slot = 0
        self._last: ShownFrame | None = None
        try:
            said = json.dumps({"container": container.name, "start": start}).encode()
            socket.send_fds(self._child.channel, [said], [fd])
            self.facts = _facts(self._received(RECORDING_OPEN_S))
            facts = self.facts
            self._size = facts.width * facts.height * facts.channels
            self._memory = Segment(SLOTS * self._size)
            self._pixels = np.frombuffer(self._memory.memory, np.uint8)
            socket.send_fds(self._child.channel, [b"m"], [self._memory.fd])
        except BaseException:
            self.close()
            raise

    def frames(self, times: list[float]) -> None:
        """Set the times that will be requested, in order."""
        self._wanted = deque(times)
        self._ask()

    def next(self) -> ShownFrame:
        """The frame at the next requested time; its pixels are valid until the next call.

        The frame for the time after that is decoded meanwhile.
        """
        message = self._received()
        if len(message) != FRAME.size:
            raise _refused(message)
        (fresh,) = FRAME.unpack(message)
        if self._last is None and not fresh:
            raise failed()
        if fresh or self._last is None:
            facts = self.facts
            place = self._pixels[self._slot * self._size : (self._slot + 1) * self._size]
            self._last = ShownFrame(True, place.reshape(facts.height, facts.width, facts.channels))
            self._slot = (self._slot + 1) % SLOTS
        else:
            self._last = ShownFrame(False, self._last.pixels)
        self._ask()
        return self._last

    def close(self) -> None:
        """End the process."""
        self._worker.end()

    def _ask(self) -> None:
        if self._wanted:
            # If the process has died, waiting for its reply will show it.
            with contextlib.suppress(OSError):
                self._child.channel.send(REQUEST.pack(self._wanted.popleft(), self._slot * self._size))

    def _received(self, seconds: float = RECORDING_FRAME_S) -> bytes:
        """The next message; raises a 400 if the process dies or takes longer than the given seconds."""
        channel, poller = self._child.channel, select.poll()
        poller.register(channel, select.POLLIN)
        until = self._spent() + seconds
        while not poller.poll(SLICE_S * 1000):
            self._clock.check()
            if self._spent() > until:
                raise invalid(f"Decoding one frame of the recording takes over {seconds:g} seconds")
        try:
            message = channel.recv(MAX_MESSAGE)
        except OSError:
            message = b""
        if message == UNCONFINED:
            log.error("a process for recordings could not filter its system calls")
            raise failed()
        if not message:
            raise invalid("The recording could not be decoded: it crashed its decoder")
        return message

    def _spent(self) -> float:
        try:
            return self._child.cpu_seconds()
        except OSError:
            return time.monotonic()


def _facts(message: bytes) -> RecordingFacts:
    """The facts that a process reports; raises a 400 for a refusal, a 500 for nonsense."""
    said = _read(message)
    width, height, channels = (said.get(name) for name in ("width", "height", "channels"))
    length, fps = (said.get(name) for name in ("length", "fps"))
    if not (type(width) is int and type(height) is int and type(channels) is int):
        raise _refused(message)
    if not (type(length) is float and type(fps) is float and channels in (3, 4)):
        raise _refused(message)
    check_size(width, height)
    if not (0 < length < LONGEST_S and 0 < fps < MOST_FPS):
        raise invalid("The recording has no valid duration or frame rate")
    return RecordingFacts(width, height, channels, length, fps)


def _read(message: bytes) -> dict[str, Any]:
    try:
        said = json.loads(message)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _refused(message: bytes) -> MockupError:
    said = _read(message).get("refused")
    if not isinstance(said, str):
        log.error("a process for recordings gave an invalid answer")
        return failed()
    return invalid(plain(said))
