"""What the control group around this process grants: CPUs and memory."""

from __future__ import annotations

import math
import os
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
_MEMORY = ("memory.max", "memory/memory.limit_in_bytes", "memory.limit_in_bytes")


def cpus() -> int:
    """CPUs this process may use: those of its affinity mask, or fewer where a control group says so."""
    at_hand = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(at_hand, math.ceil(quota(CGROUP) or at_hand)))


def quota(root: Path) -> float | None:
    """CPUs that the control group under `root` grants, version 2 or 1; None when it sets no limit."""
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
    """Bytes of memory this process may use: the machine's, or fewer where the group under `root` says so."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for name in _MEMORY:
        try:
            # "max" stands for no limit, as does a number beyond all machines in version 1.
            return min(machine, int((root / name).read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return machine
