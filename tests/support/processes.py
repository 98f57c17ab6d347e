"""The processes of a running server, and their memory and open files, from /proc."""

from __future__ import annotations

import contextlib
import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.waiting import until

DEAD = ("Z", "X")


@dataclass(frozen=True)
class Usage:
    """Proportional set size in bytes (every shared page counted once), open files and processes."""

    pss: int
    files: int
    processes: int


def usage(pid: int) -> Usage:
    """The usage of `pid` and all its descendants. Processes that end meanwhile or cannot be read count as
    0."""
    pids = tree(pid)
    return Usage(sum(map(pss, pids)), sum(map(_files, pids)), len(pids))


def tree(pid: int) -> list[int]:
    """A process and all its descendants, without zombies."""
    below = defaultdict(list)
    states = {}
    for child, parent, state in _processes():
        below[parent].append(child)
        states[child] = state
    found = [pid]
    for one in found:
        found += below[one]
    return [one for one in found if states.get(one, "X") not in DEAD]


def children(pid: int) -> list[int]:
    """The processes that `pid` has started, zombies included."""
    # The list in /proc may omit a child if another one ends meanwhile.
    return sorted(child for child, parent, _ in _processes() if parent == pid)


def decoders(pid: int) -> list[int]:
    """The decoder processes of the server `pid`."""
    return _forked(pid, "decoder")


def renderers(pid: int) -> list[int]:
    """The renderer processes of the server `pid`."""
    return _forked(pid, "renderer")


def named(fork_server: int, name: str) -> list[int]:
    """The processes of this name that `fork_server` has forked, without zombies."""
    return [
        child
        for child in children(fork_server)
        if alive(child) and _bytes(child, "comm").strip() == name.encode()
    ]


def alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    return _state(pid) not in ("", *DEAD)


def is_stopped(pid: int) -> bool:
    """Whether a process has been stopped by a signal."""
    return _state(pid) == "T"


def send(pid: int, number: int) -> None:
    """Send a signal to a descendant of this process; raises ProcessLookupError for any other process.

    No other process is ever signalled: 0 and -1 stand for many processes, and pids are reused.
    """
    if pid not in tree(os.getpid())[1:]:
        raise ProcessLookupError(pid)
    os.kill(pid, number)


def stop(pid: int) -> bool:
    """Stop a process until it is continued or killed; False if it has ended."""
    with contextlib.suppress(ProcessLookupError):
        send(pid, signal.SIGSTOP)
        until(lambda: _state(pid) not in ("R", "S", "D"), f"the stop of process {pid}")
        return alive(pid)
    return False


def pss(pid: int) -> int:
    """A process' proportional set size, bytes."""
    for line in _bytes(pid, "smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def processor_s(pid: int) -> float:
    """The processor time of a process, seconds; 0 if it has ended."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _processes() -> Iterator[tuple[int, int, str]]:
    """The pid, parent and state of every process."""
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := _stat(int(entry))):
            yield int(entry), int(fields[1]), fields[0]


def _forked(pid: int, name: str) -> list[int]:
    return [child for below in children(pid) for child in named(below, name)]


def _bytes(pid: int, name: str) -> bytes:
    # Waiting tests call this over and over, and Path objects and buffered files would take most of its time.
    try:
        with open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
            return file.readall()
    except OSError:
        return b""


def _stat(pid: int) -> list[str]:
    """The fields after a process' name, which may contain spaces and brackets."""
    return _bytes(pid, "stat").rpartition(b")")[2].decode().split()


def _state(pid: int) -> str:
    fields = _stat(pid)
    return fields[0] if fields else ""


def _files(pid: int) -> int:
    with contextlib.suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/fd"))
    return 0
