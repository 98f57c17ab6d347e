"""`mockup render`: the time of one picture, and the use of all processors for a folder of pictures."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.speed.report import Goal, table

FEW, MANY = 4, 28


def measure(screenshot: bytes, rounds: int) -> tuple[list[str], list[Goal]]:
    """A table of medians and goals; in each round, everything is done once."""
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in (1, FEW, MANY):
            (folder / str(count)).mkdir()
            for number in range(count):
                (folder / str(count) / f"{number}.png").write_bytes(screenshot)
        # One uncounted run, since Python may have to compile modules.
        _taken(folder, 1, cores)
        runs = [(1, cores), (FEW, cores[:1]), (MANY, cores[:1]), (FEW, cores), (MANY, cores)]
        times: list[list[float]] = [[] for _ in runs]
        for _ in range(rounds):
            for taken, run in zip(times, runs, strict=True):
                taken.append(_taken(folder, *run))
    one, *rest = (statistics.median(taken) for taken in times)
    # Every run includes the start, so the difference between a large and a small one excludes it.
    single, together = ((many - few) / (MANY - FEW) for few, many in (rest[:2], rest[2:]))
    rows = [
        ["one picture, from start to end", f"{one:.2f} s"],
        ["a further picture, one core", f"{single * 1e3:.0f} ms"],
        [f"a further picture, {len(cores)} cores", f"{together * 1e3:.0f} ms"],
    ]
    goals = [Goal("`mockup render` of one picture, s", one, 0.6, least=False)]
    if len(cores) > 1:
        share = single / together / len(cores)
        goals.append(Goal("`mockup render` of a folder: throughput / cores × one core's", share, 0.9))
    return table(["`mockup render`, 1920×1080 PNG", ""], rows), goals


def _taken(folder: Path, count: int, cores: list[int]) -> float:
    # The installed form, with compiled modules.
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MOCKUP_", "PYTHON"))}
    command = ["taskset", "--cpu-list", ",".join(map(str, cores)), sys.executable, "-m", "service", "render"]
    start = time.perf_counter()
    subprocess.run(
        [*command, f"{folder}/{count}", "-o", f"{folder}/out/"], env=clean, check=True, capture_output=True
    )
    return time.perf_counter() - start
