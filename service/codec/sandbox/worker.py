"""The decoder process: takes one picture after the other from its socket and has no other input."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import pickle
import select
import socket
import time
from typing import Any

import cv2
import numpy as np

from ...errors import MockupError
from ...limits import DECODER_RETIRES_S
from ..decode import decode
from ..header import read
from ..memory import pixel_bytes
from ..picture import damaged
from .confine import confine
from .messages import JOB, MAX_REPLY, TAKEN, UNCONFINED

# The memory of a larger picture is returned at once, because it may be as large as a plate.
LARGE_BYTES = 24 << 20
# Idle time after which memory kept for the next picture is given back.
IDLE_MS = 3000

# Two pixels whose rows are filtered in different ways. Decoding them once before the first fork loads
# everything that would otherwise be loaded lazily.
WARM_UP = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000002080200000016e32170000000104944415478da63faffff3f0b030303"
    "001216030411afe7970000000049454e44ae426082"
)


def prepare() -> None:
    """Load, in the fork server, everything that a decoder will need."""
    cv2.setNumThreads(0)
    header = read(WARM_UP)
    decode(WARM_UP, header, None)


def run(options: dict[str, Any], channel: socket.socket) -> None:
    """Serve as a decoder; a process that cannot be confined reports this and decodes nothing."""
    if not confine(options["pixel_bytes"], options["file_bytes"]):
        channel.send(UNCONFINED)
        channel.recv(1)
        return
    serve(channel, options["lives"])


def serve(channel: socket.socket, lives: int) -> None:
    """Decode up to `lives` pictures, or until the other end closes."""
    libc = ctypes.CDLL(None)
    poller = select.poll()
    poller.register(channel, select.POLLIN)
    for life in range(1, lives + 1):
        if not poller.poll(IDLE_MS):
            libc.malloc_trim(ctypes.c_size_t(0))
        message, fds, _, _ = socket.recv_fds(channel, JOB.size, 2)
        if len(fds) < 2:
            return
        try:
            channel.send(TAKEN)
            reply = _reply(message, *fds)
            # Announce the exit with the last reply, so that the process gets no other picture.
            spent = life == lives or time.process_time() > DECODER_RETIRES_S
            # A process that was refused memory may itself hold too much of it.
            reply["last"] = spent or "short" in reply
            channel.send(json.dumps(reply).encode()[:MAX_REPLY])
        finally:
            for fd in fds:
                os.close(fd)
        if JOB.unpack(message)[2] > LARGE_BYTES:
            libc.malloc_trim(ctypes.c_size_t(0))
        if reply["last"]:
            return


def _reply(message: bytes, source: int, target: int) -> dict[str, Any]:
    job_size, data_size, room = JOB.unpack(message)
    # The job comes from the renderer, which is trusted. Nothing is unpickled in the other direction.
    header, requested = pickle.loads(os.pread(source, job_size, 0))
    need = data_size + pixel_bytes(header) * header.width * header.height
    # Requested at once: a decoder that is refused memory half-way may report a damaged file, or abort.
    if not _available(need):
        return {"short": True}
    try:
        pixels = decode(os.pread(source, data_size, job_size), header, requested)
        if pixels.nbytes > room:
            raise damaged(header.format.upper(), "more pixels than its header promised")
    except MockupError as error:
        return {"refused": error.message, "detail": error.details[0].message if error.details else ""}
    except MemoryError:
        if not _available(need):
            return {"short": True}
        # The process's limits leave enough memory for any valid picture of this kind, so the picture is at
        # fault.
        return {"refused": "The screenshot takes too much memory to decode", "detail": "too large to decode"}
    _write(target, pixels)
    return {"shape": pixels.shape}


def _available(size: int) -> bool:
    """Whether the system would give this process that many more bytes now; the bytes are not used."""
    try:
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (MemoryError, OSError):
        return False
    return True


def _write(target: int, pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
    rest = pixels.reshape(-1).data
    at = 0
    while at < len(rest):
        at += os.pwrite(target, rest[at:], at)
