"""Memory that a burst took goes back to the system, once there is rest or the peak is over."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import resource
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

# glibc's malloc.h
M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
# The most glibc takes: pictures up to here come from the heap, whose pages are there from the render before.
HEAP_BLOCK = 32 * 2**20
# Free at the heap's end before it shrinks, which it else does and undoes within each render: every page then
# costs a fault, and every shrinking interrupts the other processors.
HEAP_SPARE = 256 * 2**20

# In the server: larger blocks are the system's again as soon as they are free.
SERVER_BLOCK = 128 * 2**10
# Of what the server took since it began, what is not worth giving back; how often to look, and how long at
# least between two times.
SPARE = 24 * 2**20
LOOK_S = 1.0
REST_S = 3.0
_STATM = Path("/proc/self/statm")


class Idle:
    """Calls `work` in a thread of its own when there was no `stir` for `seconds`; once for each such rest."""

    def __init__(self, seconds: float, work: Callable[[], None]) -> None:
        """Nothing is called, and no thread started, before the first `stir`."""
        self._seconds = seconds
        self._work = work
        self._last = 0.0
        self._stirred = threading.Event()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def stir(self) -> None:
        """Something happened; safe from any thread."""
        self._last = time.monotonic()
        self._stirred.set()
        with self._lock:
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._wait, name="idle", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Call no more; returns when `work` is not being done."""
        with self._lock:
            self._closed.set()
            thread = self._thread
        self._stirred.set()
        if thread is not None:
            thread.join()

    def _wait(self) -> None:
        while True:
            self._stirred.wait()
            while (left := self._last + self._seconds - time.monotonic()) > 0:
                if self._closed.wait(left):
                    return
            if self._closed.is_set():
                return
            # Before the work: what happens meanwhile counts for the next rest.
            self._stirred.clear()
            self._work()


def settle_heap() -> None:
    """Have all threads from now on allocate from one heap that stays, until memory is given back.

    glibc never trims the tops of the heaps it else makes for each thread.
    """
    for option, value in (
        (M_ARENA_MAX, 1),
        (M_MMAP_THRESHOLD, HEAP_BLOCK),
        (M_TRIM_THRESHOLD, HEAP_SPARE),
    ):
        _glibc("mallopt", ctypes.c_int(option), ctypes.c_int(value))


def share_heap() -> None:
    """Have all threads of the server share one heap, without large blocks; before there are threads.

    glibc never trims the tops of the heaps it else makes for each.
    """
    _glibc("mallopt", ctypes.c_int(M_ARENA_MAX), ctypes.c_int(1))
    _glibc("mallopt", ctypes.c_int(M_MMAP_THRESHOLD), ctypes.c_int(SERVER_BLOCK))


async def give_back_peaks(size: Callable[[], int] | None = None) -> None:
    """Give memory back while more than `SPARE` was taken, until cancelled.

    Garbage is looked for once the memory grows no more, since that takes the interpreter. `size` tells how
    many bytes there are, by default this process' own.
    """
    size = size or private
    least = before = size()
    while True:
        await asyncio.sleep(LOOK_S)
        now = size()
        least = min(least, now)
        if now > least + SPARE:
            await asyncio.to_thread(give_back if now <= before + SPARE // 8 else trim)
            now = size()
            await asyncio.sleep(REST_S - LOOK_S)
        before = now


def private() -> int:
    """Bytes that this process has in memory and shares with no file; 0 where that cannot be known."""
    try:
        _, resident, shared = map(int, _STATM.read_text(encoding="ascii").split()[:3])
    except (OSError, ValueError):
        return 0
    return (resident - shared) * resource.getpagesize()


def freeze() -> None:
    """Take what is loaded now as there for good: it is not looked through for garbage again.

    Looking takes tens of milliseconds, during which an event loop does nothing else.
    """
    give_back()
    gc.freeze()


def give_back() -> None:
    """Hand memory that is free to the system: glibc keeps hundreds of megabytes after a burst."""
    # What only cycles still hold is free as well.
    gc.collect()
    trim()


def trim() -> None:
    """Hand the free memory of glibc's heaps to the system."""
    _glibc("malloc_trim", ctypes.c_size_t(0))


def _glibc(name: str, *arguments: object) -> None:
    """Call a function that another C library may lack; those have their own ways."""
    with suppress(AttributeError, OSError):
        getattr(ctypes.CDLL(None), name)(*arguments)
