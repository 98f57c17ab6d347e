"""Films made by the command line, with the time and memory of all its processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.films.recorded import FPS
from benchmarks.processor_time import Account
from tests.support.processes import pss, tree

EVERY_S = 0.5  # seconds between measurements of memory


@dataclass(frozen=True)
class MadeFilm:
    """The number of a film's frames, the seconds and processor seconds that it took, and its memory over
    time, MB.

    Memory is the proportional set size of all processes: shared pages count once.
    """

    frames: int
    wall: float
    spent: float
    memory: tuple[float, ...]

    @property
    def length(self) -> float:
        """The seconds that the film plays."""
        return self.frames / FPS


def made(
    account: Account, source: Path, device: str, move: str, seconds: float, target: Path, *more: str
) -> MadeFilm:
    """Make a film of full HD; exits if it fails."""
    command = [sys.executable, "-m", "service", "film", str(source), "-o", str(target), "--json"]
    command += ["--device", device, "--move", move, "--fps", str(FPS), "--duration", f"{seconds:g}"]
    command += ["--set", "canvas.preset=full-hd", *more]
    before, begun, memory = account.seconds, time.perf_counter(), list[float]()
    with subprocess.Popen(
        [*account.command, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while True:
            try:
                # A sleep would go on after the film's end, on average for half a period.
                process.wait(EVERY_S)
                break
            except subprocess.TimeoutExpired:
                memory.append(sum(map(pss, tree(process.pid))) / 1e6)
        out, said = process.communicate()
    wall, spent = time.perf_counter() - begun, account.seconds - before
    if process.returncode:
        raise SystemExit(said[-2000:])
    return MadeFilm(int(json.loads(out)["frames"]), wall, spent, tuple(memory))


def halves(memory: Sequence[float]) -> tuple[float, float]:
    """The peak memory in the first and in the second half of a film, without its start and end."""
    inner = memory[len(memory) // 10 : -max(len(memory) // 10, 1)]
    middle = len(inner) // 2
    return max(inner[:middle], default=0.0), max(inner[middle:], default=0.0)
