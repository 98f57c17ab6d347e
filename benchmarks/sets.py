"""`make sets`: a store set of ten screens, twelve locales and three sizes, drawn whole and then unchanged."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.processor_time import account
from benchmarks.speed import machine, screenshots
from benchmarks.speed.report import table

RESULTS = Path(__file__).parent / "results"
COMMAND = (sys.executable, "-m", "service", "set")
SCREENS = 10
TEXTS = {
    "en-US": "Plan your day in a minute",
    "de-DE": "Plane deinen Tag in einer Minute",
    "fr-FR": "Planifiez votre journée en une minute",
    "es-ES": "Planifica tu día en un minuto",
    "pt-BR": "Planeje seu dia em um minuto",
    "ru": "Спланируйте день за минуту",
    "ja": "1分で一日を計画しよう",
    "ko": "1분 만에 하루를 계획하세요",
    "zh-Hans": "一分钟规划你的一天",
    "ar-SA": "خطط ليومك في دقيقة",
    "hi": "एक मिनट में अपना दिन तय करें",
    "th": "วางแผนวันของคุณในหนึ่งนาที",
}
SIZES = (
    {"name": "iphone", "preset": "app-store-6.9", "device": "iphone-16-pro-max"},
    {"name": "ipad", "preset": "app-store-ipad-13", "device": "ipad-pro-13-m4"},
    {"name": "play", "preset": "play-phone", "device": "pixel-9-pro", "layout": "supply"},
)
SAMPLES = {"iphone": "phone", "ipad": "tablet", "play": "android"}
SETTINGS = {
    "appearance": {"gradientEnabled": True, "backgroundColor": "#DCE8FF", "gradientColor": "#F7E3D4"},
    "deviceTransform": {"scale": 0.86, "positionY": -0.12},
    "captions": [{"y": 0.04, "font": {"size": 0.075, "weight": 700}, "overflow": "shrink"}],
    "export": {"store": "apple"},
}


def written(folder: Path) -> Path:
    """A set in a folder, with a screenshot for each locale, screen and size."""
    for size, sample in SAMPLES.items():
        data = screenshots.drawn(sample)
        for at, locale in enumerate(TEXTS):
            place = folder / "shots" / size / locale
            place.mkdir(parents=True)
            for number in range(SCREENS):
                (place / f"screen-{number}.png").write_bytes(screenshots.again(data, at * SCREENS + number))
    play = {"export": {"store": "play"}}
    content = {
        "output": "out",
        "screenshot": "shots/{size}/{locale}/{screen}.png",
        "locales": list(TEXTS),
        "settings": SETTINGS,
        "screens": [
            {
                "name": f"screen-{number}",
                "captions": [{locale: f"{text} {number + 1}" for locale, text in TEXTS.items()}],
            }
            for number in range(SCREENS)
        ],
        "sizes": [{**size, "settings": play} if size["name"] == "play" else size for size in SIZES],
    }
    file = folder / "set.json"
    file.write_text(json.dumps(content, ensure_ascii=False))
    return file


def measured(command: Sequence[str], time_of: Sequence[str]) -> float:
    """Seconds that a command takes; exits if it fails."""
    begun = time.perf_counter()
    done = subprocess.run([*time_of, *command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit((done.stderr or done.stdout)[-2000:])
    return time.perf_counter() - begun


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(prog="make sets", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-save", action="store_true", help="print without saving")
    options = parser.parse_args()
    now = datetime.now(UTC)
    report = [f"# Store sets, {now:%Y-%m-%d %H:%M} UTC", "", *machine.describe(), ""]
    count = SCREENS * len(TEXTS) * len(SIZES)
    report += [
        f"`mockup set` with {SCREENS} screens, {len(TEXTS)} locales and {len(SIZES)} sizes: {count} PNG",
        "files, each with a caption and from a screenshot of its own. The second run finds nothing changed.",
        f"Medians of {options.rounds} rounds, starts included; processor time is that of all processes.",
        "",
    ]
    found: dict[str, list[tuple[float, float]]] = {"all": [], "unchanged": []}
    with ExitStack() as ends:
        time_of = ends.enter_context(account())
        for _ in range(options.rounds):
            with TemporaryDirectory() as folder:
                file = written(Path(folder))
                for name in found:
                    before = time_of.seconds
                    wall = measured([*COMMAND, str(file), "--quiet"], time_of.command)
                    found[name].append((wall, time_of.seconds - before))
                    print(f"  {name}: {wall:.1f} s, processor {found[name][-1][1]:.1f} s", flush=True)
    rows = []
    for name, rounds in found.items():
        wall, processor = (statistics.median(values) for values in zip(*rounds, strict=True))
        rows.append([name, f"{wall:.1f}", f"{processor:.1f}", f"{count / wall:.1f}"])
    cores = len(os.sched_getaffinity(0))
    report += table(["run", "s", "processor s", f"pictures a second on {cores} cores"], rows)
    print("\n".join(report))
    if not options.no_save:
        (RESULTS / f"{now:%Y-%m-%d}-sets.md").write_text("\n".join(report) + "\n")


if __name__ == "__main__":
    main()
