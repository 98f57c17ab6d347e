"""The size of our PNG files relative to OpenCV's at level 1, and the similarity of `fast` pictures."""

from __future__ import annotations

from contextlib import closing

import cv2
import numpy as np

from benchmarks.measures import ssim_map
from benchmarks.speed.cases import Case
from benchmarks.speed.report import table
from benchmarks.speed.requests import request
from service.clock import Clock
from service.codec import header
from service.codec.decode import decode
from service.engine.studio import Studio

HEAD = (
    "picture",
    "ours kB",
    "OpenCV level 1 kB",
    "ours / OpenCV's (goal ≤ 1.10)",
    "SSIM of `fast` (goal ≥ 0.95)",
)


def measure(screenshot: bytes, quick: bool) -> list[str]:
    """A table with a row for each picture."""
    sizes = ((1920, 1080),) if quick else ((1920, 1080), (3840, 2160))
    with closing(Studio()) as studio:
        rows = [
            _row(studio, Case(width, height, "png", effects), screenshot)
            for width, height in sizes
            for effects in (False, True)
        ]
    return table(HEAD, rows)


def _row(studio: Studio, case: Case, screenshot: bytes) -> list[str]:
    ours, quick = (
        bytes(studio.render(request(screenshot, case.settings, fast=fast), Clock()).data)
        for fast in (False, True)
    )
    full, like = (decode(file, header.read(file)) for file in (ours, quick))
    packed = cv2.imencode(".png", np.ascontiguousarray(full[..., ::-1]), [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
    alike = float(ssim_map(full, like).mean())
    theirs = float(packed.nbytes)
    return [
        case.name,
        f"{len(ours) / 1e3:.0f}",
        f"{theirs / 1e3:.0f}",
        f"{len(ours) / theirs:.2f}",
        f"{alike:.4f}",
    ]
