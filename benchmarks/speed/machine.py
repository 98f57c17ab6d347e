"""A description of the machine, without its name, and of the measured revision."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path


def describe() -> list[str]:
    """The first lines of a report."""
    info = Path("/proc/cpuinfo")
    model = platform.processor() or platform.machine()
    if info.exists():
        lines = info.read_text().splitlines()
        model = next(
            (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model
        )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        f"- {model}, {cores} cores, {memory:.0f} GB, no GPU used",
        f"- {platform.system()} {platform.release()}, Python {platform.python_version()}",
        f"- revision {revision()}",
        f"- load average before: {os.getloadavg()[0]:.1f}",
    ]


def revision() -> str:
    """The short name of the revision, with a plus if files differ from it."""

    def git(*words: str) -> str:
        folder = Path(__file__).parent
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = "+" if git("status", "--porcelain", "--untracked-files=no") else ""
    return (git("rev-parse", "--short", "HEAD") or "unknown") + changed
