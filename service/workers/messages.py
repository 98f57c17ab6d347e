"""What the server and its renderers say to each other.

A job is a message in shared memory, whose descriptor goes through one socket that all renderers read from:
whoever is free takes the next. The message's first bytes stay between the two while it is worked on. Replies
come back through each renderer's own socket.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from typing import Any

from service.engine.request import RenderRequest
from service.errors import MockupError
from service.models.rendering import Rendering
from service.processes.segments import Segment

# The module that a fork server forks renderers for.
KIND = "service.workers.renderer"
MAX_REPLY = 1 << 18
# In the message's front: whether nobody waits any more, the number of the renderer at work on it, from 1, and
# the job's own, which tells it from a later one in the same memory.
CANCELLED_AT, TAKER_AT, NUMBER_AT = 0, 2, 8
TAKER = struct.Struct("<H")


def options(max_pixels: int) -> dict[str, Any]:
    """What a fork server is told of renderers that take screenshots of `max_pixels` at most."""
    return {"name": "renderer", "expendable": 500, "max_pixels": max_pixels}


@dataclass(frozen=True, slots=True)
class Job:
    """A picture to be made, or the preview of a device.

    `started` and `timeout` are its clock's, `asked` is when it was given to the renderers; `plate` is the
    serial of the plate whose descriptor comes along, `living` are those of all that are kept. A plate that
    has to be made is wanted back when it takes no more than `keep` bytes, if given.
    """

    wanted: RenderRequest | str
    started: float
    timeout: float
    asked: float
    plate: int | None = None
    keep: int | None = None
    living: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Made:
    """A plate was made; it comes along as a message, unless it is too large to be kept."""

    job: int


@dataclass(frozen=True, slots=True)
class Done:
    """The picture, whose `size` bytes come along, and what each stage took, ms."""

    job: int
    rendering: Rendering
    size: int
    stages: dict[str, float]


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no picture, with the traceback of what nobody foresaw; no `error`: it was cancelled."""

    job: int
    error: MockupError | None
    cause: str
    stages: dict[str, float]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line for the server's log, about whatever the renderer is at work on."""

    logger: str
    level: int
    text: str


Reply = Made | Done | Failed | LogLine


def picture(data: bytes | memoryview) -> Segment:
    """Memory with a picture's bytes."""
    segment = Segment(max(1, len(data)))
    segment.memory[: len(data)] = data
    return segment


class Shared:
    """Whether nobody waits any more for a job whose message is in `memory`: set here, seen there."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory

    def is_set(self) -> bool:
        """Whether it was set."""
        return self._memory[CANCELLED_AT] != 0

    def set(self) -> None:
        """Set it."""
        self._memory[CANCELLED_AT] = 1
