"""`make sizing`: renders per second by processors and memory, for the table in docs/operations.md."""

from __future__ import annotations

import argparse
import base64
import json
import math
import os
import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.processor_time import account
from benchmarks.speed import machine, screenshots, traffic
from benchmarks.speed.cases import Case
from benchmarks.speed.memory import Peak
from benchmarks.speed.report import table
from benchmarks.speed.server import SETTINGS
from tests.support.control_group import control_group
from tests.support.live import running
from tests.support.waiting import until

RESULTS = Path(__file__).parent / "results"
MEMORY_MB = (512, 1024)
CASES = (Case(1280, 720, "jpeg"), Case(1920, 1080, "png"), Case(3840, 2160, "png"))
CALLERS, USERS = 8, 64


Figures = tuple[float, float]


def measured(cores: Sequence[int], megabytes: int, seconds: float) -> tuple[list[Figures], tuple[float, int]]:
    """For each case: renders per second, processor ms per render, peak memory, MB, and killed processes."""
    source = base64.b64encode(screenshots.drawn("phone")).decode()
    found = []
    with ExitStack() as ends:
        folder = Path(ends.enter_context(TemporaryDirectory()))
        group = ends.enter_context(control_group(megabytes * 2**20))
        if group is None:
            raise SystemExit("no control group can be made here")
        pinned = ("taskset", "--cpu-list", ",".join(map(str, cores)))
        time_of = ends.enter_context(account())
        live = ends.enter_context(running(folder, *group.command, *time_of.command, *pinned, **SETTINGS))
        until(lambda: live.send("GET", "/health/ready").status == 200, "the server")
        keys = [live.key() for _ in range(USERS)]
        most = ends.enter_context(Peak(live.process.pid, 0.5))
        for case in CASES:
            shot = {"type": "base64", "src": source}
            body = json.dumps({"type": "screenshot", "screenshot": shot, "settings": case.members}).encode()
            # The first render builds the plate.
            warm = live.send("POST", "/api/v1/mockup?output=raw", body, key=keys[0])
            if warm.status == 400:
                # The picture needs more memory than there is.
                found.append((math.nan, math.nan))
                continue
            if warm.status != 200:
                raise SystemExit(f"{megabytes} MB, {case.name}: {warm.body[:200].decode()}")
            before = time_of.seconds
            rate = traffic.send(live.address, body, keys, CALLERS, seconds, set(cores)).rate
            used = time_of.seconds - before
            found.append((rate, used / (rate * seconds) * 1e3 if rate else math.nan))
        return found, (most.mb, group.kills)


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="make sizing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of traffic for each case")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-save", action="store_true", help="print without saving")
    options = parser.parse_args()
    if reason := traffic.absent():
        raise SystemExit(reason)
    now = datetime.now(UTC)
    report = [f"# Sizing, {now:%Y-%m-%d %H:%M} UTC", "", *machine.describe(), ""]
    report += [
        f"{CALLERS} callers on the same processors, each request with a phone's screenshot, 0.9 MB, in",
        "base64; warm plates. Renders a second, and processor time of the server for each; medians of",
        f"{options.rounds} rounds. The limit is a control group's, the peak the proportional set size of all",
        "processes; killed are those for which there was no memory, refused what does not fit.",
        "",
    ]
    allowed = sorted(os.sched_getaffinity(0))
    rows = []
    for count in range(1, len(allowed) + 1):
        for megabytes in MEMORY_MB:
            rounds = [measured(allowed[:count], megabytes, options.seconds) for _ in range(options.rounds)]
            peak, kills = (max(one) for one in zip(*(memory for _, memory in rounds), strict=True))
            row = [str(count), str(megabytes), f"{peak:.0f}", str(kills)]
            for figures in zip(*(one for one, _ in rounds), strict=True):
                rate, processor = map(statistics.median, zip(*figures, strict=True))
                row.append("refused" if math.isnan(rate) else f"{rate:.1f}, {processor:.0f} ms")
            rows.append(row)
            print(f"  {rows[-1]}", flush=True)
    head = [
        "processors",
        "limit MB",
        "peak MB",
        "killed",
        *(f"{case.width}×{case.height} {case.format.upper()}" for case in CASES),
    ]
    report += table(head, rows)
    print("\n".join(report))
    if not options.no_save:
        (RESULTS / f"{now:%Y-%m-%d}-sizing.md").write_text("\n".join(report) + "\n")


if __name__ == "__main__":
    main()
