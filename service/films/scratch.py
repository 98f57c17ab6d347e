"""A file for data that a film needs again, and that would take too much memory."""

from __future__ import annotations

import os
import weakref

Allocation = tuple[int, int]  # offset and length, bytes


class Scratch:
    """Keeps pieces of bytes in a file, up to a limit; the file is deleted with the last reference."""

    def __init__(self, fd: int, limit: int) -> None:
        """Use the empty file behind the descriptor `fd`, which is closed in the end."""
        self._fd, self._limit, self._end = fd, limit, 0
        weakref.finalize(self, os.close, fd)

    def keep(self, data: bytes) -> Allocation | None:
        """Where a piece was written; None if there is no room for it."""
        if self._end + len(data) > self._limit:
            return None
        try:
            written = os.pwrite(self._fd, data, self._end)
        except OSError:
            return None
        if written < len(data):
            return None
        self._end += written
        return self._end - written, written

    def read(self, place: Allocation) -> bytes:
        """The piece at a place."""
        at, length = place
        return os.pread(self._fd, length, at)


def nameless(beside: int | None = None) -> int:
    """A descriptor of a new file without a name, in the folder of the open file `beside`.

    The file is in memory if no folder is given, or its file system has no such files, as over a network.
    """
    if beside is not None:
        try:
            folder = os.path.dirname(os.readlink(f"/proc/self/fd/{beside}"))
            return os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError:
            pass
    return os.memfd_create("scratch", os.MFD_CLOEXEC)
