"""Files readable by their owner only: the database, the key secret, the demo account's key."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from ..system.disk import sync
from .errors import AccountError


def make_folder(path: Path) -> None:
    """Create a folder with mode 0700; an existing one keeps its mode."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise AccountError(f"the folder {path} cannot be created: {error.strerror}") from error


def make_file(path: Path) -> None:
    """Create an empty file with mode 0600, or remove other users' permissions from an existing one."""
    make_folder(path.parent)
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT, 0o600))
        if path.stat().st_uid == os.geteuid() and path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except OSError as error:
        raise AccountError(f"the file {path} cannot be opened: {error.strerror}") from error


def read_or_create(path: Path, make: Callable[[], str]) -> str:
    """Read the file, stripped; if absent, create it atomically with mode 0600, even across processes."""
    try:
        if not path.exists():
            make_folder(path.parent)
            written = _write_beside(path, make())
            try:
                # Unlike a rename, a link never replaces a file that another process has just created.
                os.link(written, path)
            except FileExistsError:
                pass
            finally:
                written.unlink()
            sync(path.parent)
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise AccountError(f"the file {path} cannot be read or created: {error.strerror}") from error
    if not text:
        raise AccountError(f"the file {path} is empty")
    return text


def replace(path: Path, text: str) -> None:
    """Write the file atomically with mode 0600, replacing any existing one."""
    try:
        make_folder(path.parent)
        written = _write_beside(path, text)
        try:
            written.replace(path)
        except OSError:
            written.unlink()
            raise
        sync(path.parent)
    except OSError as error:
        raise AccountError(f"the file {path} cannot be written: {error.strerror}") from error


def _write_beside(path: Path, text: str) -> Path:
    # mkstemp creates the file with mode 0600.
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    written = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        written.unlink()
        raise
    return written
