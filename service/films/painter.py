"""Paints the frames of a film: a plate for each pose, and the recording on its screens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import U8
from ..clock import Clock
from ..codec.content import trimmed
from ..codec.formats.jpeg.flatten import flatten
from ..engine.captions import captions
from ..engine.watermark import mark
from ..render.compose import exposure, shot
from ..render.geometry.raster import Box, around
from ..render.paint import screens
from ..render.plates import plate
from ..render.plates.plate import Plate, ScreenLayer
from ..settings import warnings
from ..settings.effects import Effect, Grain
from ..settings.scene import PlateSpec, Showing
from ..settings.warnings import Warning
from .film import Film
from .plate_store import BuiltPlate, PlateStore
from .plates_ahead import PlatesAhead
from .recording import ShownFrame
from .source import RecordingFacts


class Painter:
    """Paints frames in order; for one thread."""

    def __init__(
        self,
        film: Film,
        facts: RecordingFacts,
        clock: Clock,
        store: PlateStore,
        fonts: str = "",
        *,
        watermark: bool = False,
        ahead: PlatesAhead | None = None,
    ) -> None:
        """`store` caches plates; `fonts` is a folder of further fonts for captions.

        Frames may have a `watermark`. Plates come from `ahead`, or are built here if that is None. Raises
        UnusableCaptionError.
        """
        self._film, self._facts, self._clock = film, facts, clock
        self._captions = captions(film.scene, fonts, clock)
        self._watermark = watermark
        # Whether anything lies over the devices.
        self._covered = watermark or self._captions is not None
        self._ahead, self._store = ahead, store
        size = film.reel.height, film.reel.width, 4
        self._canvas = np.empty(size if not film.scene.spec.background.solid else (*size[:2], 3), np.uint8)
        self._before: tuple[BuiltPlate, float] | None = None
        self.warnings: tuple[Warning, ...] = ()

    def paint(self, number: int, shown: ShownFrame) -> tuple[U8, Box | None]:
        """A frame, (h, w, 3 or 4) uint8 sRGB, straight alpha, valid until the next one; and its changed box.

        The box is None if the whole frame may differ from the previous one.
        """
        film = self._film
        time = film.schedule.time(number)
        spec = film.spec(time)
        view = screens.view(spec)
        shaped = self._plate(number, spec, view)
        built = shaped.plate
        run = film.run.place(time) if film.run else 0.0
        changed, begins = self._changed(shaped, shown, run), self._before is None
        self._before = shaped, run
        if changed is None or changed.area:
            shows = zip(built.screens, view.screens, film.scene.each_screen, strict=True)
            shots = [
                self._exposed(shown.pixels, one, layer, plane, run, fast=spec.fast) if layer else None
                for layer, plane, one in shows
            ]
            if changed is None or self._covered:
                self._compose(built, shots, number)
            else:
                self._canvas[changed.slices] = built.base[changed.slices]
                for layer in built.screens:
                    if layer:
                        self._canvas[layer.box.slices] = exposure.part(built, shots, layer.box)
        if begins:
            self.warnings = self._said(view)
        frame = self._canvas
        if film.flattened:
            frame = flatten(frame)
        return frame, changed

    def _compose(self, built: Plate, shots: list[U8 | None], number: int) -> None:
        row = 0
        wanted = _effects(self._film.scene.effects, number)
        for band in exposure.bands(built, shots, wanted, self._clock, before=self._captions):
            marked = mark(band, row, len(self._canvas)) if self._watermark else band
            self._canvas[row : row + len(band)] = marked
            row += len(band)

    def _plate(self, number: int, spec: PlateSpec, view: screens.View) -> BuiltPlate:
        if self._ahead is not None:
            return self._ahead.get(number, spec)
        return self._store.take(spec) or self._store.add(spec, plate.build(spec, self._clock, view))

    def _changed(self, built: BuiltPlate, shown: ShownFrame, run: float) -> Box | None:
        """The box in which a frame differs from the previous one, None if all of it may."""
        if self._before is None or self._film.scene.effects:
            return None
        if self._before[0].plate is not built.plate:
            # Outside of these boxes, both plates equal the first one.
            return around([self._before[0].span, built.span])
        if not shown.fresh and self._before[1] == run:
            return Box(0, 0, 0, 0)
        return around([layer.box for layer in built.plate.screens if layer])

    def _exposed(
        self,
        pixels: U8,
        one: Showing,
        layer: ScreenLayer,
        plane: screens.ScreenPlane,
        run: float,
        *,
        fast: bool,
    ) -> U8:
        """The recording as a screen shows it, at the current scroll position."""
        if one.trim is not None:
            pixels = trimmed(pixels, one.trim)
        height, width = pixels.shape[:2]
        placement = shot.place((width, height), plane.size, one.fit)
        if self._film.run is not None:
            left, _, across, high = placement.crop
            placement = replace(placement, crop=(left, (1 - high) * run, across, high))
        return shot.expose(pixels, placement, one.fit, layer, self._clock, fast=fast)

    def _said(self, view: screens.View) -> tuple[Warning, ...]:
        """Warnings about the recording's fit, as for pictures."""
        film, scene, planes = self._film, self._film.scene, iter(view.screens)
        said = film.warnings + (self._captions.warnings if self._captions else ())
        for number, (one, shown) in enumerate(zip(scene.spec.instances, scene.shown, strict=True)):
            size = shown.trim.box[2:] if shown.trim else (self._facts.width, self._facts.height)
            own = [next(planes) for _ in one.device.screens]
            placements = [shot.place(size, plane.size, shown.fit) for plane in own]
            first = placements[0]
            said += scene.about(
                number,
                (
                    warnings.upscaled(size, shot.demand(placements, own)),
                    None if film.run else warnings.cropped(*shot.margins(first.crop)),
                    warnings.letterboxed(*shot.margins(first.onto)),
                    warnings.stretched(first.stretch),
                ),
            )
        return said


def _effects(wanted: tuple[Effect, ...], number: int) -> tuple[Effect, ...]:
    """The effects of a frame; the grain differs from frame to frame, as on real film."""
    return tuple(
        one.model_copy(update={"seed": (one.seed + number) % 2**31}) if isinstance(one, Grain) else one
        for one in wanted
    )
