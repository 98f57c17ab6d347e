"""The time that a user's pictures take, with and without a film being made."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.support import pictures
from tests.support.live import Live, running

COUNT = 80
CANVAS = {"width": 1200, "height": 900}


@dataclass(frozen=True)
class Beside:
    """The 50th and 95th percentiles of pictures alone and during a film, ms."""

    alone: tuple[float, float]
    beside: tuple[float, float]


def beside(source: Path, folder: Path) -> Beside:
    """Measure pictures of two devices in many poses, one after another."""
    with running(folder, RATE_LIMIT="100000") as live:
        key = live.key()
        _times(live, key, 8)
        alone = _times(live, key, COUNT)
        sent = live.send(
            "POST", "/api/v1/recordings", source.read_bytes(), key=key, headers={"Content-Type": "video/mp4"}
        )
        film = {
            "recording": {"type": "upload", "src": sent.json["id"], "after": "repeat"},
            "settings": {"device": "iphone-16-pro", "canvas": {"preset": "full-hd"}},
            "motion": {"duration": 60, "fps": 30, "move": {"name": "turntable"}},
            "export": {"format": "mp4"},
        }
        id = live.send("POST", "/api/v1/films", film, key=key).json["id"]
        _begun(live, key, id)
        beside = _times(live, key, COUNT)
        status = live.send("GET", f"/api/v1/films/{id}", key=key).json["status"]
        if status != "running":
            raise SystemExit(f"the film was {status} before the pictures were made")
        live.send("DELETE", f"/api/v1/films/{id}", key=key)
    return Beside(alone, beside)


def _begun(live: Live, key: str, id: str) -> None:
    for _ in range(600):
        told = live.send("GET", f"/api/v1/films/{id}", key=key).json
        if told["frame"] > 2:
            return
        time.sleep(0.1)
    raise SystemExit("the film did not begin")


def _times(live: Live, key: str, count: int) -> tuple[float, float]:
    found = []
    for number in range(count):
        settings = {"device": ("iphone-16-pro", "pixel-9-pro")[number % 2], "canvas": CANVAS}
        settings["deviceTransform"] = {"rotationY": number % 20}
        body = {"type": "screenshot", "screenshot": {"type": "base64", "src": pictures.text()}}
        begun = time.perf_counter()
        answer = live.send("POST", "/api/v1/mockup", {**body, "settings": settings}, key=key)
        assert answer.status == 200, answer.body
        found.append((time.perf_counter() - begun) * 1e3)
    return float(np.percentile(found, 50)), float(np.percentile(found, 95))
