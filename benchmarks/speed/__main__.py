"""Measures the engine against its peers, then the HTTP server under load; prints and saves a table."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.speed import decoding, load, machine, race, report, sizes
from benchmarks.speed.cases import Case, cases
from benchmarks.speed.contender import Contender
from benchmarks.speed.peers import contenders
from benchmarks.speed.sketch import sketch
from service.codec import header

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOT = ROOT / "frames" / "samples" / "screenshot.png"
RESULTS = ROOT / "benchmarks" / "results"


def main() -> int:
    options = _options()
    screenshot = options.screenshot.read_bytes()
    facts = header.read(screenshot)
    lines = [f"# Speed, {datetime.now(UTC):%Y-%m-%d}", "", *machine.describe()]
    lines += [
        f"- screenshot: {facts.width}×{facts.height} {facts.format.upper()}, {len(screenshot) / 1e3:.0f} kB"
    ]
    _show(lines)
    if options.part in ("all", "engine"):
        lines += _race(screenshot, (facts.width, facts.height), options.quick)
    if options.part in ("all", "decode"):
        found = [
            "",
            "## Decoding, median ms",
            "",
            *decoding.measure(decoding.screenshots(options.screenshot)),
        ]
        _show(found)
        lines += found
    if options.part in ("all", "load"):
        found = load.measure(screenshot, options.quick)
        _show(found)
        lines += found
    if not options.no_save:
        name = f"{datetime.now(UTC):%Y-%m-%d}-speed{'' if options.part == 'all' else '-' + options.part}.md"
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"\nsaved {(RESULTS / name).relative_to(ROOT)}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench ARGS=...", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three cases and two loads, two minutes")
    parser.add_argument("--part", choices=("all", "engine", "decode", "load"), default="all")
    parser.add_argument(
        "--screenshot", type=Path, default=SCREENSHOT, help="another screenshot than the sample"
    )
    parser.add_argument("--no-save", action="store_true", help="print the tables alone")
    return parser.parse_args()


def _race(screenshot: bytes, size: tuple[int, int], quick: bool) -> list[str]:
    everybody = contenders()
    missing = race.absentees(everybody)
    present = [contender for contender in everybody if contender.name not in missing]
    results: report.Results = {}
    started = time.perf_counter()
    with ExitStack() as stack:
        for contender in present:
            contender.open(screenshot)
            stack.callback(contender.close)
        race.warm_up(present, sketch(Case(640, 360, "png"), size))
        for case in cases(quick):
            results[case] = race.run(present, sketch(case, size))
            # The clock in the margin shows that it goes on.
            print(f"{time.perf_counter() - started:5.0f} s  {case.name}", file=sys.stderr)
        compared = sizes.measure(screenshot, quick)
    lines = ["", "## One picture at a time", "", *field(present, missing)]
    lines += ["", *report.goal_table(report.goals(results)), *report.medians(results)]
    lines += ["", "### Where the time goes", "", *report.stages(results)]
    lines += ["", "### Size of PNG files", "", *compared]
    _show(lines)
    return lines


def field(present: list[Contender], missing: dict[str, str]) -> list[str]:
    rows = [f"- {contender.name}: {contender.note}" for contender in present]
    return rows + [f"- {name}: **absent**, {reason}" for name, reason in missing.items()]


def _show(lines: list[str]) -> None:
    print("\n".join(lines), flush=True)


if __name__ == "__main__":
    sys.exit(main())
