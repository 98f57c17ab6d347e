"""The same request has the same bytes, also in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.long

EFFECTS = [
    "appearance.gradientEnabled=true",
    "postProcessing.bloom=true",
    "postProcessing.grain=true",
    "postProcessing.vignette=true",
    "deviceTransform.rotationY=-30",
    "canvas.width=500",
    "canvas.height=400",
]


@pytest.mark.parametrize("ending", ["png", "webp", "jpg"])
def test_two_processes_write_the_same_bytes(tmp_path: Path, ending: str) -> None:
    source = tmp_path / "in.png"
    rows = np.linspace(0, 255, 260)[:, None, None] * np.array([1.0, 0.6, 0.3])
    cv2.imwrite(str(source), np.broadcast_to(rows, (260, 120, 3)).astype(np.uint8))
    made = []
    for seed, threads in (("1", "1"), ("2", "2")):
        target = tmp_path / f"{seed}.{ending}"
        command = [sys.executable, "-m", "service", "render", str(source), "-o", str(target)]
        for effect in EFFECTS:
            command += ["--set", effect]
        # Neither the order of sets and dicts nor the number of threads may show.
        environment = os.environ | {"PYTHONHASHSEED": seed, "MOCKUP_RENDER_THREADS": threads}
        subprocess.run(command, check=True, env=environment, capture_output=True)
        made.append(target.read_bytes())
    assert made[0] == made[1]
