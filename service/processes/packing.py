"""Messages in shared memory: a pickled object, followed by the large buffers that it refers to.

Unpacked objects refer to the message's memory, which therefore lives as long as the last array or view of it.
The format is pickle protocol 5 with out-of-band buffers (PEP 574). Only this service's own trusted
processes exchange such messages: decoders, which handle strangers' files, are never asked for one.
"""

from __future__ import annotations

import mmap
import os
import pickle
import struct
from collections.abc import Callable
from typing import Any

from .segments import Segment

# The first bytes carry flags between the two ends while the message is being worked on.
FRONT = 64
ALIGN = 64
SIZES = struct.Struct("<QQ")
SIZE = struct.Struct("<Q")


def pack(content: object, take: Callable[[int], Segment]) -> Segment:
    """A segment with `content`; `take` returns a segment of at least the given number of bytes."""
    buffers: list[pickle.PickleBuffer] = []
    told = pickle.dumps(content, protocol=5, buffer_callback=buffers.append)
    raw = [buffer.raw() for buffer in buffers]
    head = SIZES.pack(len(told), len(raw)) + b"".join(SIZE.pack(len(view)) for view in raw) + told
    ends = [FRONT + len(head)]
    for view in raw:
        ends.append(_aligned(ends[-1]) + len(view))
    segment = take(ends[-1])
    segment.memory[:FRONT] = bytes(FRONT)
    segment.memory[FRONT : ends[0]] = head
    for view, before in zip(raw, ends, strict=False):
        start = _aligned(before)
        segment.memory[start : start + len(view)] = view
    return segment


def unpack(memory: mmap.mmap | memoryview) -> Any:
    """The object packed into `memory`. Its large buffers are views of `memory`, and read-only if `memory`
    is."""
    view = memoryview(memory)
    length, count = SIZES.unpack_from(view, FRONT)
    at = FRONT + SIZES.size
    sizes = [SIZE.unpack_from(view, at + SIZE.size * i)[0] for i in range(count)]
    at += SIZE.size * count
    end = at + length
    buffers = []
    for size in sizes:
        start = _aligned(end)
        end = start + size
        buffers.append(view[start:end])
    return pickle.loads(view[at : at + length], buffers=buffers)


def opened(fd: int, *, writable: bool = False) -> mmap.mmap:
    """The memory behind a descriptor that came along with a message; the descriptor is closed."""
    size = os.fstat(fd).st_size
    try:
        if writable:
            return mmap.mmap(fd, size, access=mmap.ACCESS_WRITE)
        # Linux before 6.7 cannot share a mapping of memory that is sealed against writing. A private mapping
        # uses the same pages.
        return mmap.mmap(fd, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
    finally:
        os.close(fd)


def _aligned(position: int) -> int:
    return -(-position // ALIGN) * ALIGN
