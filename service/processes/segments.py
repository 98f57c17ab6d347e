"""Shared memory that processes pass to each other: allocated once and reused."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import threading
import weakref
from collections import deque

GRAIN = 1 << 20
# Kept memory counts as at least this much, since it also takes a descriptor.
DESCRIPTOR_BYTES = 1 << 19
# Free memory that is kept for the next picture.
KEPT_BYTES = 32 << 20
SEALED = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SEAL


class Segment:
    """A piece of memory that can be passed to another process as a descriptor; its size never changes."""

    def __init__(self, size: int) -> None:
        """Allocate `size` bytes, sealed so that no other process can shrink them under a reader."""
        self.size = size
        self.fd = os.memfd_create("segment", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.fd, size)
        fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        self.memory = mmap.mmap(self.fd, size)
        # When nothing refers to the segment any more, its memory is freed and its descriptor closed.
        weakref.finalize(self, os.close, self.fd)

    def fill(self, *parts: bytes | memoryview) -> None:
        """Write `parts` one after the other, from the start."""
        at = 0
        for part in parts:
            self.memory[at : at + len(part)] = part
            at += len(part)


def sealed(data: memoryview) -> int:
    """A descriptor of memory with a copy of `data` that no process can change any more."""
    fd = os.memfd_create("sealed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        at = 0
        while at < len(data):
            # Write the data instead of mapping it: memory that has a writable mapping cannot be sealed.
            at += os.write(fd, data[at:])
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, SEALED)
    except BaseException:
        os.close(fd)
        raise
    return fd


class Segments:
    """Lends segments and keeps some of those that come back."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        """Keep at most `kept_bytes` of free memory."""
        self._kept_bytes = kept_bytes
        self._free: list[Segment] = []
        # Segments returned while the lock was held: a finalizer may run anywhere and must not wait.
        self._returned: deque[Segment] = deque()
        self._lock = threading.Lock()

    def take(self, size: int) -> Segment:
        """A segment of `size` bytes or more."""
        with self._lock:
            self._sort()
            fitting = [segment for segment in self._free if size <= segment.size <= 2 * size + GRAIN]
            if fitting:
                segment = min(fitting, key=lambda candidate: candidate.size)
                self._free.remove(segment)
                return segment
        return Segment(-(-size // GRAIN) * GRAIN)

    def give(self, segment: Segment) -> None:
        """Take a segment back, from any thread and at any time."""
        self._returned.append(segment)
        if self._lock.acquire(blocking=False):
            try:
                self._sort()
            finally:
                self._lock.release()

    def lend(self, segment: Segment, count: int) -> memoryview:
        """The segment's first `count` bytes. Once nothing refers to them, the segment is taken back."""
        owner = (ctypes.c_ubyte * count).from_buffer(segment.memory)
        weakref.finalize(owner, self.give, segment).atexit = False
        return memoryview(owner)

    def trim(self) -> None:
        """Release free memory."""
        with self._lock:
            self._sort()
            self._free.clear()

    def close(self) -> None:
        """Release everything, now or when it is returned."""
        self._kept_bytes = 0
        self.trim()

    def _sort(self) -> None:
        """Move returned segments to the free ones, and drop the longest unused ones beyond the limit."""
        while self._returned:
            self._free.append(self._returned.popleft())
        while self._free and sum(segment.size for segment in self._free) > self._kept_bytes:
            self._free.pop(0)
