"""Picture files, complete under their names or not there."""

from __future__ import annotations

import os
from pathlib import Path


def write(target: Path, data: bytes | memoryview, *, mark: str | None = None) -> None:
    """Write a picture next to its target and rename it, so that an interrupted run leaves no partial one.

    With a `mark`, which ends the temporary file's name in place of this process's id, the picture is also
    on disk when the call returns, under its name.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{mark or os.getpid()}")
    try:
        part.write_bytes(data)
        if mark:
            _sync(part)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    if mark:
        _sync(target.parent)


def _sync(path: Path) -> None:
    """Wait until a file or a folder's entries are on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
