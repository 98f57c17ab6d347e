"""Start, idle memory and first pictures of checkouts: `python -m benchmarks.starting TREE...`.

All trees run with this Python, in turns. The program prints medians: the seconds from the start of the
server's process until it serves, the PSS (MiB) of all its processes at rest, and the ms of the first picture
of a device that is not loaded yet. It also prints the difference of that time to a second picture at another
place on the canvas, which needs only a new plate.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

DEVICE = "ipad-pro-11-m4"  # a device in every tree that is not the default
# Runs in the measured tree, with that tree's own tests.
ROUND = """
import json, os, sys, tempfile, time
from inspect import signature
from pathlib import Path
sys.path.insert(0, ".")
try:
    from tests.support.live import running
except ImportError:  # where it was at first
    from tests.live import running

def started(pid):
    ticks = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    return ticks / os.sysconf("SC_CLK_TCK")

def pss(pid):
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    own = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return own + sum(pss(int(child)) for task in tasks for child in (task / "children").read_text().split())

# From scratch, as trees did before they had a choice.
scratch = {"program": ("service", "serve")} if "program" in signature(running).parameters else {}
settings = {"device": sys.argv[1], "canvas": {"width": 1200, "height": 900}, "export": {"format": "png"}}
with tempfile.TemporaryDirectory() as folder, running(Path(folder), **scratch) as live:
    ready = time.clock_gettime(time.CLOCK_BOOTTIME) - started(live.process.pid)
    time.sleep(5)
    idle = pss(live.process.pid) / 1024
    key, spent = live.key(), []
    for moved in (0, 0.001):
        began = time.perf_counter()
        answer = live.mockup(key, settings=settings | {"deviceTransform": {"positionX": moved}})
        spent.append(1e3 * (time.perf_counter() - began))
        assert answer.status == 200, answer.body[:200]
print(json.dumps([ready, idle, spent[0], spent[0] - spent[1]]))
"""


def one(tree: Path) -> list[float]:
    """One round: seconds, MiB, and two times in ms."""
    command = [sys.executable, "-c", ROUND, DEVICE]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, text=True, check=True)
    return [float(value) for value in json.loads(done.stdout.splitlines()[-1])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    found: dict[Path, list[list[float]]] = {tree: [] for tree in arguments.trees}
    for _ in range(arguments.rounds):
        for tree in arguments.trees:
            found[tree].append(one(tree))
            time.sleep(1)
    print("| tree | start, s | idle, MiB | first picture, ms | above the next, ms |")
    print("| --- | --- | --- | --- | --- |")
    for tree, rounds in found.items():
        start, idle, first, above = (median(column) for column in zip(*rounds, strict=True))
        print(f"| {tree.resolve().name} | {start:.2f} | {idle:.0f} | {first:.0f} | {above:.0f} |")


if __name__ == "__main__":
    main()
