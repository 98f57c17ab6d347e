"""Plates between two key poses of a film: both plates, moved with the devices, and blended.

Between two poses, each point of a rigid device moves by a known distance, which follows from the devices'
depth. So the plates of both poses are warped by these distances, and averaged with weights that depend on the
time. Far from the devices, the plates are blended in place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from ..render.plates.plate import Plate, ScreenLayer
from ..render.plates.preview import halved
from ..settings.scene import PlateSpec
from ..srgb import LINEAR16
from .film import Film
from .key_poses import MOST, Place

Pixels = TypeVar("Pixels", U8, U16)
Places = tuple[F32, F32]  # columns and rows (h, w), px

STEP = 4  # px of the canvas along each side for which one distance is computed; by cost
# Steps beyond the devices within which everything moves with them: as far as they may move between any two
# poses from one key pose to the next, so that neither plate shows a device where the wanted pose has none.
# The motion then fades out over as many steps again.
BESIDE = math.ceil(MOST / STEP) + 1
AROUND = 2 * BESIDE
REACH = (
    math.ceil(MOST) + 2
)  # px that a screen reaches up to the next key pose; two more for cubic interpolation


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
    """The plates of two key poses, the surface of the first, and its motion (h, w, 2), px, to the last."""

    first: Plate
    last: Plate
    seen: Surface
    whole: F32


class KeyPlates:
    """Makes the plates of a film's poses in order; keeps those of the last two key poses."""

    def __init__(self, film: Film, clock: Clock) -> None:
        """Nothing is built yet."""
        self._film, self._clock = film, clock
        self._built: dict[float, Plate] = {}
        self._keys: tuple[Place, KeyPair] | None = None

    def make(self, place: Place) -> Plate:
        """The plate of a pose."""
        if place.start == place.end:
            return self._key(place.time)
        keys, spec = self._between(place), self._film.spec(place.time)
        seen = view(spec)
        share = (place.time - place.start) / (place.end - place.start)
        return blended(keys, seen, share) or plate.build(spec, self._clock, seen)

    def _between(self, place: Place) -> KeyPair:
        ends = replace(place, time=place.start)
        if self._keys is None or self._keys[0] != ends:
            self._keys = None
            first, last = self._key(place.start), self._key(place.end)
            seen = surface(self._film.spec(place.start), self._clock)
            whole = motion(seen, view(self._film.spec(place.end)).stage.camera)
            self._keys = ends, KeyPair(first, last, seen, whole)
        return self._keys[1]

    def _key(self, time: float) -> Plate:
        if time not in self._built:
            self._keys = None
            while len(self._built) > 1:
                # Make room before the next one is built.
                self._built.pop(next(iter(self._built)))
            spec = self._film.spec(time)
            self._built[time] = plate.build(spec, self._clock, view(spec))
        return self._built[time]


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


def blended(keys: KeyPair, wanted: View, share: float) -> Plate | None:
    """The plate at a `share`, 0-1, of the time between two others; None if those show other screens."""
    first, last = keys.first, keys.last
    pairs = list(zip(first.screens, last.screens, wanted.screens, strict=True))
    if any((one is None) != (other is None) for one, other, _ in pairs):
        return None
    canvas = Box(0, 0, first.base.shape[1], first.base.shape[0])
    here, box = motion(keys.seen, wanted.stage.camera), keys.seen.box.clipped(canvas)
    # The places in both plates from which pixels come, px from the box's corner.
    sources = [_places(keys.seen, way, box) for way in (-here, keys.whole - here)]
    base = _mixed([first.base, last.base], share)
    # OpenCV's `remap` takes four channels in half the time of three.
    bases = (cv2.cvtColor(one.base[box.slices], cv2.COLOR_RGB2RGBA) for one in (first, last))
    ends = [_warped(np.asarray(one, np.uint8), at) for one, at in zip(bases, sources, strict=True)]
    base[box.slices] = cv2.cvtColor(_mixed(ends, share), cv2.COLOR_RGBA2RGB)
    base.flags.writeable = False
    layers = list[ScreenLayer | None]()
    for one, other, plane in pairs:
        layer = None
        if one is not None and other is not None:
            # A device that turns back may show the screen where neither key pose does.
            part = around([one.box.grown(REACH), other.box.grown(REACH)]).clipped(box)
            each = zip((one, other), sources, strict=True)
            gains = [_warped(end.gain, _cropped(at, part.within(box), box, end.box)) for end, at in each]
            layer = _layer(base, _mixed(gains, share), part, plane)
        layers.append(layer)
    return Plate(base, tuple(layers))


def _cropped(places: Places, part: tuple[slice, slice], box: Box, other: Box) -> Places:
    """A part of the `places`: px from the corner of `box`, converted to px from the corner of `other`."""
    x, y = places
    return x[part] - np.float32(other.x - box.x), y[part] - np.float32(other.y - box.y)


def _layer(base: U8, gain: U16, part: Box, at: ScreenPlane) -> ScreenLayer | None:
    """The layer of a screen with a gain (h, w) in a part of the canvas; None if it is not visible."""
    hole = extent(gain > FAINT)
    if not hole.area:
        return None
    box = Box(part.x + hole.x, part.y + hole.y, hole.width, hole.height)
    light = np.asarray(cv2.LUT(base[box.slices], LINEAR16), np.uint16)
    return ScreenLayer(box, light, np.ascontiguousarray(gain[hole.slices]), at.matrix, at.size)


def _places(seen: Surface, distances: F32, box: Box) -> Places:
    """Columns and rows (h, w) at some distances from a box's pixels, px from the middle of the first."""
    size, at = (seen.box.width, seen.box.height), box.within(seen.box)
    # Beyond the middles of the outermost cells, distances stay the same: 0, since nothing moves there.
    along, down = (
        np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_LINEAR)[at], np.float32)
        for part in cv2.split(distances)
    )
    along += np.arange(box.width, dtype=np.float32)
    down += np.arange(box.height, dtype=np.float32)[:, None]
    return along, down


def _warped(pixels: Pixels, places: Places) -> Pixels:
    """The pixels at some places, px from the middle of the first pixel; same dtype.

    Colours beyond the pixels are those of their edge, gains (h, w) are 0.
    """
    flat = pixels.ndim == 2
    border = cv2.BORDER_CONSTANT if flat else cv2.BORDER_REPLICATE
    # A screen's edge has the largest contrast, so it is interpolated most exactly.
    way = cv2.INTER_CUBIC if flat else cv2.INTER_LINEAR
    return np.asarray(cv2.remap(pixels, *places, way, borderMode=border), pixels.dtype)


def _mixed(ends: Sequence[Pixels], share: float) -> Pixels:
    """The mean of two arrays, weighted by the `share` of the second."""
    one, other = ends
    return np.asarray(cv2.addWeighted(one, 1 - share, other, share, 0), one.dtype)
