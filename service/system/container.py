"""The CPUs and memory that the process's control group allows."""

from __future__ import annotations

import math
import os
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
_IN_USE = (
    ("memory.current", "memory.stat", "inactive_file"),
    ("memory/memory.usage_in_bytes", "memory/memory.stat", "total_inactive_file"),
)
_MEMORY = ("memory.max", "memory/memory.limit_in_bytes", "memory.limit_in_bytes")


def cpus() -> int:
    """CPUs this process may use: its affinity mask, or the control group's quota if lower."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(available, math.ceil(quota(CGROUP) or available)))


def quota(root: Path) -> float | None:
    """The CPU quota of the control group (v2 or v1) under `root`; None without a limit."""
    try:
        most, period = (root / "cpu.max").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        try:
            most = (root / "cpu" / "cpu.cfs_quota_us").read_text(encoding="ascii").strip()
            period = (root / "cpu" / "cpu.cfs_period_us").read_text(encoding="ascii").strip()
        except OSError:
            return None
    try:
        return int(most) / int(period) if int(most) > 0 else None
    except ValueError:
        return None


def memory(root: Path = CGROUP) -> int:
    """Bytes this process may use: the machine's memory, or the limit of the group under `root` if lower."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for name in _MEMORY:
        try:
            # "max" means no limit; version 1 uses a huge number instead.
            return min(machine, int((root / name).read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return machine


def memory_in_use(root: Path = CGROUP) -> int | None:
    """The working set of the control group (v2 or v1) under `root`, in bytes; None if it has none.

    As Kubernetes counts it: without file pages that were not used lately.
    """
    for usage, statistics, name in _IN_USE:
        try:
            used = int((root / usage).read_text(encoding="ascii"))
            lines = (root / statistics).read_text(encoding="ascii").splitlines()
            fields = dict(line.split() for line in lines)
            return max(0, used - int(fields.get(name, 0)))
        except (OSError, ValueError):
            continue
    return None
