"""The process that writes animated pictures, and its client."""

from __future__ import annotations

import os
import pickle
import socket
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

import cv2
import numpy as np

from ..arrays import U8
from ..processes.forks import Forks
from ..processes.packing import opened
from ..processes.segments import Segment
from ..processes.worker import Worker
from ..render.geometry.raster import Box
from .encoders.apng import APNG
from .encoders.encoder import Encoder, Reel
from .encoders.gif import GIF
from .encoders.pictures import Pictures
from .encoders.webp import WebP
from .messages import WRITER

WRITERS: dict[str, Callable[[BinaryIO, Reel], Encoder]] = {
    "gif": GIF,
    "webp": WebP,
    "apng": APNG,
    "frames": Pictures,
}
MAX_MESSAGE = 16384
SLOTS = 2
END = b"end"
DONE = b"done"


def options(nice: int) -> dict[str, Any]:
    """The options of a process that runs with this niceness."""
    return {"name": "film-writer", "oom_score": 900, "nice": nice}


def prepare() -> None:
    """Do nothing: everything is loaded."""


def run(options: dict[str, Any], channel: socket.socket) -> None:
    """Receive a reel, a file and shared memory, and then write the frames in the memory until the end."""
    os.nice(options["nice"])
    cv2.setNumThreads(1)
    message, fds, _, _ = socket.recv_fds(channel, MAX_MESSAGE, 2)
    if len(fds) < 2:
        return
    reel: Reel = pickle.loads(message)
    shape = SLOTS, reel.height, reel.width, -1
    pixels = np.frombuffer(opened(fds[1], writable=True), np.uint8).reshape(shape)
    try:
        with os.fdopen(fds[0], "wb") as file:
            encoder: Encoder = WRITERS[reel.format](file, reel)
            while (said := channel.recv(MAX_MESSAGE)) not in (END, b""):
                encoder.write(pixels[said[0]])
                channel.send(DONE)
            if said == END:
                encoder.finish()
                file.flush()
                channel.send(DONE)
    except Exception:
        channel.send(traceback.format_exc()[-MAX_MESSAGE // 2 :].encode())


class FilmWriter:
    """Passes frames to a process that writes them to a file."""

    def __init__(self, forks: Forks, reel: Reel, output: int, nice: int) -> None:
        """Fork the process with this niceness; it writes to the file behind a descriptor."""
        self._worker = Worker(forks, WRITER, options(nice))
        self._channel = self._worker.ready().channel
        size = reel.height * reel.width * (4 if reel.alpha else 3)
        self._memory = Segment(SLOTS * size)
        self._slots = np.frombuffer(self._memory.memory, np.uint8).reshape(SLOTS, size)
        self._number = self._waiting = 0
        socket.send_fds(self._channel, [pickle.dumps(reel)], [output, self._memory.fd])

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """As `Encoder.write`."""
        if self._waiting == SLOTS:
            self._confirmed()
        slot = self._number % SLOTS
        self._number += 1
        self._slots[slot] = pixels.reshape(-1)
        self._channel.send(bytes((slot,)))
        self._waiting += 1

    def finish(self) -> None:
        """As `Encoder.finish`."""
        self._channel.send(END)
        for _ in range(self._waiting + 1):
            self._confirmed()
        self._worker.end()

    def close(self) -> None:
        """End the process."""
        self._worker.end()

    def _confirmed(self) -> None:
        said = self._channel.recv(MAX_MESSAGE)
        self._waiting -= 1
        if said != DONE:
            raise OSError(f"the film could not be written: {said.decode(errors='replace') or 'no answer'}")
