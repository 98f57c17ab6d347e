"""The process that builds plates of a film's poses, beside the one that paints its frames."""

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
from ..render.paint import screens
from ..render.plates import plate
from ..system.idle import settle_heap
from .film import Film

# A request: the number of a frame whose plate is wanted.
FRAME = struct.Struct("<I")
MADE, FAILED = b"m", b"f"
MAX_FAULT = 1 << 16


def options(nice: int = 0) -> dict[str, Any]:
    """The options of a process, so `nice` to others."""
    return {"name": "film-plates", "oom_score": 800, "nice": nice}


def prepare() -> None:
    """What paints frames has everything loaded."""


def run(options: dict[str, Any], channel: socket.socket) -> None:
    """Take a film, then build the plate of one frame after the other."""
    with contextlib.suppress(OSError):
        os.nice(options["nice"])
    settle_heap()
    # Its like are busy on the other processors.
    cv2.setNumThreads(1)
    _, fds, _, _ = socket.recv_fds(channel, 1, 1)
    if not fds:
        return
    film: Film = packing.unpack(packing.opened(fds[0]))
    clock = Clock()
    while message := channel.recv(FRAME.size):
        spec = film.spec(film.schedule.time(*FRAME.unpack(message)))
        try:
            made = packing.pack(plate.build(spec, clock, screens.view(spec)), Segment)
        except Exception as error:
            text = "".join(traceback.format_exception(error))[-MAX_FAULT // 2 :]
            known = error if isinstance(error, MockupError) else None
            channel.send(FAILED + pickle.dumps((known, text)))
            return
        socket.send_fds(channel, [MADE], [made.fd])
