"""The server of any revision, started by that revision's own benchmark.

Only that benchmark knows the revision's variables and tables. It must have `benchmarks.speed.server.serving`,
and a `Served` with the same attributes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.speed.server import Served

ROOT = Path(__file__).resolve().parents[2]
SERVE = """
import json, sys
from benchmarks.speed.server import serving
with serving(int(sys.argv[1]), watched=False) as served:
    found = served.address, served.keys, served.pid, served.ready_s, str(served.watch)
    print(json.dumps(found), flush=True)
    sys.stdin.read()
"""


@contextmanager
def serving_tree(tree: Path, users: int) -> Iterator[Served]:
    """Serve the code in `tree`, with keys for some users; raises RuntimeError if it does not start."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", SERVE, str(users)],
        env={**os.environ, "PYTHONPATH": str(tree)},
        cwd=tree,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server of {tree} did not start")
        address, keys, pid, ready_s, watch = json.loads(line)
        try:
            yield Served(address, keys, pid, ready_s, Path(watch))
        finally:
            process.stdin.close()
            process.wait()
