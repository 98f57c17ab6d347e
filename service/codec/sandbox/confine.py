"""What a decoder process gives up before it sees the first untrusted byte."""

from __future__ import annotations

import ctypes
import resource

from service.codec.sandbox import seccomp

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD = -1, -2, -3

# On top of what the process has mapped at its start, per byte of the largest picture as 8-bit RGBA: 16-bit
# samples, which are there twice while they are unpacked, take four.
MEMORY_FACTOR = 7
# Per byte of the largest file: itself, and copies without its metadata.
FILE_FACTOR = 4
CPU_SECONDS = 60
OPEN_FILES = 16


def confine(pixel_bytes: int, file_bytes: int) -> bool:
    """Set limits and give up privileges; returns whether system calls are filtered as well.

    `pixel_bytes` is the most that may be written to the shared memory that comes with a job, `file_bytes` the
    size of the largest file.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    unsigned = ctypes.c_ulong
    keep_memory()
    for limit, value in (
        (
            resource.RLIMIT_AS,
            mapped_bytes() + MEMORY_FACTOR * pixel_bytes + FILE_FACTOR * file_bytes,
        ),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, pixel_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    libc.prctl(PR_SET_DUMPABLE, unsigned(0), unsigned(0), unsigned(0), unsigned(0))
    libc.prctl(PR_SET_NO_NEW_PRIVS, unsigned(1), unsigned(0), unsigned(0), unsigned(0))
    return seccomp.install()


def keep_memory() -> None:
    """Let freed memory stay with this process for its next picture, which would wait for fresh pages."""
    libc = ctypes.CDLL(None)
    for option, value in ((M_MMAP_THRESHOLD, 1 << 30), (M_TRIM_THRESHOLD, 256 << 20), (M_TOP_PAD, 1 << 20)):
        libc.mallopt(option, value)


def mapped_bytes() -> int:
    """The address space of this process in use."""
    with open("/proc/self/statm", "rb") as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()
