"""`make films`: films of a page recorded in Chromium, on a phone and a laptop that move in several ways."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from benchmarks.processor_time import account
from benchmarks.speed import machine
from benchmarks.speed.peers.devtools import program
from benchmarks.speed.report import table

RESULTS = Path(__file__).parent / "results"
FPS = 30
# Devices, and the width, height and scale of the page that is recorded for each.
DEVICES = {"iphone-16-pro": (402, 874, 3), "macbook-air-13-m3": (1280, 832, 2)}
# Moves, the seconds that each film lasts, and whether it is a loop.
MOVES = {"still": (15, False), "tilt-in": (15, False), "float": (12, True), "turntable": (12, False)}
PAGE = """<!doctype html><style>
body { margin: 0; font: 17px/1.5 sans-serif; background: #f4f5f8; color: #1c2026 }
section { margin: 16px; padding: 16px; border-radius: 16px; background: #fff; box-shadow: 0 2px 8px #0002 }
section div { height: 160px; border-radius: 10px; margin-bottom: 12px }
</style><script>
for (let n = 0; n < 40; n++) {
  const turn = n * 47 % 360;
  document.write(`<section><div style="background: linear-gradient(120deg, hsl(${turn} 70% 60%),
    hsl(${turn + 60} 70% 45%))"></div><b>Entry ${n + 1}</b><br>A line of text that is read while it moves,
    and another one below it.</section>`);
}
</script>"""
STEP = 9  # px that the page is scrolled a frame


def recorded(folder: Path, size: tuple[int, int, int], seconds: float) -> Path:
    """A recording of the page as it is scrolled, H.264."""
    width, height, scale = size
    path = folder / f"{width}.mp4"
    even = "crop=trunc(iw/2)*2:trunc(ih/2)*2"
    command = [
        "ffmpeg",
        "-y",
        "-loglevel",
        "error",
        "-f",
        "image2pipe",
        "-r",
        str(FPS),
        "-i",
        "-",
        "-vf",
        even,
    ]
    command += ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", str(path)]
    with sync_playwright() as playwright, subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=scale)
        page.set_content(PAGE)
        for number in range(round(seconds * FPS)):
            page.evaluate(f"scrollTo(0, {number * STEP})")
            encoder.stdin.write(page.screenshot(type="jpeg", quality=95))
        browser.close()
        encoder.stdin.close()
    return path


def made(
    recording: Path, device: str, move: str, seconds: float, target: Path, time_of: tuple[str, ...]
) -> int:
    """Make a film; how many frames it has."""
    command = [sys.executable, "-m", "service", "film", str(recording), "-o", str(target), "--json"]
    command += ["--device", device, "--move", move, "--fps", str(FPS), "--duration", str(seconds)]
    command += ["--set", "canvas.preset=full-hd", "--set", "recording.after=bounce"]
    command += ["--seamless"] if MOVES[move][1] else []
    done = subprocess.run([*time_of, *command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return int(json.loads(done.stdout)["frames"])


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="make films", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the films' lengths")
    parser.add_argument("--devices", nargs="*", default=list(DEVICES))
    parser.add_argument("--moves", nargs="*", default=list(MOVES))
    parser.add_argument("--no-save", action="store_true", help="print without saving")
    options = parser.parse_args()
    now, cores = datetime.now(UTC), len(os.sched_getaffinity(0))
    report = [f"# Films, {now:%Y-%m-%d %H:%M} UTC", "", *machine.describe(), ""]
    report += [
        f"1920 × 1080, {FPS} frames a second, H.264, of a page recorded in Chromium; starts included.",
        "Processor time is that of all processes. *Real time* is the film's length by the time it took;",
        f"*at most*, by what it would take if {cores} cores had nothing else to do and were never idle.",
        "",
    ]
    rows = []
    with ExitStack() as ends:
        folder = Path(ends.enter_context(TemporaryDirectory()))
        time_of = ends.enter_context(account())
        for device in options.devices:
            recording = recorded(folder, DEVICES[device], 3)
            for move in options.moves:
                seconds = MOVES[move][0] * options.share
                before, begun = time_of.seconds, time.perf_counter()
                frames = made(recording, device, move, seconds, folder / "film.mp4", time_of.command)
                wall, spent = time.perf_counter() - begun, time_of.seconds - before
                length = frames / FPS
                row = [device, move, f"{length:.1f}", f"{wall:.1f}", f"{spent / frames * 1e3:.0f}"]
                row += [f"{length / wall:.2f}", f"{length * cores / spent:.2f}"]
                rows.append(row)
                print("  " + ", ".join(row), flush=True)
    head = ["device", "move", "length, s", "took, s", "processor ms a frame", "real time", "at most"]
    report += table(head, rows)
    print("\n".join(report))
    if not options.no_save:
        (RESULTS / f"{now:%Y-%m-%d}-films.md").write_text("\n".join(report) + "\n")


if __name__ == "__main__":
    main()
