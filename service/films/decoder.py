"""The process that decodes one recording; confined, like decoders of screenshots, before it sees the file."""

from __future__ import annotations

import json
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
from .container import CONTAINERS
from .source import Player, opened

MAX_MESSAGE = 4096
UNCONFINED = b"unconfined"
# A request: the time in seconds, and the frame's place in the shared memory.
REQUEST = struct.Struct("<dQ")
# The reply: the time from which the frame is shown, and whether it was written or equals the previous one.
FRAME = struct.Struct("<d?")
PIXEL_BYTES = 4 * RECORDING_PIXELS
# Parts of the shared memory, each for one frame: the one that is shown, and the next.
SLOTS = 2
ROWS = 64  # rows of two frames that are compared at a time


def options(nice: int = 0) -> dict[str, Any]:
    """The options of a process with the given niceness."""
    return {"name": "recording", "oom_score": 1000, "nice": nice}


def prepare() -> None:
    """Load, in the fork server, the modules that every process needs."""
    cv2.setNumThreads(0)
    Image.init()


def run(options: dict[str, Any], channel: socket.socket) -> None:
    """Receive a file, send its facts, and then answer each request with a frame."""
    os.nice(options["nice"])
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
        _serve(player, channel, memory[0])
    except MockupError as error:
        channel.send(_refusal(error.message))


def _serve(player: Player, channel: socket.socket, memory: int) -> None:
    before: float | None = None
    written: int | None = None  # the place of the newest frame that was written
    # The filter of system calls forbids a plain recv.
    while message := channel.recvmsg(REQUEST.size)[0]:
        time, at = REQUEST.unpack(message)
        since, pixels = player.at(time)
        # In screen recordings, many frames equal the previous one. The comparison reads the shared memory, so
        # that no copy has to be kept.
        fresh = since != before and not (written is not None and same(pixels, memory, written))
        if fresh:
            written = at
            rest = pixels.reshape(-1).data
            while len(rest):
                done = os.pwrite(memory, rest, at)
                rest, at = rest[done:], at + done
        before = since
        # The next frame takes its memory.
        del pixels
        channel.send(FRAME.pack(since, fresh))


def same(pixels: U8, memory: int, at: int) -> bool:
    """Whether a frame is in a file at an offset; stops comparing at the first rows that differ."""
    for row in range(0, len(pixels), ROWS):
        part = pixels[row : row + ROWS].reshape(-1)
        if not np.array_equal(np.frombuffer(os.pread(memory, part.nbytes, at), np.uint8), part):
            return False
        at += part.nbytes
    return True


def _refusal(message: str) -> bytes:
    return json.dumps({"refused": message}).encode()
