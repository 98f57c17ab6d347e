"""This service's engine, called in this process."""

from __future__ import annotations

from benchmarks.speed.contender import Basis
from benchmarks.speed.requests import request
from benchmarks.speed.sketch import Sketch
from service.clock import Clock
from service.engine.plates import Plates
from service.engine.studio import CACHE_BYTES, Studio
from service.settings.schema import Settings

NOTES = {
    "warm": "the plate is in the cache",
    "cold": "the plate cache was emptied before each picture",
    "fast": "`fast: true`, the plate is in the cache",
    "fast cold": "`fast: true`, the plate cache was emptied before each picture",
}


class Engine(Basis):
    """The engine as a contender; `mode` is one of NOTES."""

    def __init__(self, mode: str) -> None:
        self.name = f"this service, {mode}"
        self.note = NOTES[mode]
        self._fast = mode.startswith("fast")
        self._cold = mode.endswith("cold")

    def open(self, screenshot: bytes) -> None:
        super().open(screenshot)
        self._plates = Plates(CACHE_BYTES)
        self._studio = Studio(plates=self._plates)
        self._studio.warm_up()
        self._clock = Clock()
        self._settings: dict[str, Settings] = {}

    def prepare(self, sketch: Sketch) -> None:
        # Validation is left to the HTTP layer, because the peers read no settings, either.
        self._settings = {sketch.case.name: sketch.case.settings}
        if self._cold:
            self._plates.clear()
        elif sketch.case.name != getattr(self, "_seen", None):
            self._seen = sketch.case.name
            self.draw(sketch)

    def draw(self, sketch: Sketch) -> bytes:
        self._clock = Clock()
        wanted = request(self.screenshot, self._settings[sketch.case.name], fast=self._fast)
        return bytes(self._studio.render(wanted, self._clock).data)

    def stages(self) -> dict[str, float]:
        return dict(self._clock.stages)

    def close(self) -> None:
        self._studio.close()
