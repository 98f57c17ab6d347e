"""Watches a server from outside: the response times of `/health`, and its memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.processes import usage

ASKED_S = 0.05
LOOKED_S = 0.5
MOST_S = 30.0


@dataclass
class Watch:
    """Seconds until each response of `/health`, requests without one, and bytes of memory.

    Time for which the server or the watcher merely waited for a busy processor does not count.
    """

    before: int
    spent: list[float] = field(default_factory=list)
    failed: int = 0
    sizes: list[int] = field(default_factory=list)

    @property
    def longest(self) -> float:
        """The longest response time, in seconds."""
        return max(self.spent, default=0.0)

    @property
    def peak(self) -> int:
        """The peak of memory, in bytes."""
        return max([self.before, *self.sizes])


@contextmanager
def watched(address: str, pid: int) -> Iterator[Watch]:
    """Request `/health` on new connections, and measure the memory of the process tree of `pid`."""
    watch, ended = Watch(usage(pid).pss), threading.Event()

    def ask() -> None:
        while not ended.wait(ASKED_S):
            start = time.perf_counter() - waited(str(pid)) - waited("thread-self")
            if not alive(address):
                watch.failed += 1
            end = time.perf_counter() - waited(str(pid)) - waited("thread-self")
            watch.spent.append(max(0.0, end - start))

    def look() -> None:
        while not ended.wait(LOOKED_S):
            watch.sizes.append(usage(pid).pss)

    threads = [threading.Thread(target=work, daemon=True) for work in (ask, look)]
    for thread in threads:
        thread.start()
    try:
        yield watch
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        watch.sizes.append(usage(pid).pss)


def waited(process: str) -> float:
    """Seconds that a process's first thread has waited for a processor; 0 if the kernel reports none.

    From `/proc/<process>/schedstat`: nanoseconds of work, nanoseconds of waiting, and turns.
    """
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def alive(address: str) -> bool:
    """Whether `/health` is answered with 200."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=MOST_S)
    try:
        connection.request("GET", "/health")
        answer = connection.getresponse()
        answer.read()
        return answer.status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
