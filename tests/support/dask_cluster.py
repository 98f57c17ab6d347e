"""A Dask cluster of real processes on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

# The options are those in deploy/kubernetes/bulk.
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
}


class Cluster:
    """A scheduler on a free port, and workers; all log to `cluster.log`."""

    def __init__(self, place: Path, environment: dict[str, str], *wrapped: str) -> None:
        """`wrapped` is the beginning of a command line that runs the command after it."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self._place, self._environment, self._wrapped = place, QUIET | environment, wrapped
        self.all: list[subprocess.Popen[bytes]] = []

    def scheduler(self) -> subprocess.Popen[bytes]:
        """Start a scheduler at the address of this cluster, even if an earlier one was killed."""
        port = self.address.rpartition(":")[2]
        options = ["--host", "127.0.0.1", "--port", port, "--no-dashboard"]
        return self._started("distributed.cli.dask_scheduler", *options)

    def worker(self, *, threads: int = 1, cores: Collection[int] = ()) -> subprocess.Popen[bytes]:
        """Start a worker with `threads`: one renderer for each of `cores`, or a single one."""
        options = ["--nthreads", str(threads), "--nworkers", "1", "--no-nanny", "--no-dashboard"]
        options += ["--host", "127.0.0.1", "--local-directory", str(self._place / "dask")]
        # The worker exits by itself if its parent is killed.
        options += ["--death-timeout", "300"]
        return self._started("distributed.cli.dask_worker", self.address, *options, cores=cores)

    def _started(self, module: str, *options: str, cores: Collection[int] = ()) -> subprocess.Popen[bytes]:
        code = f"from {module} import main; main()"
        pinned = ("taskset", "--cpu-list", ",".join(map(str, cores))) if cores else ()
        with (self._place / "cluster.log").open("ab") as log:
            process = subprocess.Popen(
                [*self._wrapped, *pinned, sys.executable, "-c", code, *options],
                stdout=log,
                stderr=log,
                env={**os.environ, **self._environment, "MOCKUP_RENDER_THREADS": str(len(cores) or 1)},
            )
        self.all.append(process)
        return process

    def close(self) -> None:
        """End all processes."""
        for process in self.all:
            process.kill()
        for process in self.all:
            process.wait(60)
