"""`make bulk`: manifests on a Dask cluster on this machine: its overhead, and its recovery from deaths.

`--part` takes one of overhead, machines, million and deaths.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.processor_time import Account, account
from benchmarks.speed import machine, screenshots
from benchmarks.speed.report import table
from tests.support import object_store, pictures
from tests.support.dask_cluster import Cluster

RESULTS = Path(__file__).parent / "results"
COMMAND = (sys.executable, "-m", "service", "render", "--manifest")
# A rate is computed from the difference between a larger and a smaller manifest, which excludes the start.
FEW = 30
SMALL = ("--fast", "--set", "canvas.width=128", "--set", "canvas.height=96")
DEATHS = 12

Lines = list[str]


class FaultError(Exception):
    """A check that failed."""


@contextmanager
def cluster(
    folder: Path, workers: Collection[Collection[int]], time_of: Account | None = None
) -> Iterator[Cluster]:
    """Start a scheduler, and a worker with two threads for each set of cores."""
    cluster = Cluster(folder, {}, *(time_of.command if time_of else ()))
    try:
        cluster.scheduler()
        for cores in workers:
            cluster.worker(threads=2, cores=cores)
        yield cluster
    finally:
        cluster.close()


def manifest(folder: Path, count: int) -> Path:
    """A manifest of `count` pictures, 1920×1080 JPEG, of forty screenshots."""
    file = folder / f"{count}.jsonl"
    with file.open("w") as lines:
        for number in range(count):
            row = {"screenshot": f"shots/{number % 40}.png", "output": f"out/{count}/{number}.jpg"}
            lines.write(json.dumps(row) + "\n")
    return file


def drawn(folder: Path) -> None:
    """Forty screenshots of a phone, 0.9 MB each."""
    (folder / "shots").mkdir()
    for number in range(40):
        (folder / "shots" / f"{number}.png").write_bytes(
            screenshots.again(screenshots.drawn("phone"), number)
        )


def run(folder: Path, count: int, *options: str, wrapped: Sequence[str]) -> float:
    """The seconds that a manifest of `count` rows takes; `wrapped` is a command line that runs the command
    after it."""
    file = manifest(folder, count)
    file.with_name(f"{file.name}.receipts.jsonl").unlink(missing_ok=True)
    size = ("--device", "iphone-16-pro", "--set", "canvas.width=1920", "--set", "canvas.height=1080")
    start = time.perf_counter()
    with (folder / "driver.log").open("ab") as log:
        subprocess.run([*wrapped, *COMMAND, str(file), *size, *options], stderr=log, check=True)
    return time.perf_counter() - start


def rate(folder: Path, pictures: int, time_of: Account, dask: Cluster | None = None) -> tuple[float, float]:
    """Pictures per second, and processor milliseconds per picture, without the start."""
    options = ("--scheduler", dask.address) if dask else ()
    took = []
    for count in (FEW, FEW + pictures):
        before = time_of.seconds
        elapsed = run(folder, count, *options, wrapped=time_of.command)
        took.append((elapsed, time_of.seconds - before))
    (few, few_spent), (many, many_spent) = took
    return pictures / (many - few), (many_spent - few_spent) / pictures * 1e3


def overhead(folder: Path, rounds: int, pictures: int) -> Lines:
    """Compare the same renderers with and without Dask, in turn."""
    drawn(folder)
    cores = sorted(os.sched_getaffinity(0))
    alone, engine = [], []
    with account() as local, account() as shared, cluster(folder, [cores], shared) as dask:
        run(folder, FEW, "--scheduler", dask.address, wrapped=shared.command)
        for turn in range(rounds):
            alone.append(rate(folder, pictures, local))
            engine.append(rate(folder, pictures, shared, dask))
            print(f"  round {turn + 1}: {alone[-1]} alone, {engine[-1]} on Dask", flush=True)
    lost = [1 - other[0] / one[0] for one, other in zip(alone, engine, strict=True)]
    more = [other[1] / one[1] - 1 for one, other in zip(alone, engine, strict=True)]

    def row(name: str, figures: list[tuple[float, float]]) -> list[str]:
        rates, spans = zip(*figures, strict=True)
        return [name, f"{statistics.median(rates):.1f}", f"{statistics.median(spans):.1f}"]

    rows = [
        row(f"{len(cores)} renderers of the command itself", alone),
        row("the same on Dask, scheduler and driver on the same processors", engine),
        [
            "overhead, median of rounds (goal ≤ 8 %)",
            *(f"{statistics.median(one):.1%}" for one in (lost, more)),
        ],
        ["overhead, least and most", *(f"{min(one):.1%}, {max(one):.1%}" for one in (lost, more))],
    ]
    head = ["", "pictures a second", "processor ms a picture"]
    return ["## What the engine costs", "", *table(head, rows)]


def machines(folder: Path, rounds: int, pictures: int) -> Lines:
    """Compare one worker on one processor with two workers, each on a processor of its own."""
    drawn(folder)
    first, second = sorted(os.sched_getaffinity(0))[:2]
    ratios, found = [], []
    for turn in range(rounds):
        rates = []
        for workers in ([[first]], [[first], [second]]):
            with account() as shared, cluster(folder, workers, shared) as dask:
                run(folder, FEW, "--scheduler", dask.address, wrapped=shared.command)
                rates.append(rate(folder, pictures, shared, dask)[0])
        found.append(rates)
        ratios.append(rates[1] / rates[0])
        print(f"  round {turn + 1}: {rates[0]:.1f} by one, {rates[1]:.1f} by two", flush=True)
    rows = [
        ["pictures a second, one worker", f"{statistics.median(one for one, _ in found):.1f}"],
        [
            "two workers, scheduler and driver beside them",
            f"{statistics.median(two for _, two in found):.1f}",
        ],
        ["two / one, median of rounds (goal ≥ 1.85)", f"{statistics.median(ratios):.2f}"],
    ]
    return ["## Two machines of one processor each", "", *table(["measure", "value"], rows)]


def million(folder: Path, count: int) -> Lines:
    """Process rows whose screenshots are absent: they pass through every stage but are not rendered."""
    rows = []
    for rows_in_it in (count // 100, count):
        file = folder / f"{rows_in_it}.jsonl"
        with file.open("w") as lines:
            for number in range(rows_in_it):
                lines.write(f'{{"screenshot": "absent/{number}.png", "output": "out/{number}.png"}}\n')
        with cluster(folder, [sorted(os.sched_getaffinity(0))]) as dask:
            start = time.perf_counter()
            with (folder / "said").open("w") as said:
                driver = subprocess.Popen([*COMMAND, str(file), "--scheduler", dask.address], stderr=said)
                running = {"driver": driver, "scheduler": dask.all[0], "worker": dask.all[1]}
                peaks = dict.fromkeys(running, 0)
                while driver.poll() is None:
                    for name, process in running.items():
                        peaks[name] = max(peaks[name], _peak(process.pid))
                    time.sleep(0.2)
            spent = time.perf_counter() - start
        listed = sum(1 for line in (folder / "said").open() if ": No such file" in line)
        if listed != rows_in_it or driver.returncode != 1:
            last = (folder / "said").read_text()[-300:]
            raise FaultError(f"{listed} of {rows_in_it} rows were listed; the command's last words: {last}")
        print(f"  {rows_in_it} rows in {spent:.0f} s: {peaks}", flush=True)
        megabytes = [f"{peak / 2**20:.0f}" for peak in peaks.values()]
        rows.append([f"{rows_in_it:,}", f"{spent:.0f}", f"{spent / rows_in_it * 1e3:.2f}", *megabytes])
    head = ["rows", "seconds", "ms a row", "driver MB", "scheduler MB", "worker MB"]
    text = "Rows that render nothing, all listed as failed, and the most memory each process had, resident."
    return ["## A million rows", "", text, "", *table(head, rows)]


def _peak(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def deaths(folder: Path, count: int) -> Lines:
    """Kill workers and the scheduler every few seconds, with a store that fails one time in ten."""
    file, random_ = folder / "jobs.jsonl", random.Random(1)
    with object_store.running() as store:
        for number in range(40):
            store.put(f"/shots/{number}.png", pictures.png(60 + number, 100), {})
        store.versions.clear()
        store.nth = 10
        with file.open("w") as lines:
            for number in range(count):
                row = {"screenshot": f"s3://shots/{number % 40}.png", "output": f"s3://made/{number}.png"}
                lines.write(json.dumps(row) + "\n")
        dask = Cluster(folder, store.environment)
        try:
            with supervised(dask) as kill:
                environment = {**os.environ, **store.environment}
                with (folder / "driver.log").open("w") as log:
                    options = ["--scheduler", dask.address, *SMALL]
                    driver = subprocess.Popen([*COMMAND, str(file), *options], stderr=log, env=environment)
                killed: Counter[str] = Counter()
                for turn in range(DEATHS):
                    # Enough pictures that something is under way at each death.
                    wanted = (turn + 1) * count // (DEATHS + 1)
                    while len(store.versions) < wanted and driver.poll() is None:
                        time.sleep(0.05)
                    name = "scheduler" if turn % 4 == 3 else random_.choice(["first", "second"])
                    kill(name)
                    killed["the scheduler" if name == "scheduler" else "a worker"] += 1
                code = driver.wait(3600)
        finally:
            dask.close()
        receipts = [json.loads(line) for line in (folder / "jobs.jsonl.receipts.jsonl").open()]
        once = sum(number == 1 for number in store.versions.values())
        lines_done = Counter(one["line"] for one in receipts)
        if code or once != count or lines_done != dict.fromkeys(range(1, count + 1), 1):
            raise FaultError(f"exit code {code}, {once} published once, {len(receipts)} receipts")
        tries = store.requests["PUT"]
    rows = [
        ["rows", str(count)],
        *([f"{name} was killed and started again", f"{number} times"] for name, number in killed.items()),
        ["requests that the store failed", str(store.failed)],
        ["objects written exactly once", str(once)],
        ["receipts", str(len(receipts))],
        ["requests to write for each row", f"{tries / count:.2f}"],
    ]
    return ["## Deaths", "", *table(["measure", "value"], rows)]


@contextmanager
def supervised(dask: Cluster) -> Iterator[Callable[[str], None]]:
    """A scheduler and two workers, restarted whenever they end; yields a function that kills one."""
    starts = {"scheduler": dask.scheduler, "first": dask.worker, "second": dask.worker}
    running = {name: start() for name, start in starts.items()}
    end = threading.Event()

    def supervise() -> None:
        while not end.wait(0.2):
            for name, process in running.items():
                if process.poll() is not None:
                    running[name] = starts[name]()

    thread = threading.Thread(target=supervise)
    thread.start()
    try:
        yield lambda name: running[name].kill()
    finally:
        end.set()
        thread.join()


def main() -> None:
    """Run the parts and save the results; exits with 1 at the first fault."""
    parser = argparse.ArgumentParser(prog="make bulk", description=__doc__)
    parser.add_argument("--part", choices=("overhead", "machines", "million", "deaths"))
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows that render nothing")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pictures", type=int, default=300, help="that a rate is measured with")
    parser.add_argument("--no-save", action="store_true", help="print without saving")
    options = parser.parse_args()
    parts: dict[str, Callable[[Path], Lines]] = {
        "overhead": lambda folder: overhead(folder, options.rounds, options.pictures),
        "machines": lambda folder: machines(folder, options.rounds, options.pictures),
        "million": lambda folder: million(folder, options.rows),
        "deaths": lambda folder: deaths(folder, 2000),
    }
    now = datetime.now(UTC)
    report = [f"# Manifests on Dask, {now:%Y-%m-%d %H:%M} UTC", "", *machine.describe(), ""]
    for name, part in parts.items():
        if options.part in (None, name):
            print(f"{name} …", flush=True)
            with TemporaryDirectory() as folder:
                try:
                    lines = part(Path(folder))
                except FaultError as error:
                    sys.exit(f"{name}: {error}")
            print("\n".join(lines), flush=True)
            report += [*lines, ""]
    if not options.no_save:
        suffix = f"-{options.part}" if options.part else ""
        (RESULTS / f"{now:%Y-%m-%d}-bulk{suffix}.md").write_text("\n".join(report))


if __name__ == "__main__":
    main()
