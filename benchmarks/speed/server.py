"""The real server as a process of its own on loopback, with users to call it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from service.accounts.store import Accounts
from service.config import Config

SECRET = "a secret of the benchmarks"
READY_S = 30.0


@dataclass(frozen=True)
class Served:
    """A server that is ready; `ready_s` after its process was started."""

    address: str
    keys: list[str]
    pid: int
    ready_s: float
    watch: Path

    def loop(self) -> dict[str, dict[str, float]]:
        """How late the loop was and how long it was held since the last call, see `watched`."""
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
    """A server on a free port, with so many users' keys; bound to `cores` if given.

    Rate limit and queue are wide, so that the renderer is what is measured and not its guards.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        variables = {
            "PORT": "0",
            "DATA_DIR": name,
            "DATABASE_URL": f"sqlite:///{name}/mockup.db",
            "KEY_SECRET": SECRET,
            "RATE_LIMIT": "1000000",
            "QUEUE_SIZE": "256",
            "RENDER_TIMEOUT_S": "60",
            "LOG_FORMAT": "json",
        }
        clean = {key: value for key, value in os.environ.items() if not key.startswith("MOCKUP_")}
        environment = clean | {f"MOCKUP_{key}": value for key, value in variables.items()}
        config = Config(data_dir=folder, database_url=variables["DATABASE_URL"], key_secret=SECRET)
        with Accounts(config) as accounts:
            accounts.upgrade()
            people = [accounts.users.add(f"caller{i}@example.com", "pro") for i in range(users)]
            keys = [accounts.keys.issue(user.id) for user in people]
        watch = folder / "loop.jsonl"
        command = [sys.executable, "-m", "service", "serve"]
        if watched:
            command = [sys.executable, "-m", "benchmarks.speed.watched", str(watch)]
        if cores:
            command = ["taskset", "--cpu-list", ",".join(map(str, sorted(cores))), *command]
        log = folder / "server.log"
        start = time.perf_counter()
        with log.open("wb") as out:
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
        try:
            address = _ready(log, process, start)
            yield Served(address, keys, process.pid, time.perf_counter() - start, watch)
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _ready(log: Path, process: subprocess.Popen[bytes], start: float) -> str:
    """The address once /health/ready says yes."""
    address = ""
    while time.perf_counter() - start < READY_S and process.poll() is None:
        if not address:
            lines = [line for line in log.read_text().splitlines() if '"serving"' in line]
            address = str(json.loads(lines[0])["address"]) if lines else ""
        else:
            try:
                with urlopen(f"{address}/health/ready", timeout=5) as answer:
                    if answer.status == 200:
                        return address
            except (URLError, OSError):
                pass
        time.sleep(0.005)
    raise RuntimeError(f"the server did not start:\n{log.read_text()[-2000:]}")
