"""Picture files, which are either complete or absent."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from ..system.disk import sync


def numbered(name: str, count: int) -> list[str]:
    """The names of the files of `count` slices, such as `out-1.png`, or the name alone for one picture."""
    if count == 1:
        return [name]
    stem, suffix = os.path.splitext(name)
    return [f"{stem}-{number}{suffix}" for number in range(1, count + 1)]


def write(target: Path, data: bytes | memoryview) -> None:
    """Write a picture next to its target and rename it, so that an interrupted run leaves no partial one.

    Raises OSError, which names the target.
    """
    part = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(data)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from error


def publish(target: Path, data: bytes | memoryview, *, mark: str) -> None:
    """Write a picture as `write` does; it is on disk when the call returns.

    The `mark` ends the temporary file's name. If several processes publish a picture with the same mark, the
    first one does, and the others wait for it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{mark}")
    while True:
        with part.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if _is_at(file.fileno(), part):
                try:
                    # A process that was killed may have left data in the file.
                    file.truncate(0)
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                    part.replace(target)
                except BaseException:
                    part.unlink(missing_ok=True)
                    raise
                break
            if _is_at(file.fileno(), target):
                # Another process has published the picture while this one waited.
                return
    sync(target.parent)


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether an open file is the one at a path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
