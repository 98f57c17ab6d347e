"""The process that decodes one recording; confined, like decoders of screenshots, before it sees the file."""

from __future__ import annotations

import ctypes
import json
import math
import mmap
import os
import socket
import struct
from dataclasses import asdict
from typing import Any

import cv2
import numpy as np
from PIL import Image

from ..arrays import U8
from ..codec.sandbox.confine import confine
from ..errors import MockupError
from ..limits import RECORDING_BYTES, RECORDING_CPU_S, RECORDING_PIXELS
from ..system.idle import FILM_BLOCK, FILM_SPARE, settle_heap
from .container import CONTAINERS
from .source import Player, RecordingFacts, opened

MAX_MESSAGE = 4096
UNCONFINED = b"unconfined"
# A request: the time in seconds, and the frame's place in the shared memory.
REQUEST = struct.Struct("<dQ")
# The reply: whether the frame was written; otherwise it equals the previous one.
FRAME = struct.Struct("?")
PIXEL_BYTES = 4 * RECORDING_PIXELS
# Parts of the shared memory, each for one frame: the one that is shown, and the next.
SLOTS = 2
ROWS = 64  # rows of two frames that are compared at a time


def options(nice: int) -> dict[str, Any]:
    """The options of a process with the given niceness."""
    return {"name": "recording", "oom_score": 1000, "nice": nice}


def prepare() -> None:
    """Load, in the fork server, the modules that every process needs."""
    cv2.setNumThreads(0)
    Image.init()


def run(options: dict[str, Any], channel: socket.socket) -> None:
    """Receive a file, send its facts, and then answer each request with a frame."""
    os.nice(options["nice"])
    settle_heap(FILM_BLOCK, FILM_SPARE)
    if not confine(PIXEL_BYTES, RECORDING_BYTES, cpu_seconds=RECORDING_CPU_S, pictures=SLOTS):
        channel.send(UNCONFINED)
        channel.recv(1)
        return
    message, fds, _, _ = socket.recv_fds(channel, MAX_MESSAGE, 1)
    if not fds:
        return
    wanted = json.loads(message)
    try:
        container = next(one for one in CONTAINERS if one.name == wanted["container"])
        source = opened(container, fds[0])
        player = Player(source)
        player.skip(wanted["start"])
    except MockupError as error:
        channel.send(_refusal(error.message))
        return
    channel.send(json.dumps(asdict(source.facts)).encode())
    _, memory, _, _ = socket.recv_fds(channel, 1, 1)
    if not memory:
        return
    try:
        _serve(player, source.facts, channel, memory[0])
    except MockupError as error:
        channel.send(_refusal(error.message))


def _serve(player: Player, facts: RecordingFacts, channel: socket.socket, memory: int) -> None:
    shape = facts.height, facts.width, facts.channels
    pixels = _mapped(memory)
    before: float | None = None
    shown: U8 | None = None  # the newest frame that the client was told of
    # Return the memory of the first frame, which was decoded to learn its size.
    ctypes.CDLL(None).malloc_trim(0)
    # The filter of system calls forbids a plain recv.
    while message := channel.recvmsg(REQUEST.size)[0]:
        time, at = REQUEST.unpack(message)
        place = pixels[at : at + math.prod(shape)].reshape(shape)
        since, found = player.at(time, place)
        # In screen recordings, many frames equal the previous one.
        fresh = since != before and not (shown is not None and same(found, shown))
        if fresh:
            if found is not place:
                place[...] = found
            shown = place
        before = since
        channel.send(FRAME.pack(fresh))


def _mapped(memory: int) -> U8:
    """The shared memory behind a descriptor, (n,) uint8.

    The module `mmap` would duplicate the descriptor, which the filter of system calls forbids.
    """
    size, libc = os.fstat(memory).st_size, ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *3 * (ctypes.c_int,), ctypes.c_long)
    place = libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED, memory, 0)
    if place == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "the shared memory could not be mapped")
    return np.frombuffer(memoryview((ctypes.c_ubyte * size).from_address(place)), np.uint8)


def same(one: U8, other: U8) -> bool:
    """Whether two frames are equal; stops comparing at the first rows that differ."""
    rows = range(0, len(one), ROWS)
    return all(np.array_equal(one[row : row + ROWS], other[row : row + ROWS]) for row in rows)


def _refusal(message: str) -> bytes:
    return json.dumps({"refused": message}).encode()
