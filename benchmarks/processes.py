"""What a running server takes of the machine: memory and files of its whole process tree, from /proc."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
TEMPLATE = b"service.template"


@dataclass(frozen=True)
class Usage:
    """Proportional set size in bytes (every shared page counted once), open files and processes."""

    pss: int
    files: int
    processes: int


def usage(pid: int) -> Usage:
    """Of `pid` and everything below it; processes that end meanwhile, or are not ours to see, count as 0."""
    pids = list(tree(pid))
    return Usage(sum(map(_pss, pids)), sum(map(_files, pids)), len(pids))


def tree(pid: int) -> Iterator[int]:
    """A process and all its descendants, zombies left out."""
    if _state(pid) not in ("", "Z", "X"):
        yield pid
    for child in children(pid):
        yield from tree(child)


def children(pid: int) -> list[int]:
    """The processes that `pid` has started, whichever of its threads did."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in (PROC / str(pid) / "task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def decoders(pid: int) -> list[int]:
    """The decoder processes of the server `pid`."""
    return _forked(pid, "decoder")


def renderers(pid: int) -> list[int]:
    """The renderer processes of the server `pid`."""
    return _forked(pid, "renderer")


def named(template: int, name: str) -> list[int]:
    """The processes of this name that the process `template` has forked."""
    return [
        child
        for child in children(template)
        if _state(child) not in ("", "Z", "X") and _bytes(child, "comm").strip() == name.encode()
    ]


def _forked(pid: int, name: str) -> list[int]:
    templates = [child for child in children(pid) if TEMPLATE in _bytes(child, "cmdline")]
    return [child for template in templates for child in named(template, name)]


def _bytes(pid: int, name: str) -> bytes:
    with contextlib.suppress(OSError):
        return (PROC / str(pid) / name).read_bytes()
    return b""


def _state(pid: int) -> str:
    # The name before the state may itself have spaces and brackets.
    fields = _bytes(pid, "stat").rpartition(b")")[2].split()
    return fields[0].decode() if fields else ""


def _pss(pid: int) -> int:
    for line in _bytes(pid, "smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _files(pid: int) -> int:
    with contextlib.suppress(OSError):
        return len(os.listdir(PROC / str(pid) / "fd"))
    return 0
