"""Returns memory to the system when idle."""

from __future__ import annotations

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
# The largest threshold glibc accepts: smaller blocks come from the heap and reuse its pages.
HEAP_BLOCK = 32 * 2**20
# Free bytes at the heap's end before it shrinks. Otherwise, it would shrink and regrow on every render, which
# costs a fault for every page and an interrupt to the other CPUs for every shrink.
HEAP_SPARE = 256 * 2**20
# In processes that make films: larger blocks are returned to the system as soon as they are freed, and the
# heap's end shrinks. Fresh pages take up to a tenth of the time of building a plate.
FILM_BLOCK = 3 * 2**20
FILM_SPARE = 4 * 2**20

# In the server: larger blocks are returned to the system as soon as they are freed. The pieces in which
# connections are read and written are smaller and reuse their pages: page faults took a third of the time of
# receiving a body.
SERVER_BLOCK = 512 * 2**10
SERVER_SPARE = 4 * 2**20
_STATM = Path("/proc/self/statm")


class Idle:
    """Calls `work` in a separate thread after `seconds` without a `touch`, once per idle period."""

    def __init__(self, seconds: float, work: Callable[[], None]) -> None:
        """Prepare; the thread starts with the first `touch`."""
        self._seconds = seconds
        self._work = work
        self._last = 0.0
        self._touched = threading.Event()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def touch(self) -> None:
        """Restart the idle period; safe from any thread."""
        self._last = time.monotonic()
        self._touched.set()
        with self._lock:
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._wait, name="idle", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop; returns once `work` is no longer running."""
        with self._lock:
            self._closed.set()
            thread = self._thread
        self._touched.set()
        if thread is not None:
            thread.join()

    def _wait(self) -> None:
        while True:
            self._touched.wait()
            while (left := self._last + self._seconds - time.monotonic()) > 0:
                if self._closed.wait(left):
                    return
            if self._closed.is_set():
                return
            # Clear it before the work, so that a touch during the work starts the next idle period.
            self._touched.clear()
            self._work()


def settle_heap(block: int = HEAP_BLOCK, spare: int = HEAP_SPARE) -> None:
    """Make all threads allocate from a single heap; by default, it does not shrink by itself.

    Blocks of more than `block` bytes do not come from the heap. It shrinks when more than `spare` bytes at
    its end are free. By default glibc makes a heap for each thread and never trims their tops.
    """
    for option, value in ((M_ARENA_MAX, 1), (M_MMAP_THRESHOLD, block), (M_TRIM_THRESHOLD, spare)):
        _glibc("mallopt", ctypes.c_int(option), ctypes.c_int(value))


def share_heap() -> None:
    """Make all threads of the server share one heap, without large blocks; call before starting threads."""
    settle_heap(SERVER_BLOCK, SERVER_SPARE)


def private() -> int:
    """Resident bytes of this process that are not file-backed; 0 if unknown."""
    try:
        _, resident, shared = map(int, _STATM.read_text(encoding="ascii").split()[:3])
    except (OSError, ValueError):
        return 0
    return (resident - shared) * resource.getpagesize()


def freeze() -> None:
    """Exempt everything loaded so far from garbage collection.

    Scanning it takes tens of milliseconds, during which the event loop is blocked.
    """
    give_back()
    gc.freeze()


def give_back() -> None:
    """Return free memory to the system; glibc would keep hundreds of megabytes after a burst."""
    # Reference cycles hold free memory, too.
    gc.collect()
    trim()


def trim() -> None:
    """Return the free memory of glibc's heaps to the system."""
    _glibc("malloc_trim", ctypes.c_size_t(0))


def _glibc(name: str, *arguments: object) -> None:
    """Call a glibc function; does nothing with other C libraries."""
    with suppress(AttributeError, OSError):
        getattr(ctypes.CDLL(None), name)(*arguments)
