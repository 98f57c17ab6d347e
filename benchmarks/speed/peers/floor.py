"""The floor: the least work of any compositor, by the fastest available parts and without a useful picture.

It decodes the screenshot, warps it linearly into the screen's box, passes over the output once, and encodes
with the service's own encoder. It decodes in the same kind of process, so that it pays the same price for
safety. The canvas is the service's own picture of the case, so that it compresses equally well.
"""

from __future__ import annotations

import time
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.speed.cases import QUALITY, Case
from benchmarks.speed.contender import Basis
from benchmarks.speed.requests import request
from benchmarks.speed.sketch import Sketch
from service.clock import Clock
from service.codec import encode, header
from service.codec.decode import decode
from service.codec.sandbox.client import Sandboxed
from service.engine.plates import Plates
from service.engine.studio import Studio
from service.settings.scene import Output

BAND_BYTES = 1 << 20


class Floor(Basis):
    """Decode + one linear warp of the box + one pass over the output + encode."""

    name = "floor"
    note = "decode + one linear warp of the box + one pass over the output + encode, same codecs"

    def open(self, screenshot: bytes) -> None:
        super().open(screenshot)
        self._decoder = Sandboxed()
        self._decoder.warm()
        # The service draws only the canvas, once for each case.
        self._studio = Studio(plates=Plates(0))
        self._drawn: Case | None = None
        self._canvas = np.empty((0, 0, 3), np.uint8)
        self._stages: dict[str, float] = {}

    def prepare(self, sketch: Sketch) -> None:
        case = replace(sketch.case, format="png")
        if case != self._drawn:
            self._drawn = case
            file = bytes(self._studio.render(request(self.screenshot, case.settings), Clock()).data)
            self._canvas = decode(file, header.read(file))

    def draw(self, sketch: Sketch) -> bytes:
        self._stages = {}
        start = time.perf_counter()
        facts = header.read(self.screenshot)
        pixels = self._decoder.decode(self.screenshot, facts, None, Clock())
        start = self._lap("decode", start)
        corners = sketch.screen.corners()
        x, y = np.floor(corners.min(axis=0)).astype(int)
        right, bottom = np.ceil(corners.max(axis=0)).astype(int)
        h, w = pixels.shape[:2]
        square = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        matrix = cv2.getPerspectiveTransform(square, (corners - [x, y]).astype(np.float32))
        seen = cv2.warpPerspective(pixels[..., :3], matrix, (int(right - x), int(bottom - y)))
        start = self._lap("warp", start)
        width, height = sketch.size
        file = encode.writer(width, height, alpha=False, output=Output(sketch.case.format, QUALITY))
        rows = max(8, BAND_BYTES // (3 * width))
        for top in range(0, height, rows):
            band = self._canvas[top : top + rows].copy()
            low, high = max(top, y), min(top + len(band), bottom)
            if low < high:
                band[low - top : high - top, x:right] = seen[low - y : high - y]
            file.write(band)
        start = self._lap("pass", start)
        data = file.finish()
        self._lap("encode", start)
        return data

    def stages(self) -> dict[str, float]:
        return self._stages

    def close(self) -> None:
        self._decoder.close()
        self._studio.close()

    def _lap(self, name: str, start: float) -> float:
        now = time.perf_counter()
        self._stages[name] = (now - start) * 1e3
        return now
