"""The plate of a new pose as a live page asks for it: `fast`, 960×540; also run by itself in another tree.

The code of another revision and this one's take turns, in processes of their own.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

from service.clock import Clock
from service.engine.request import prepare
from service.engine.studio import Studio
from service.models.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DEVICES = {"phone": "iphone-16-pro", "laptop": "macbook-pro-14"}
POSES = 12
ROUNDS = 3


def measure(before: Path | None, rounds: int = ROUNDS) -> list[list[str]]:
    """Rows of a table: the device, milliseconds now and before, and their ratio."""
    trees = [ROOT, *([before] if before else [])]
    found: dict[Path, dict[str, list[float]]] = {tree: {name: [] for name in DEVICES} for tree in trees}
    for _ in range(rounds):
        for tree in trees:
            for name, times in _run(tree).items():
                found[tree][name] += times
    rows = []
    for name in DEVICES:
        now, *then = (statistics.median(found[tree][name]) for tree in trees)
        rows.append(
            [name, f"{now:.1f}", *([f"{then[0]:.1f}", f"{now / then[0]:.2f}"] if then else ["–", "–"])]
        )
    return rows


def _run(tree: Path) -> dict[str, list[float]]:
    done = subprocess.run(
        [sys.executable, "-P", __file__],
        env={**os.environ, "PYTHONPATH": str(tree)},
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    )
    times: dict[str, list[float]] = json.loads(done.stdout)
    return times


def main() -> None:
    """Print the times of each device, ms, as JSON."""
    studio = Studio()
    studio.warm_up()
    found = {}
    for name, device in DEVICES.items():
        size = (2622, 1206) if name == "phone" else (1964, 3024)
        shot = cv2.imencode(".png", np.full((*size, 3), 200, np.uint8))[1].tobytes()
        times = []
        for number in range(1 + POSES):
            clock = Clock()
            pose = {"rotationX": 8 + number / 3, "rotationY": -25 + number}
            given = {"device": device, "canvas": {"width": 960, "height": 540}, "deviceTransform": pose}
            studio.render(prepare(shot, Settings.model_validate(given), fast=True), clock)
            times.append(clock.stages["plate"])
        found[name] = times[1:]
    studio.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
