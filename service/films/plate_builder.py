"""A process that builds plates of a film's poses while another process paints its frames."""

from __future__ import annotations

import contextlib
import os
import pickle
import socket
import struct
import traceback
from typing import Any

import cv2

from ..clock import Clock
from ..errors import MockupError
from ..processes import packing
from ..processes.segments import Segment, Segments
from ..processes.worker import NUMBER
from ..system.idle import FILM_BLOCK, FILM_SPARE, settle_heap
from .film import Film
from .in_between import KeyPlates
from .key_poses import Place, at

# A request: the time of an exposure whose plate is wanted, and the times of the key poses before and after
# it, in seconds. The plate comes without the parts that equal the first plate, which is requested before all
# others. Then come the numbers of earlier plates whose memory may be used again: fresh memory would take
# several milliseconds, since the kernel has to clear its pages.
PLACE = struct.Struct("<3d")
# The reply: a plate's number after MADE, and its memory; with the first plate, also that of its whole base,
# which both processes go on using.
MADE, FAILED = b"m", b"f"
MAX_REQUEST = 1 << 12
MAX_FAULT = 1 << 16
# Bytes of memory that is kept for the next plates, at most. A larger plate, for example of a film in 4K, gets
# fresh memory.
KEPT_BYTES = 8 << 20


def options(nice: int) -> dict[str, Any]:
    """The options of a process that runs with this niceness."""
    return {"name": "film-plates", "oom_score": 800, "nice": nice}


def prepare() -> None:
    """Do nothing: the module that paints frames has loaded everything."""


def run(options: dict[str, Any], channel: socket.socket) -> None:
    """Receive a film, then build the plate of one requested frame after the other."""
    with contextlib.suppress(OSError):
        os.nice(options["nice"])
    settle_heap(FILM_BLOCK, FILM_SPARE)
    # Other plate builders are busy on the other processors.
    cv2.setNumThreads(1)
    _, fds, _, _ = socket.recv_fds(channel, 1, 1)
    if not fds:
        return
    film, begin = _told(fds[0])
    plates = KeyPlates(film, Clock())
    segments, lent, number = Segments(KEPT_BYTES), dict[int, Segment](), 0
    base: Segment | None = None
    while message := channel.recv(MAX_REQUEST):
        place = Place(*PLACE.unpack_from(message))
        for (unused,) in NUMBER.iter_unpack(message[PLACE.size :]):
            if unused in lent:
                segments.give(lent.pop(unused))
        try:
            if base is None:
                plates.make(at(begin))
                base = packing.pack(plates.first, Segment)
                plates.first = packing.unpack(base.memory)
            made = packing.pack(plates.make(place), segments.take)
        except Exception as error:
            text = "".join(traceback.format_exception(error))[-MAX_FAULT // 2 :]
            known = error if isinstance(error, MockupError) else None
            channel.send(FAILED + pickle.dumps((known, text)))
            return
        number += 1
        lent[number] = made
        memory = [made.fd, base.fd] if place.time == begin else [made.fd]
        socket.send_fds(channel, [MADE + NUMBER.pack(number)], memory)


def _told(fd: int) -> tuple[Film, float]:
    """The film of a message, and the time of its first plate."""
    film, begin = packing.unpack(packing.opened(fd))
    return film, begin
