"""The time of the plate of a new pose in `fast` pictures of 960×540, from `Server-Timing`.

Servers of both revisions take turns, picture by picture.
"""

from __future__ import annotations

import base64
import http.client
import json
import statistics
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np

from benchmarks.speed.server import Served
from benchmarks.speed.trees import ROOT, serving_tree

# The devices, and their screens in pixels.
DEVICES = {"phone": ("iphone-16-pro", (1206, 2622)), "laptop": ("macbook-pro-14", (3024, 1964))}
POSES = 12
ROUNDS = 3


def measure(before: Path | None, rounds: int = ROUNDS) -> list[list[str]]:
    """Rows of a table: the device, milliseconds now and before, and their ratio."""
    trees = [ROOT, *([before.resolve()] if before else [])]
    rows = []
    with ExitStack() as stack:
        servers = [stack.enter_context(serving_tree(tree, 1)) for tree in trees]
        for name, (device, size) in DEVICES.items():
            times: list[list[float]] = [[] for _ in servers]
            for number in range(1 + rounds * POSES):
                body = _asked(device, size, number)
                for found, served in zip(times, servers, strict=True):
                    found.append(_plate(served, body))
            # The first picture is left out, because the server loads the device for it.
            now, *then = (statistics.median(found[1:]) for found in times)
            compared = [f"{then[0]:.1f}", f"{now / then[0]:.2f}"] if then else ["–", "–"]
            rows.append([name, f"{now:.1f}", *compared])
    return rows


def _asked(device: str, size: tuple[int, int], number: int) -> bytes:
    width, height = size
    shot = cv2.imencode(".png", np.full((height, width, 3), 200, np.uint8))[1].tobytes()
    pose = {"rotationX": 8 + number / 9, "rotationY": -25 + number / 3}
    settings = {"device": device, "canvas": {"width": 960, "height": 540}, "deviceTransform": pose}
    source = {"type": "base64", "src": base64.b64encode(shot).decode()}
    return json.dumps(
        {"type": "screenshot", "screenshot": source, "settings": settings, "fast": True}
    ).encode()


def _plate(served: Served, body: bytes) -> float:
    """How long the plate took, ms."""
    connection = http.client.HTTPConnection(served.address.removeprefix("http://"), timeout=60)
    try:
        headers = {"Authorization": f"Bearer {served.keys[0]}", "Content-Type": "application/json"}
        connection.request("POST", "/api/v1/mockup?output=raw", body, headers)
        response = connection.getresponse()
        data = response.read()
    finally:
        connection.close()
    if response.status != 200:
        raise RuntimeError(f"{response.status}: {data[:200]!r}")
    entries = (entry.strip().split(";dur=") for entry in response.headers["Server-Timing"].split(","))
    return next(float(entry[1]) for entry in entries if entry[0] == "plate")
