"""Memory of a process and all its descendants, from /proc."""

from __future__ import annotations

import threading
import time

from tests.support.processes import pss, tree


def pss_mb(root: int) -> float:
    """Proportional set size of the whole tree, MB of 10^6 bytes: shared pages are counted once."""
    return sum(map(pss, tree(root))) / 1e6


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
