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
from ..processes.segments import Segment
from ..system.idle import settle_heap
from .film import Film
from .in_between import KeyPlates
from .key_poses import Place, at
from .plate_store import cut

# A request: the time of an exposure whose plate is wanted, and the times of the key poses before and after
# it, in seconds. The plate comes without the parts that equal the first plate, which is requested before all
# others.
PLACE = struct.Struct("<3d")
MADE, FAILED = b"m", b"f"
MAX_FAULT = 1 << 16


def options(nice: int = 0) -> dict[str, Any]:
    """The options of a process that runs with this niceness."""
    return {"name": "film-plates", "oom_score": 800, "nice": nice}


def prepare() -> None:
    """Do nothing: the module that paints frames has loaded everything."""


def run(options: dict[str, Any], channel: socket.socket) -> None:
    """Receive a film, then build the plate of one requested frame after the other."""
    with contextlib.suppress(OSError):
        os.nice(options["nice"])
    settle_heap()
    # Other plate builders are busy on the other processors.
    cv2.setNumThreads(1)
    _, fds, _, _ = socket.recv_fds(channel, 1, 1)
    if not fds:
        return
    film, begin = _told(fds[0])
    plates, first = KeyPlates(film, Clock()), None
    while message := channel.recv(PLACE.size):
        place = Place(*PLACE.unpack(message))
        try:
            if first is None:
                first = plates.make(at(begin)).base
            made = packing.pack(
                (cut(first, plates.make(place)), first if place.time == begin else None), Segment
            )
        except Exception as error:
            text = "".join(traceback.format_exception(error))[-MAX_FAULT // 2 :]
            known = error if isinstance(error, MockupError) else None
            channel.send(FAILED + pickle.dumps((known, text)))
            return
        socket.send_fds(channel, [MADE], [made.fd])


def _told(fd: int) -> tuple[Film, float]:
    """The film of a message, and the time of its first plate."""
    film, begin = packing.unpack(packing.opened(fd))
    return film, begin
