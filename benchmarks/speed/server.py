"""The real server in a separate process on loopback, with users."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.live import SERVICE, running, upgraded
from tests.support.waiting import until

# Generous limits, so that they do not affect measurements.
SETTINGS = {
    "RATE_LIMIT": "1000000",
    "QUEUE_SIZE": "256",
    "RENDER_TIMEOUT_S": "60",
    # Connections stay open while the others take their turns.
    "IDLE_TIMEOUT_S": "600",
    "LOG_LEVEL": "info",
    "ALLOW_PRIVATE_SOURCES": "0",
}


@dataclass(frozen=True)
class Served:
    """A server that is ready, `ready_s` seconds after its process was started."""

    address: str
    keys: list[str]
    pid: int
    ready_s: float
    watch: Path

    def loop(self) -> dict[str, dict[str, float]]:
        """The delays and the blocking of the event loop since the last call, see `watched`."""
        before = self.watch.read_text() if self.watch.exists() else ""
        os.kill(self.pid, signal.SIGUSR1)
        for _ in range(100):
            time.sleep(0.02)
            if self.watch.exists() and self.watch.read_text() != before:
                break
        figures: dict[str, dict[str, float]] = json.loads(self.watch.read_text().splitlines()[-1])
        return figures


@contextmanager
def serving(users: int, cores: set[int] | None = None, *, watched: bool = True) -> Iterator[Served]:
    """Start a server on a free port, with keys of some users, on `cores` if given."""
    with tempfile.TemporaryDirectory() as name:
        watch = Path(name) / "loop.jsonl"
        program = ("benchmarks.speed.watched", str(watch)) if watched else SERVICE
        bound = ["taskset", "--cpu-list", ",".join(map(str, sorted(cores)))] if cores else []
        upgraded()
        start = time.perf_counter()
        with running(Path(name), *bound, program=program, **SETTINGS) as live:
            until(lambda: live.send("GET", "/health/ready").status == 200, "the server")
            ready_s = time.perf_counter() - start
            keys = [live.key() for _ in range(users)]
            yield Served(live.address, keys, live.process.pid, ready_s, watch)
