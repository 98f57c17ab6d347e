"""Paints the frames of a film: a plate for each pose, and the recording on its screens."""

from __future__ import annotations

from collections.abc import Sequence
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
from ..render.plates.plate import Plate, ScreenLayer
from ..settings import warnings
from ..settings.effects import Effect, Grain
from ..settings.scene import PlateSpec, Showing
from ..settings.warnings import Warning
from ..validation.color import Color
from .accumulator import Accumulator
from .film import Film
from .plate_store import BuiltPlate, PlateStore
from .plates_here import FilmPlates, PlatesHere
from .recording import ShownFrame
from .source import RecordingFacts, swapped


class FramePainter:
    """Paints frames in order; for one thread."""

    def __init__(
        self,
        film: Film,
        facts: Sequence[RecordingFacts],
        clock: Clock,
        store: PlateStore,
        fonts: str = "",
        *,
        watermark: bool = False,
        plates: FilmPlates | None = None,
    ) -> None:
        """`facts` are the facts of the recordings; `store` caches plates.

        `fonts` is a folder of further fonts for captions. Frames may have a `watermark`. Plates come from
        `plates`; if that is None, each is built when it is needed. Raises UnusableCaptionError.
        """
        self._film, self._facts, self._clock = film, facts, clock
        pairs = zip(film.scene.spec.instances, film.shown, strict=True)
        # The recording on each screen, by its index.
        self._sources = [source for one, source in pairs for _ in one.device.screens]
        self._captions = captions(film.scene, fonts, clock)
        self._watermark = watermark
        # Whether anything lies over the devices.
        self._covered = watermark or self._captions is not None
        self._store = store
        self._plates = plates or PlatesHere(film, store, (), clock)
        size = film.reel.height, film.reel.width, 4
        self._canvas = np.empty(size if not film.scene.spec.background.solid else (*size[:2], 3), np.uint8)
        # The canvas on which the bases of plates are drawn. If nothing lies over the devices, frames are
        # painted on it directly: in the next frame, either the screens cover the same pixels again, or
        # another plate's span does.
        alone = not (self._covered or film.scene.effects or film.path.motion.shutter_angle)
        self._base = self._canvas if alone else np.empty_like(self._canvas)
        # The plate that is drawn on the base: without the parts that equal the film's first plate, and as a
        # whole.
        self._plate: tuple[BuiltPlate, Plate] | None = None
        # For the frame on the canvas: the span of its plate, the plate, and the scroll position.
        self._before: tuple[Box, BuiltPlate | None, float] | None = None
        self._accumulator: Accumulator | None = None
        self.warnings: tuple[Warning, ...] = ()

    def paint(
        self, number: int, times: Sequence[float], shown: Sequence[ShownFrame]
    ) -> tuple[U8, Box | None]:
        """A frame, (h, w, 3 or 4) uint8 sRGB, straight alpha, valid until the next one; and its changed box.

        `shown` is the frame that each recording shows. `times` are the times of the exposures, seconds; the
        frame is their mean. The box is None if the whole frame may differ from the previous one.
        """
        begins = self._before is None
        paint = self._averaged if len(times) > 1 else self._exposed_once
        changed = paint(number, times, shown)
        if begins:
            self.warnings = self._said(screens.view(self._film.spec(times[0])))
        frame = self._canvas
        if self._film.flattened:
            frame = flatten(frame)
        return frame, changed

    def _exposed_once(self, number: int, times: Sequence[float], shown: Sequence[ShownFrame]) -> Box | None:
        """Paint a frame of one exposure; returns its changed box."""
        spec, view, shaped, run = self._posed(times[0])
        changed = self._changed(shaped, shown, run)
        self._before = shaped.span, shaped, run
        if changed is not None and not changed.area:
            return changed
        built = self._whole(shaped)
        shots = self._shots(spec, view, built, shown, run)
        if changed is None or self._covered:
            self._compose(built, shots, number)
        else:
            if self._base is not self._canvas:
                self._canvas[changed.slices] = built.base[changed.slices]
            for layer in built.layers:
                if layer:
                    self._canvas[layer.box.slices] = exposure.part(built, shots, layer.box)
        return changed

    def _averaged(self, number: int, times: Sequence[float], shown: Sequence[ShownFrame]) -> Box | None:
        """Paint the mean of a frame's exposures; returns its changed box."""
        height, width = self._canvas.shape[:2]
        whole = self._covered or bool(self._film.scene.effects)
        for time in times:
            spec, view, shaped, run = self._posed(time)
            built = self._whole(shaped)
            shots = self._shots(spec, view, built, shown, run)
            # Outside of their spans, all plates equal the first.
            sums = self._accumulator = self._accumulator or Accumulator(self._store.first)
            if whole:
                self._compose(built, shots, number)
                sums.add(self._canvas, Box(0, 0, width, height))
            else:
                sums.add(exposure.part(built, shots, shaped.span), shaped.span)
        before = Box(0, 0, width, height) if self._before is None else self._before[0]
        self._canvas[before.slices] = self._store.first[before.slices]
        box = sums.finish(self._canvas)
        changed = None if self._before is None or whole else around([before, box])
        self._before = box, None, 0.0
        return changed

    def _posed(self, time: float) -> tuple[PlateSpec, screens.View, BuiltPlate, float]:
        """The plate spec of a time, its view and plate, and the scroll position."""
        spec = self._film.spec(time)
        view = screens.view(spec)
        return (
            spec,
            view,
            self._plates.get(spec),
            self._film.run.place(time) if self._film.run else 0.0,
        )

    def _whole(self, shaped: BuiltPlate) -> Plate:
        """A plate in whole, drawn on the base; valid until the next one."""
        if self._plate is None:
            self._base[...] = self._store.first
            self._plate = shaped, shaped.drawn(self._base)
        elif shaped is not self._plate[0]:
            # The new plate covers the rest of the one before.
            for part in self._plate[0].span.beyond(shaped.span):
                self._base[part.slices] = self._store.first[part.slices]
            self._plate = shaped, shaped.drawn(self._base)
        return self._plate[1]

    def _shots(
        self, spec: PlateSpec, view: screens.View, built: Plate, shown: Sequence[ShownFrame], run: float
    ) -> list[U8 | None]:
        """The picture on each screen, None for a screen that is not visible."""
        each = list(zip(view.screens, self._film.scene.each_screen, self._sources, strict=True))
        shows = ((layer, *each[number % len(each)]) for number, layer in enumerate(built.layers))
        return [
            self._exposed(shown[source].pixels, one, layer, plane, run, fast=spec.fast) if layer else None
            for layer, plane, one, source in shows
        ]

    def _compose(self, built: Plate, shots: list[U8 | None], number: int) -> None:
        row = 0
        wanted = _effects(self._film.scene.effects, number)
        for band in exposure.bands(built, shots, wanted, self._clock, before=self._captions):
            marked = mark(band, row, len(self._canvas)) if self._watermark else band
            self._canvas[row : row + len(band)] = marked
            row += len(band)

    def _changed(self, built: BuiltPlate, shown: Sequence[ShownFrame], run: float) -> Box | None:
        """The box in which a frame differs from the previous one, None if all of it may."""
        if self._before is None or self._film.scene.effects:
            return None
        span, shaped, place = self._before
        if shaped is not built:
            # Outside of these boxes, both plates equal the first one.
            return around([span, built.span])
        if not any(one.fresh for one in shown) and place == run:
            return Box(0, 0, 0, 0)
        return around([layer.box for layer in (*built.mirrors, *built.screens) if layer])

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
        red, green, blue, alpha = one.fit.background
        fit = replace(one.fit, background=Color(blue, green, red, alpha))
        # A screen has a tenth of the pixels of a recording, so the order of channels is changed last.
        return swapped(shot.expose(pixels, placement, fit, layer, self._clock, fast=fast))

    def _said(self, view: screens.View) -> tuple[Warning, ...]:
        """Warnings about the recording's fit, as for pictures."""
        film, scene, planes = self._film, self._film.scene, iter(view.screens)
        said = film.warnings + (self._captions.warnings if self._captions else ())
        for number, (one, shown) in enumerate(zip(scene.spec.instances, scene.shown, strict=True)):
            facts = self._facts[film.shown[number]]
            size = shown.trim.box[2:] if shown.trim else (facts.width, facts.height)
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
