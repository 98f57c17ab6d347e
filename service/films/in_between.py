"""Plates between two key poses of a film: both plates, moved with the devices, and blended.

Between two poses, each point of a rigid device moves by a known distance, which follows from the devices'
depth. So the plates of both poses are warped by these distances, and averaged with weights that depend on the
time. Far from the devices, the plates are blended in place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from ..arrays import F32, F64, U8, U16
from ..clock import Clock
from ..render.geometry.camera import Camera
from ..render.geometry.raster import Box, around, extent
from ..render.paint.screens import ScreenPlane, View, view
from ..render.plates import plate
from ..render.plates.composite import FAINT
from ..render.plates.plate import Plate
from ..render.plates.preview import halved
from ..settings.scene import PlateSpec
from .film import Film
from .key_poses import MOST, Place
from .plate_store import BuiltPlate, CutLayer, CutPlate, cut

Pixels = TypeVar("Pixels", U8, U16)

STEP = 4  # px of the canvas along each side for which one distance is computed; by cost
# Steps beyond the devices within which everything moves with them: as far as they may move between any two
# poses from one key pose to the next, so that neither plate shows a device where the wanted pose has none.
# The motion then fades out over as many steps again.
BESIDE = math.ceil(MOST / STEP) + 1
AROUND = 2 * BESIDE
# px by which a screen may move before the next key pose, and two more for cubic interpolation
REACH = math.ceil(MOST) + 2
BAND = 1 << 17  # pixels that are blended at a time, since all of them would take tens of megabytes


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The visible surface of the devices, on a grid of `STEP` px that covers a box of the canvas.

    `points` (n, 3), mm from the pivot, were projected `at` (n, 2), canvas px. Each cell of the grid moves
    with its `nearest` (h, w) point, by the share `fade` (h, w), 0-1, of its motion.
    """

    box: Box
    points: F64
    at: F64
    nearest: NDArray[np.intp]
    fade: F32


@dataclass(frozen=True, slots=True, eq=False)
class KeyPair:
    """The plates of two key poses, the surface of the first, and its motion (h, w, 2), px, to the last.

    The plates cover the same span, which holds the surface and all pixels in which they may differ.
    """

    first: CutPlate
    last: CutPlate
    seen: Surface
    whole: F32


class KeyPlates:
    """Makes the plates of a film's poses in order; keeps those of the last two key poses.

    `first` is the base of the plate that is built first, (h, w, 3 or 4) uint8. The attribute may be replaced
    by an equal array.
    """

    def __init__(self, film: Film, clock: Clock) -> None:
        """Nothing is built yet."""
        self._film, self._clock = film, clock
        self.first: U8 | None = None
        self._built: dict[float, CutPlate] = {}
        self._keys: tuple[Place, KeyPair] | None = None

    def make(self, place: Place) -> CutPlate:
        """The plate of a pose."""
        made = self._key(place.time) if place.start == place.end else self._blended(place)
        assert self.first is not None
        return made.trimmed(self.first)

    def _blended(self, place: Place) -> CutPlate:
        keys, spec = self._between(place), self._film.spec(place.time)
        seen = view(spec)
        share = (place.time - place.start) / (place.end - place.start)
        return blended(keys, seen, share) or self._cut(plate.build(spec, self._clock, seen))

    def _between(self, place: Place) -> KeyPair:
        ends = replace(place, time=place.start)
        if self._keys is None or self._keys[0] != ends:
            self._keys = None
            built = self._key(place.start), self._key(place.end)
            seen = surface(self._film.spec(place.start), self._clock)
            whole = motion(seen, view(self._film.spec(place.end)).stage.camera)
            assert self.first is not None
            moved = seen.box.clipped(Box(0, 0, self.first.shape[1], self.first.shape[0]))
            span = around([moved, *(one.span for one in built)])
            first, last = (one.covering(span, self.first) for one in built)
            self._built = {place.start: first, place.end: last}
            self._keys = ends, KeyPair(first, last, seen, whole)
        return self._keys[1]

    def _key(self, time: float) -> CutPlate:
        if time not in self._built:
            self._keys = None
            while len(self._built) > 1:
                # Make room before the next one is built.
                self._built.pop(next(iter(self._built)))
            spec = self._film.spec(time)
            self._built[time] = self._cut(plate.build(spec, self._clock, view(spec)))
        return self._built[time]

    def _cut(self, made: Plate) -> CutPlate:
        if self.first is None:
            self.first = made.base
        return cut(self.first, BuiltPlate.of(made))


def surface(spec: PlateSpec, clock: Clock) -> Surface:
    """The visible surface of a plate spec's devices."""
    stage = halved(halved(view(spec).stage))
    found, camera = plate.depths(spec, stage, clock), stage.camera
    away = np.pad(found.away.astype(np.float64), AROUND, constant_values=np.inf)
    box = Box(found.box.x - AROUND, found.box.y - AROUND, away.shape[1], away.shape[0])
    seen = np.isfinite(away)
    rows, columns = np.nonzero(seen)
    x, y, z = columns + (box.x + 0.5), rows + (box.y + 0.5), -away[seen]
    scale = camera.k / (1 - z / camera.distance)
    right, up = camera.aside
    points = np.stack(
        [(x - camera.center[0]) / scale - right, (camera.center[1] - y) / scale - up, z], axis=-1
    )
    beside, labels = cv2.distanceTransformWithLabels(
        (~seen).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL
    )
    numbers = np.zeros(labels.max() + 1, np.intp)
    numbers[labels[seen]] = np.arange(len(points))
    fade = np.asarray(np.clip((AROUND - beside) / (AROUND - BESIDE), 0, 1), np.float32)
    at = STEP * np.stack([x, y], axis=-1)
    return Surface(Box(*(STEP * side for side in box)), points @ camera.turn, at, numbers[labels], fade)


def motion(seen: Surface, camera: Camera) -> F32:
    """The distances (h, w, 2), px, from the cells of a surface to where another camera sees their points."""
    if not len(seen.points):
        return np.zeros((*seen.fade.shape, 2), np.float32)
    moved = (camera.project(seen.points) - seen.at).astype(np.float32)
    return np.asarray(moved[seen.nearest] * seen.fade[..., None], np.float32)


def blended(keys: KeyPair, wanted: View, share: float) -> CutPlate | None:
    """The plate at a `share`, 0-1, of the time between two others; None if those show other screens."""
    first, last, span = keys.first, keys.last, keys.first.span
    pairs = list(zip(first.layers, last.layers, strict=True))
    if any((one is None) != (other is None) for one, other in pairs):
        return None
    here, box = motion(keys.seen, wanted.stage.camera), keys.seen.box.clipped(span)
    base = np.empty_like(first.base)
    for part in span.beyond(box):
        at = part.within(span)
        base[at] = _mixed([first.base[at], last.base[at]], share)
    gains = [_BlendedGain.of(one, other, box) if one and other else None for one, other in pairs]
    # The distances from a pixel to the pixels of both plates from which it comes.
    ways = -here, keys.whole - here
    for band in _bands(box):
        sources = [_Origins.of(keys.seen, way, band, span) for way in ways]
        ends = [source.colors(end) for end, source in zip((first, last), sources, strict=True)]
        base[band.within(span)] = cv2.cvtColor(_mixed(ends, share), cv2.COLOR_RGBA2RGB)
        for gain in gains:
            if gain:
                gain.blend(band, sources, share)
    layers = [
        _layer(gain, plane) if gain else None for gain, plane in zip(gains, wanted.screens, strict=True)
    ]
    return CutPlate(span, base, tuple(layers), len(layers))


@dataclass(frozen=True, slots=True, eq=False)
class _BlendedGain:
    """The gain of a screen, blended from two of its layers: its `values` (h, w) in a `box` of the canvas."""

    ends: tuple[CutLayer, CutLayer]
    box: Box
    values: U16

    @classmethod
    def of(cls, one: CutLayer, other: CutLayer, most: Box) -> _BlendedGain:
        """A gain, still 0, for the box that the screen may cover in the poses between, clipped to the box
        `most`."""
        # A device that turns back may show the screen where neither key pose does.
        box = around([one.box.grown(REACH), other.box.grown(REACH)]).clipped(most)
        return cls((one, other), box, np.zeros((box.height, box.width), np.uint16))

    def blend(self, band: Box, sources: Sequence[_Origins], share: float) -> None:
        """Blend the gain in a band of the canvas, whose pixels come from these origins in the two plates."""
        shared = self.box.clipped(band)
        if shared.area:
            pairs = zip(self.ends, sources, strict=True)
            gains = [source.gains(end, shared.within(band)) for end, source in pairs]
            self.values[shared.within(self.box)] = _mixed(gains, share)


def _bands(box: Box) -> Iterator[Box]:
    """Parts of a box from top to bottom, each with `BAND` pixels."""
    rows = max(BAND // max(box.width, 1), 1)
    for y in range(0, box.height, rows):
        yield Box(box.x, box.y + y, box.width, min(rows, box.height - y))


def _layer(gain: _BlendedGain, at: ScreenPlane) -> CutLayer | None:
    """The layer of a screen with a gain; None if it is not visible."""
    hole = extent(gain.values > FAINT)
    if not hole.area:
        return None
    box = Box(gain.box.x + hole.x, gain.box.y + hole.y, hole.width, hole.height)
    return CutLayer(box, np.ascontiguousarray(gain.values[hole.slices]), at.matrix, at.size)


@dataclass(frozen=True, slots=True, eq=False)
class _Origins:
    """Where pixels come from: columns and rows (h, w), px from the middle of the first pixel of a `box`.

    The box has all pixels that they come from within the span of two plates.
    """

    box: Box
    x: F32
    y: F32

    @classmethod
    def of(cls, seen: Surface, distances: F32, box: Box, span: Box) -> _Origins:
        """The origins of a box's pixels, which lie at `distances` (h, w, 2), px, one for each cell of a
        surface.

        The plates cover a `span`.
        """
        # The rows of cells that reach into the box, and one more on each side to interpolate from.
        top = max((box.y - seen.box.y) // STEP - 1, 0)
        cells = distances[top : (box.y + box.height - seen.box.y) // STEP + 2]
        left, up = (min(math.floor(way.min()), 0) for way in cv2.split(cells))
        right, down = (max(math.ceil(way.max()), 0) + 1 for way in cv2.split(cells))
        reach = Box(box.x + left, box.y + up, box.width + right - left, box.height + down - up)
        source = reach.clipped(span)
        whole = Box(seen.box.x, seen.box.y + STEP * top, seen.box.width, STEP * len(cells))
        # Beyond the middles of the outermost cells, distances stay the same: 0, since nothing moves there.
        x, y = (
            np.asarray(cv2.resize(way, (whole.width, whole.height))[box.within(whole)], np.float32)
            for way in cv2.split(cells)
        )
        x += np.arange(box.width, dtype=np.float32) + (box.x - source.x)
        y += (np.arange(box.height, dtype=np.float32) + (box.y - source.y))[:, None]
        return cls(source, x, y)

    def colors(self, end: CutPlate) -> U8:
        """The colours (h, w, 4) of a plate's base; beyond its span, those of its edge."""
        # OpenCV's `remap` takes four channels in half the time of three.
        colors = cv2.cvtColor(end.base[self.box.within(end.span)], cv2.COLOR_RGB2RGBA)
        found = cv2.remap(colors, self.x, self.y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, np.uint8)

    def gains(self, layer: CutLayer, part: tuple[slice, slice]) -> U16:
        """The gains (h, w) of a screen layer in a part of the pixels; 0 beyond the layer."""
        x = self.x[part] + np.float32(self.box.x - layer.box.x)
        y = self.y[part] + np.float32(self.box.y - layer.box.y)
        # A screen's edge has the largest contrast, so it is interpolated most exactly.
        return np.asarray(
            cv2.remap(layer.gain, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT), np.uint16
        )


def _mixed(ends: Sequence[Pixels], share: float) -> Pixels:
    """The mean of two arrays, weighted by the `share` of the second."""
    one, other = ends
    return np.asarray(cv2.addWeighted(one, 1 - share, other, share, 0), one.dtype)
