"""The CPUs and memory that the process's control groups allow, and whether memory ran out."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

CGROUP = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
VMSTAT = Path("/proc/vmstat")
_LIMITS = ("memory.max", "memory.limit_in_bytes")
_IN_USE = (
    ("memory.current", "inactive_file"),
    ("memory.usage_in_bytes", "total_inactive_file"),
)


def cpus() -> int:
    """CPUs this process may use: its affinity mask, or the control group's quota if lower."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(available, math.ceil(quota(CGROUP) or available)))


def quota(root: Path, own: Path = OWN) -> float | None:
    """The lowest CPU quota of the process's control groups (v2 or v1) under `root`; None without a limit.

    The limits of all parent groups apply to a group as well. `own` is the file that names the process's
    groups.
    """
    found = [share for folder in _groups("cpu", root, own) if (share := _quota(folder)) is not None]
    return min(found, default=None)


def _quota(folder: Path) -> float | None:
    try:
        try:
            most, period = (folder / "cpu.max").read_text(encoding="ascii").split()
        except OSError:
            names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
            most, period = ((folder / name).read_text(encoding="ascii").strip() for name in names)
        return int(most) / int(period) if int(most) > 0 else None
    except (OSError, ValueError):
        return None


def memory(root: Path = CGROUP, own: Path = OWN) -> int:
    """Bytes this process may use: the machine's memory, or the lowest limit of its groups if that is lower.

    `root` and `own` as for `quota`.
    """
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for folder in _groups("memory", root, own):
        for name in _LIMITS:
            # "max" means no limit; version 1 uses a huge number instead.
            with suppress(OSError, ValueError):
                limits.append(int((folder / name).read_text(encoding="ascii")))
    return min(limits)


def memory_in_use(root: Path = CGROUP, own: Path = OWN) -> int | None:
    """The working set of the process's control group, in bytes; None if it has none.

    Like Kubernetes, this leaves out file pages that were not used recently. `root` and `own` as for `quota`.
    """
    for folder in _groups("memory", root, own):
        for usage, name in _IN_USE:
            with suppress(OSError, ValueError):
                used = int((folder / usage).read_text(encoding="ascii"))
                lines = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
                fields = dict(line.split() for line in lines)
                return max(0, used - int(fields.get(name, 0)))
    return None


def _groups(controller: str, root: Path, own: Path) -> Iterator[Path]:
    """The folders of the process's groups for a controller: its own group first, then the parents.

    Inside a container, the container's own group often appears as the root, and no other is visible. Version
    1 has a tree for each controller.
    """
    try:
        lines = own.read_text(encoding="ascii").splitlines()
    except OSError:
        lines = []
    for _, controllers, path in (line.split(":", 2) for line in lines):
        if controllers and controller not in controllers.split(","):
            continue
        tree = root / controller if controllers else root
        inner = PurePosixPath(path.lstrip("/"))
        if ".." in inner.parts:
            # The group is outside the root that this process can see.
            continue
        yield from (tree / folder for folder in (inner, *inner.parents))
    yield from (root, root / controller)


def out_of_memory_kills() -> int:
    """Processes killed for lack of memory, in all control groups; 0 if the kernel does not report them.

    A process can seldom read the count of its own group.
    """
    with suppress(OSError, ValueError):
        for line in VMSTAT.read_text(encoding="ascii").splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return 0
