"""Puts small faults into the code, one at a time, and reports which ones the tests notice.

A seed chooses the sample, which is the same for the same code. Each fault is judged by the tests named for
its file, in a copy of the tree. Faults that make no difference to any caller are excluded, with the reason.
"""

from __future__ import annotations

import argparse
import platform
import queue
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from benchmarks.mutants import ROOT
from benchmarks.mutants.explained import EXPLAINED, reason
from benchmarks.mutants.faults import Fault, faults
from benchmarks.mutants.judge import CAUGHT, LATE, MISSED, UNJUDGED, Judge
from benchmarks.mutants.targets import Target, targets
from service.system.container import cpus

RESULTS = ROOT / "benchmarks" / "results"


@dataclass(frozen=True)
class Case:
    """A fault in a target's file, and the tests' verdict."""

    target: Target
    fault: Fault
    result: str = ""

    @property
    def line(self) -> str:
        return _lines(self.target)[self.fault.line - 1].strip()

    @property
    def reason(self) -> str:
        """The reason why the fault may go unnoticed; empty if there is none."""
        return reason(self.target.file, self.line, self.fault.before)

    def __str__(self) -> str:
        return f"service/{self.target.file}:{self.fault.line}: {self.fault}"


# Cached, so that work on the tree does not change the sample.
@cache
def source(target: Target) -> str:
    return (ROOT / "service" / target.file).read_text()


@cache
def _lines(target: Target) -> list[str]:
    return source(target).splitlines()


def sampled(targets: list[Target], count: int, seed: int) -> tuple[list[Case], Counter[str]]:
    """About `count` cases, spread evenly over the files, and how many each file could have."""
    possible: dict[Target, list[Fault]] = {}
    for target in sorted(targets, key=lambda target: target.file):
        every = [Case(target, fault) for fault in faults(source(target))]
        if found := [case.fault for case in every if not case.reason]:
            possible[target] = found
    draw, files = random.Random(seed), list(possible)
    # One file at random of each `count`-th part of them; if there are fewer files, each comes more than once.
    shares = Counter(files[int((part + draw.random()) * len(files) / count)] for part in range(count))
    cases = [
        Case(target, fault)
        for target, share in shares.items()
        for fault in draw.sample(possible[target], min(share, len(possible[target])))
    ]
    return cases, Counter({target.file: len(all_of) for target, all_of in possible.items()})


def judged(cases: list[Case], jobs: int) -> list[Case]:
    """The cases, with the tests' verdict on each."""
    todo: queue.SimpleQueue[Case] = queue.SimpleQueue()
    # In random order, so that the first results are representative.
    for case in random.Random(0).sample(cases, len(cases)):
        todo.put(case)
    done: list[Case] = []
    lock = threading.Lock()

    def work() -> None:
        with Judge() as judge:
            while True:
                try:
                    case = todo.get_nowait()
                except queue.Empty:
                    return
                text = case.fault.put(source(case.target))
                verdict = judge.verdict(case.target.file, text, case.target.tests)
                with lock:
                    done.append(Case(case.target, case.fault, verdict.result))
                    print(
                        f"{len(done)}/{len(cases)} {verdict.result:10} {verdict.seconds:5.1f} s {case}"
                        f" {verdict.failed}",
                        flush=True,
                    )

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(done, key=lambda case: (case.target.file, case.fault.start, case.fault.after))


def report(done: list[Case], possible: Counter[str], seed: int, seconds: float) -> str:
    """The result as a page."""
    verdicts = Counter(case.result for case in done)
    noticed, missed = verdicts[CAUGHT] + verdicts[LATE], verdicts[MISSED]
    now = datetime.now(UTC)
    lines = [
        f"# Mutants of {now:%Y-%m-%d %H:%M} UTC",
        "",
        f"Python {platform.python_version()}, seed {seed}, {seconds / 60:.0f} min. "
        f"{noticed} of {noticed + missed} faults were noticed by the tests: "
        f"{100 * noticed / max(noticed + missed, 1):.1f} %. {verdicts[UNJUDGED]} more were not judged.",
        "",
        "| file | faults | sampled | caught | timed out | missed | not judged |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for file in sorted({case.target.file for case in done}):
        results = Counter(case.result for case in done if case.target.file == file)
        figures = [
            possible[file],
            results.total(),
            *(results[name] for name in (CAUGHT, LATE, MISSED, UNJUDGED)),
        ]
        lines.append(f"| `{file}` | " + " | ".join(map(str, figures)) + " |")
    for title, result in (("Missed", MISSED), ("Not judged", UNJUDGED)):
        lines += ["", f"## {title}", ""]
        lines += [
            f"- `service/{case.target.file}`, `{case.line}`: {case.fault}"
            for case in done
            if case.result == result
        ] or ["None."]
    lines += ["", "## Left out", "", "Faults that make no difference to any caller, with the reason:", ""]
    for file, line, before, why in EXPLAINED:
        lines.append(f"- `service/{file}`, `{line}`{f', `{before}`' if before else ''}: {why}")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="about how many faults (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="which of them (default: 1)")
    parser.add_argument("--only", default="", help="files whose path has this in it")
    parser.add_argument("--jobs", type=int, default=cpus(), help="side by side (default: processors)")
    parser.add_argument("--no-save", action="store_true", help="print and save nothing")
    options = parser.parse_args()
    begun = time.monotonic()
    tried = [target for target in targets() if options.only in target.file]
    cases, possible = sampled(tried, options.count, options.seed)
    page = report(judged(cases, options.jobs), possible, options.seed, time.monotonic() - begun)
    print(page)
    if not options.no_save and not options.only:
        (RESULTS / f"{datetime.now(UTC):%Y-%m-%d}-mutants.md").write_text(page)


if __name__ == "__main__":
    main()
