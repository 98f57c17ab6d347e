"""Measures the service against its peers, decoding, poses, files and load; prints and saves tables."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.speed import decoding, folder, load, machine, poses, race, report, sizes
from benchmarks.speed.cases import Case, cases
from benchmarks.speed.contender import Contender
from benchmarks.speed.peers import contenders
from benchmarks.speed.screenshots import SAMPLES, drawn
from benchmarks.speed.sketch import sketch
from service.codec import header

ROOT = Path(__file__).resolve().parents[2]
FLAT = ROOT / "frames" / "samples" / "screenshot.png"
RESULTS = ROOT / "benchmarks" / "results"
PARTS = ("engine", "decode", "poses", "files", "load")
# The sample for the load tests.
LOADED = ("phone", "android")


def main() -> int:
    options = _options()
    screenshot = options.screenshot.read_bytes() if options.screenshot else drawn("phone")
    facts = header.read(screenshot)
    lines = [f"# Speed, {datetime.now(UTC):%Y-%m-%d}", "", *machine.describe()]
    lines += [
        f"- screenshot: {facts.width}×{facts.height} {facts.format.upper()}, {len(screenshot) / 1e3:.0f} kB"
    ]
    _show(lines)
    samples = {name: drawn(name) for name in SAMPLES}
    if options.screenshots:
        real = sorted(options.screenshots.glob("*.png"))
        samples |= {f"real {file.stem}": file.read_bytes() for file in real}
    for part in PARTS if options.part == "all" else (options.part,):
        lines += _measured(part, screenshot, samples, options)
    if not options.no_save:
        name = f"{datetime.now(UTC):%Y-%m-%d}-speed{'' if options.part == 'all' else '-' + options.part}.md"
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"\nsaved {(RESULTS / name).relative_to(ROOT)}")
    return 0


def _measured(
    part: str, screenshot: bytes, samples: dict[str, bytes], options: argparse.Namespace
) -> list[str]:
    """The lines of one part, which are printed as soon as they are known."""
    quick = options.quick
    match part:
        case "engine":
            facts = header.read(screenshot)
            return _race(screenshot, (facts.width, facts.height), quick)
        case "decode":
            found = ["", "## Decoding, median ms", "", *decoding.measure(samples, 5 if quick else 15)]
        case "poses":
            rows = poses.measure(options.before, 1 if quick else 3)
            head = ["plate of a new pose, `fast`, 960×540", "now, ms", "before, ms", "now / before"]
            found = ["", "## A live page", "", *report.table(head, rows)]
        case "files":
            lines, goals = folder.measure(screenshot, 1 if quick else 3)
            found = ["", "## Files", "", *lines, "", *report.goal_table(goals)]
        case _:
            chosen = {name: data for name, data in samples.items() if any(one in name for one in LOADED)}
            chosen["flat drawing"] = FLAT.read_bytes()
            found = load.measure(screenshot, chosen, quick, options.before)
    _show(found)
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench ARGS=...", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer cases, loads and rounds: five minutes")
    parser.add_argument("--part", choices=("all", *PARTS), default="all")
    parser.add_argument("--screenshot", type=Path, help="another screenshot than the drawn one of a phone")
    parser.add_argument(
        "--screenshots", type=Path, metavar="FOLDER", help="real screenshots, PNG, beside the drawn ones"
    )
    parser.add_argument(
        "--before", type=Path, metavar="TREE", help="a checkout of another revision, to be measured in turns"
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
            # The time shows that the run is making progress.
            print(f"{time.perf_counter() - started:5.0f} s  {case.name}", file=sys.stderr)
        compared = sizes.measure(screenshot, quick)
    lines = ["", "## One picture at a time", "", *field(present, missing)]
    lines += ["", *report.goal_table(report.goals(results)), "", *report.against_browser(results)]
    lines += report.medians(results)
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
