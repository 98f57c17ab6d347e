"""Receipts: a line of JSON for each picture that was published, in a file next to the manifest."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import orjson

from ...errors import invalid
from ...version import version
from .stores import Version

# Lines after which the file is synced; a loss of power costs at most these receipts.
BATCH = 64


@dataclass(frozen=True, slots=True)
class Receipt:
    """A row whose picture is published: the caller's id, line, places, the picture's size in bytes.

    `row` is the picture's own id; see `row_id`. `warnings`, by code and message, are printed but not stored.
    """

    row: str
    id: str | None
    line: int
    screenshots: tuple[str, ...]
    output: str
    bytes: int
    warnings: tuple[tuple[str, str], ...] = ()

    def members(self) -> dict[str, Any]:
        """The receipt's members in JSON, including a `screenshot`, or the `screenshots` of a scene."""
        several = len(self.screenshots) > 1
        read = {"screenshots": self.screenshots} if several else {"screenshot": self.screenshots[0]}
        made = {"output": self.output, "bytes": self.bytes}
        return {"row": self.row, "id": self.id, "line": self.line, **read, **made}


def row_id(screenshots: Sequence[str], sources: Sequence[Version], digest: str, fast: bool) -> str:
    """The id of a picture: a digest of its screenshots' places and versions, the settings and our version."""
    read = [(place, *source) for place, source in zip(screenshots, sources, strict=True)]
    return sha256(orjson.dumps((read, digest, fast, version()))).hexdigest()


def key(id: str, output: str) -> str:
    """The key of a committed row: rows with equal ids may be written to several files."""
    return f"{id} {output}"


class Receipts:
    """The receipts of one run, which locks their file; raises a 400 if another run has locked it."""

    def __init__(self, manifest: Path, shard: tuple[int, int]) -> None:
        index, count = shard
        part = f".{index}-of-{count}" if count > 1 else ""
        self.file = manifest.with_name(f"{manifest.name}{part}.receipts.jsonl")
        self._fd = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        self._unsynced = 0
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._fd)
            raise invalid(f"{self.file}: another run is writing it") from error
        self._cut_torn_line()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            os.fsync(self._fd)
        finally:
            os.close(self._fd)

    def append(self, receipt: Receipt) -> None:
        """Append a receipt; it survives a crash at once, and a power failure once its batch is synced."""
        line = orjson.dumps(receipt.members()) + b"\n"
        written = os.write(self._fd, line)
        if written < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.file))
        self._unsynced += 1
        if self._unsynced >= BATCH:
            os.fsync(self._fd)
            self._unsynced = 0

    def _cut_torn_line(self) -> None:
        """Cut off an incomplete last line, whose writing was interrupted."""
        end = size = os.fstat(self._fd).st_size
        while end:
            start = max(0, end - 4096)
            found = os.pread(self._fd, end - start, start).rfind(b"\n")
            end = start + found + 1 if found >= 0 else start
            if found >= 0:
                break
        if end < size:
            os.ftruncate(self._fd, end)


def committed(manifest: Path) -> Iterator[tuple[str, str]]:
    """The row ids and outputs in all receipts next to a manifest, of every shard; torn lines are skipped."""
    for file in manifest.parent.iterdir():
        if file.name.startswith(f"{manifest.name}.") and file.name.endswith(".receipts.jsonl"):
            with file.open("rb") as lines:
                for line in lines:
                    try:
                        receipt = orjson.loads(line)
                        yield receipt["row"], receipt["output"]
                    except (orjson.JSONDecodeError, KeyError, TypeError):
                        continue
