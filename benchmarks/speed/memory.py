"""Memory and processor time of a process and all its descendants, from /proc."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from tests.support.processes import pss, tree

PROC = Path("/proc")


def pss_mb(root: int) -> float:
    """Proportional set size of the whole tree, MB of 10^6 bytes: shared pages are counted once."""
    return sum(map(pss, tree(root))) / 1e6


def cpu_s(root: int) -> float:
    """Processor time that the tree's living processes have used, seconds."""
    ticks = 0
    for pid in tree(root):
        try:
            words = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Peak:
    """Watches the memory of a process tree in a thread; `mb` is the peak."""

    def __init__(self, root: int, every_s: float = 0.1) -> None:
        self.mb = 0.0
        self._root, self._every = root, every_s
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.is_set():
            self.mb = max(self.mb, pss_mb(self._root))
            time.sleep(self._every)
