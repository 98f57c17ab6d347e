"""The messages between the server and its renderers.

A job is a message in shared memory. Its descriptor goes through one socket that all renderers read from, so
that a free one takes the next job. Its first bytes are flags that the server and the renderer share while the
job is under way. Replies come back through each renderer's own socket.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from typing import Any

from ..devices.content import Content
from ..engine.request import DrawingRequest, RenderRequest
from ..errors import MockupError
from ..settings.rendering import Rendering

MAX_REPLY = 1 << 18
ArrayShape = tuple[int, int, int]
RendererRequest = RenderRequest | DrawingRequest
# The flags: whether the job was cancelled; the number, from 1, of the renderer working on it; the job's own
# number, which distinguishes it from a later job in the same memory; and when the renderer took it.
CANCELLED_AT, OWNER_AT, NUMBER_AT, TAKEN_AT = 0, 2, 8, 16
OWNER = struct.Struct("<H")
TAKEN = struct.Struct("<d")


def options(max_pixels: int, max_bytes: int, spare: int, fonts: str = "") -> dict[str, Any]:
    """The options of renderers that take screenshots of at most `max_pixels`, in files of `max_bytes`.

    Each may keep up to `spare` bytes of the memory that a picture took, and takes fonts from a folder
    `fonts` besides the system's.
    """
    return {
        "name": "renderer",
        "oom_score": 500,
        "max_pixels": max_pixels,
        "max_bytes": max_bytes,
        "spare": spare,
        "fonts": fonts,
    }


@dataclass(frozen=True, slots=True)
class Job:
    """A request to render a picture, or to draw something else.

    `started` and `timeout` belong to the request's clock, which excludes the time from `asked`, when the pool
    got the request, until a renderer takes the job. `plate` is the serial of the plate whose descriptor is
    sent along, and `live` are the serials of all plates that are kept. If `keep` is given, a plate that has
    to be built is sent back, unless it takes more than `keep` bytes. `pixels` has an entry for each
    screenshot: the shape of a decoded one, whose descriptor comes after the plate's, or None. A screenshot
    that has to be decoded is sent back if its entry in `keep_pixels` is true.
    """

    request: RendererRequest
    started: float
    timeout: float
    asked: float
    plate: int | None = None
    keep: int | None = None
    live: frozenset[int] = frozenset()
    pixels: tuple[ArrayShape | None, ...] = ()
    keep_pixels: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """A plate was built. It comes with this reply unless it is too large to be kept."""

    job: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """Screenshot `number` was decoded to pixels of `shape`; their sealed memory comes with this reply.

    `content` is its opaque part, if its corners are transparent.
    """

    job: int
    number: int
    shape: ArrayShape
    content: Content | None


@dataclass(frozen=True, slots=True)
class Done:
    """A finished picture: its `size` in bytes, and for each stage the time it took, ms, and when it began."""

    job: int
    rendering: Rendering
    size: int
    stages: dict[str, float]
    begun: dict[str, float]


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure, with the traceback of an unexpected error; `error` is None for a cancelled job."""

    job: int
    error: MockupError | None
    cause: str
    stages: dict[str, float]
    begun: dict[str, float]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line for the server's log about the renderer's current job."""

    logger: str
    level: int
    text: str


RendererReply = Made | Decoded | Done | Failed | LogLine


class SharedFlag:
    """Whether the job in `memory` was cancelled: set in one process, seen in the other."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory

    def is_set(self) -> bool:
        """Whether the flag was set."""
        return self._memory[CANCELLED_AT] != 0

    def set(self) -> None:
        """Set the flag."""
        self._memory[CANCELLED_AT] = 1
