"""`make films`: films of a page recorded in Chromium, on a phone and a laptop that move in several ways."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.films.beside import beside
from benchmarks.films.browser import captured
from benchmarks.films.fidelity import apart
from benchmarks.films.floor import floor
from benchmarks.films.made import halves, made
from benchmarks.films.recorded import DEVICES, FPS, recording
from benchmarks.processor_time import Account, account
from benchmarks.speed import machine
from benchmarks.speed.report import table

RESULTS = Path(__file__).parent.parent / "results"
PHONE = "iphone-16-pro"
# Moves, the seconds that each film lasts, and whether it is a loop.
MOVES = {"still": (15, False), "tilt-in": (15, False), "float": (12, True), "turntable": (12, False)}
# Goal on two cores, as a multiple of real time.
GOALS = {
    (PHONE, "still"): 1.5,
    (PHONE, "tilt-in"): 1.3,
    (PHONE, "float"): 1.2,
    (PHONE, "turntable"): 0.8,
    ("macbook-air-13-m3", "still"): 1.2,
    ("macbook-air-13-m3", "tilt-in"): 1.0,
    ("macbook-air-13-m3", "float"): 1.0,
    ("macbook-air-13-m3", "turntable"): 0.5,
}
SHORT_S = 3.0  # length of recordings where it does not matter
BROWSER_FRAMES = 45


class Bench:
    """The sections of the report; `share` scales the films' lengths."""

    def __init__(self, folder: Path, spent: Account, recordings: Path, options: argparse.Namespace) -> None:
        self._folder, self._account, self._recordings, self._options = folder, spent, recordings, options

    def speed(self) -> list[str]:
        """Measure how quickly films are made."""
        rows, cores = [], len(os.sched_getaffinity(0))
        for device in self._options.devices:
            longest = max(MOVES[move][0] for move in self._options.moves) * self._options.share
            source = recording(self._recordings, DEVICES[device], longest)
            for move in self._options.moves:
                seconds, loop = MOVES[move]
                more = ("--seamless",) if loop else ()
                target = self._folder / "film.mp4"
                one = made(self._account, source, device, move, seconds * self._options.share, target, *more)
                least = floor(self._account, source, target, one.frames)
                row = [
                    device,
                    move,
                    f"{one.length:.1f}",
                    f"{one.wall:.1f}",
                    f"{one.spent / one.frames * 1e3:.0f}",
                    f"{least * 1e3:.0f}",
                ]
                row += [f"{one.length / one.wall:.2f}", f"{one.length * cores / one.spent:.2f}"]
                rows.append([*row, f"{GOALS[device, move]:g}", f"{max(one.memory):.0f}"])
                print("  " + ", ".join(rows[-1]), flush=True)
        head = [
            "device",
            "move",
            "length, s",
            "took, s",
            "processor ms a frame",
            "of them codecs",
            "real time",
            "at most",
            "wanted",
        ]
        said = [
            f"{FPS} frames a second, H.264, of recordings as long as the films, with starts. Processor time",
            "and memory are those of all processes. *Of them codecs* is the time to decode the recording and",
            "to encode the finished frames again in the same run, because the speed of machines varies.",
            "*Real time* is the film's length by the time it took;",
            f"*at most*, by what it would take if {cores} cores had nothing else to do and were never idle.",
        ]
        return ["## Speed", "", *said, "", *table([*head, "memory, MB"], rows), ""]

    def memory(self) -> list[str]:
        """Measure whether a film of a minute takes more memory than its first seconds."""
        rows = []
        for device in self._options.devices:
            source = recording(self._recordings, DEVICES[device], SHORT_S)
            for move in ("still", "float"):
                more = ("--set", "recording.after=repeat", *(["--seamless"] if MOVES[move][1] else []))
                target = self._folder / "film.mp4"
                one = made(self._account, source, device, move, 60 * self._options.share, target, *more)
                first, second = halves(one.memory)
                row = [device, move, f"{one.length:.0f}", f"{first:.0f}", f"{second:.0f}"]
                rows.append([*row, f"{max(one.memory):.0f}"])
                print("  " + ", ".join(rows[-1]), flush=True)
        head = ["device", "move", "length, s", "first half, MB", "second half, MB", "most, MB"]
        return ["## Memory", "", "Of all processes; shared pages count once.", "", *table(head, rows), ""]

    def fidelity(self) -> list[str]:
        """Measure how far frames differ from single pictures."""
        rows = []
        for device in self._options.devices:
            source = recording(self._recordings, DEVICES[device], SHORT_S)
            for move, video in (("still", False), ("float", False), ("turntable", False), ("float", True)):
                one = apart(self._account, source, device, move, self._folder, video=video)
                values = one.mean, one.most, one.box, one.flicker, one.worst
                rows.append(
                    [device, move, "H.264" if video else "PNG", *(f"{value:.2f}" for value in values)]
                )
                print("  " + ", ".join(rows[-1]), flush=True)
        head = ["device", "move", "frames as", "mean", "p99", "p99 at the device", "flicker", "flicker, p99"]
        said = "Levels of 255 between frames and single pictures; flicker is between their changes."
        return ["## Fidelity", "", said, "", *table(head, rows), ""]

    def beside(self) -> list[str]:
        """Measure how long pictures take while a film is made."""
        source = recording(self._recordings, DEVICES[PHONE], SHORT_S)
        one = beside(source, self._folder)
        rows = [
            [name, *(f"{value:.0f}" for value in pair)]
            for name, pair in (("alone", one.alone), ("beside", one.beside))
        ]
        ratio = f"p95 beside a film is {one.beside[1] / one.alone[1]:.2f} of that alone."
        print("  " + ratio, flush=True)
        head = ["pictures", "p50, ms", "p95, ms"]
        return ["## Pictures beside a film", "", *table(head, rows), "", ratio, ""]

    def browser(self) -> list[str]:
        """Measure a page in Chromium that is captured frame by frame."""
        source = recording(self._recordings, DEVICES[PHONE], SHORT_S)
        theirs, their_cpu = captured(self._account, source, self._folder / "film.mp4", BROWSER_FRAMES)
        seconds = 12 * self._options.share
        one = made(
            self._account, source, PHONE, "float", seconds, self._folder / "film.mp4", "--seamless",
            "--set", "recording.after=repeat",
        )  # fmt: skip
        ours, our_cpu = one.wall / one.frames, one.spent / one.frames
        rows = [
            [name, *(f"{value * 1e3:.0f}" for value in pair)]
            for name, pair in (("Chromium", (theirs, their_cpu)), ("`float`", (ours, our_cpu)))
        ]
        rows.append(["Chromium, times ours", f"{theirs / ours:.1f}", f"{their_cpu / our_cpu:.1f}"])
        print("  " + ", ".join(rows[-1]), flush=True)
        said = (
            "A page with CSS 3D that plays the recording; each frame is a screenshot. Our start is included."
        )
        head = ["", "ms a frame", "processor ms a frame"]
        return ["## Against a browser", "", said, "", *table(head, rows), ""]


SECTIONS: dict[str, Callable[[Bench], list[str]]] = {
    "speed": Bench.speed,
    "memory": Bench.memory,
    "fidelity": Bench.fidelity,
    "beside": Bench.beside,
    "browser": Bench.browser,
}


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="make films", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the films' lengths")
    parser.add_argument("--devices", nargs="*", default=list(DEVICES))
    parser.add_argument("--moves", nargs="*", default=list(MOVES))
    parser.add_argument("--sections", nargs="*", default=list(SECTIONS), choices=list(SECTIONS))
    parser.add_argument("--recordings", type=Path, help="a folder that keeps recordings for the next time")
    parser.add_argument("--no-save", action="store_true", help="print without saving")
    options = parser.parse_args()
    now = datetime.now(UTC)
    report = [f"# Films, {now:%Y-%m-%d %H:%M} UTC", "", *machine.describe(), ""]
    report += ["1920 × 1080, of a page recorded in Chromium.", ""]
    with ExitStack() as ends:
        folder = Path(ends.enter_context(TemporaryDirectory()))
        recordings = options.recordings or folder
        recordings.mkdir(parents=True, exist_ok=True)
        bench = Bench(folder, ends.enter_context(account()), recordings, options)
        for name in options.sections:
            print(name, flush=True)
            report += SECTIONS[name](bench)
    print("\n".join(report))
    if not options.no_save:
        (RESULTS / f"{now:%Y-%m-%d}-films.md").write_text("\n".join(report).rstrip() + "\n")


if __name__ == "__main__":
    main()
