"""Privileges that a decoder process gives up before it sees the first untrusted byte."""

from __future__ import annotations

import ctypes
import resource

from ...concurrency.ordered_map import CPUS, pool
from ...limits import DECODER_CPU_S, DECODER_FILES
from . import seccomp

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -2, -3, -8

# Memory allowed beyond what is mapped at the start, as a multiple of the largest picture's size in 8-bit
# RGBA. 16-bit samples take four times that size, since two copies exist while they are unpacked.
MEMORY_FACTOR = 7
# Memory for the largest file, as a multiple of its size: the file itself, and copies without its metadata.
FILE_FACTOR = 4


def confine(
    pixel_bytes: int, file_bytes: int, *, cpu_seconds: int = DECODER_CPU_S, pictures: int = 1
) -> bool:
    """Set limits and give up privileges; returns whether system calls are filtered as well.

    `pixel_bytes` is the size of the largest picture; `pictures` is how many of these may be written to the
    shared memory that comes with a job; `file_bytes` is the size of the largest file, and `cpu_seconds` is
    the processor time that the process may take.

    The process's second thread is started first, since no thread can be started later, and is filtered, too.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    unsigned = ctypes.c_ulong
    keep_memory()
    libc.prctl(PR_SET_NO_NEW_PRIVS, unsigned(1), unsigned(0), unsigned(0), unsigned(0))
    # Each thread filters itself, because a systemd service may not make the call that filters all. The second
    # thread inherits the flag that forbids new privileges.
    other = None if CPUS == 1 else pool(1).submit(seccomp.install)
    for limit, value in (
        (
            resource.RLIMIT_AS,
            mapped_bytes() + MEMORY_FACTOR * pixel_bytes + FILE_FACTOR * file_bytes,
        ),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_NOFILE, DECODER_FILES),
        (resource.RLIMIT_FSIZE, pictures * pixel_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    libc.prctl(PR_SET_DUMPABLE, unsigned(0), unsigned(0), unsigned(0), unsigned(0))
    return seccomp.install() and (other is None or other.result())


def keep_memory() -> None:
    """Let freed memory stay with this process. Otherwise, its next picture would wait for fresh pages.

    All threads share one arena: a second would take 64 MB of the address space.
    """
    libc = ctypes.CDLL(None)
    for option, value in (
        (M_MMAP_THRESHOLD, 1 << 30),
        (M_TRIM_THRESHOLD, 256 << 20),
        (M_TOP_PAD, 1 << 20),
        (M_ARENA_MAX, 1),
    ):
        libc.mallopt(option, value)


def mapped_bytes() -> int:
    """The address space of this process in use."""
    with open("/proc/self/statm", "rb") as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()
