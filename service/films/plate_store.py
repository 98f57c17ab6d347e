"""A compressed cache of a film's plates, because loops repeat the same poses in every round."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from ..arrays import F64, U8, U16
from ..limits import FILM_PLATE_BYTES
from ..render.geometry.raster import Box, around
from ..render.kernels import residuals
from ..render.plates.haze import Haze
from ..render.plates.plate import Plate, ScreenLayer
from ..settings.scene import PlateSpec
from ..srgb import LINEAR16, SRGB8
from .scratch import Allocation, Scratch, nameless

EDGE = 64  # rows or columns of two plates that are compared at a time; by cost


@dataclass(frozen=True, slots=True, eq=False)
class BuiltPlate:
    """A plate without parts that equal the film's first: `base` (h, w, 3 or 4) uint8 covers a `span`."""

    span: Box
    base: U8
    screens: tuple[ScreenLayer | None, ...]
    mirrors: tuple[ScreenLayer | None, ...] = ()

    @classmethod
    def of(cls, plate: Plate) -> BuiltPlate:
        """A plate with all of its parts."""
        height, width = plate.base.shape[:2]
        return cls(Box(0, 0, width, height), plate.base, plate.screens, plate.mirrors)

    @property
    def layers(self) -> tuple[ScreenLayer | None, ...]:
        """As `Plate.layers`."""
        return self.mirrors + self.screens

    def drawn(self, canvas: U8) -> Plate:
        """The whole plate: draws its span on a canvas that contains the first plate's base."""
        canvas[self.span.slices] = self.base
        return Plate(canvas, self.screens, mirrors=self.mirrors)


@dataclass(frozen=True, slots=True, eq=False)
class CutLayer:
    """A `ScreenLayer` without its base."""

    box: Box
    gain: U16
    matrix: F64
    size: tuple[float, float]
    haze: Haze | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CutPlate:
    """A plate without the parts that equal the film's first: `base` (h, w, 3 or 4) uint8 covers the `span`.

    In the boxes of layers, it has their bases in code values, instead of the colours below them, which are
    not visible. Where a screen is dark, the result is exact; elsewhere, a picture differs by one code value
    at most.
    """

    span: Box
    base: U8
    layers: tuple[CutLayer | None, ...]
    screens: int

    def covering(self, span: Box, first: U8) -> CutPlate:
        """The same plate with a base that covers another `span`, which contains all differences from the
        `first` base."""
        if span == self.span:
            return self
        base, shared = first[span.slices].copy(), self.span.clipped(span)
        base[shared.within(span)] = self.base[shared.within(self.span)]
        return replace(self, span=span, base=base)

    def trimmed(self, first: U8) -> CutPlate:
        """The same plate, whose base covers only the layers and the pixels that differ from the `first`
        base."""
        span = difference(first, self)
        return replace(self, span=span, base=np.ascontiguousarray(self.base[span.within(self.span)]))


@dataclass(frozen=True, slots=True, eq=False)
class _PackedPlate:
    """A cut plate with compressed pixels; the base has `channels`."""

    span: Box
    channels: int
    base: bytes
    layers: tuple[tuple[CutLayer, bytes] | None, ...]
    screens: int


class PlateStore:
    """Caches a plate as long as later frames have its plate spec, if there is room for it."""

    def __init__(self, specs: Iterable[PlateSpec], scratch: Scratch | None = None) -> None:
        """`specs` are the plate specs of all frames; packed plates are in `scratch`, or in memory."""
        self._left = Counter(specs)
        self._scratch = scratch or Scratch(nameless(), FILM_PLATE_BYTES)
        self._packed: dict[PlateSpec, Allocation] = {}
        self._first: U8 | None = None
        self._newest: tuple[PlateSpec, BuiltPlate] | None = None

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether the plate of a plate spec is cached."""
        return spec in self._packed or (self._newest is not None and self._newest[0] == spec)

    @property
    def is_complete(self) -> bool:
        """Whether the plates of all later frames are cached."""
        return len(self._packed) == len(self._left)

    @property
    def first(self) -> U8:
        """The base of the first plate, which must exist."""
        assert self._first is not None
        return self._first

    def take(self, spec: PlateSpec) -> BuiltPlate | None:
        """The plate for a frame of this plate spec, None if it is not cached."""
        if self._newest is None or self._newest[0] != spec:
            if spec not in self._packed:
                return None
            packed: _PackedPlate = pickle.loads(self._scratch.read(self._packed[spec]))
            self._newest = spec, joined(_unpacked(packed))
        self._use(spec)
        return self._newest[1]

    def add(self, spec: PlateSpec, plate: Plate) -> BuiltPlate:
        """Use a plate that was built for a frame, and cache it if other frames need it."""
        if self._first is None:
            self._first = plate.base
        made = cut(self._first, BuiltPlate.of(plate))
        base = plate.base[made.span.slices]
        return self._added(spec, made, BuiltPlate(made.span, base, plate.screens, plate.mirrors))

    def join(self, spec: PlateSpec, made: CutPlate, first: U8 | None) -> BuiltPlate:
        """Use a cut plate, as `add` does; the `first` plate comes with its whole base."""
        if self._first is None:
            self._first = first
        return self._added(spec, made, joined(made))

    def _added(self, spec: PlateSpec, made: CutPlate, built: BuiltPlate) -> BuiltPlate:
        self._newest = spec, built
        self._use(spec)
        if self._left[spec] and (place := self._scratch.keep(pickle.dumps(_packed(made)))):
            self._packed[spec] = place
        return built

    def _use(self, spec: PlateSpec) -> None:
        self._left[spec] -= 1
        if self._left[spec] <= 0:
            del self._left[spec]
            self._packed.pop(spec, None)


def cut(first: U8, made: BuiltPlate) -> CutPlate:
    """A plate without the parts that equal the film's `first` base."""
    span = difference(first, made)
    base = made.base[span.within(made.span)].copy()
    for layer in made.layers:
        if layer:
            # Where layers overlap, the last one is composed last, from a base that all of them share.
            base[layer.box.within(span)][..., :3] = cv2.LUT(layer.base, SRGB8)
    layers = tuple(
        CutLayer(one.box, one.gain, one.matrix, one.size, one.haze) if one else None for one in made.layers
    )
    return CutPlate(span, base, layers, len(made.screens))


def difference(first: U8, made: BuiltPlate | CutPlate) -> Box:
    """The smallest box with all pixels in which a plate differs from the film's `first` base, and all of the
    plate's layers."""
    whole = Box(0, 0, made.span.width, made.span.height)
    under, base = first[made.span.slices], made.base
    # The edges of most plates' spans are near the differences, so strips are compared from there inwards.
    rows = [whole.clipped(Box(0, y, whole.width, EDGE)) for y in range(0, whole.height, EDGE)]
    columns = [whole.clipped(Box(x, 0, EDGE, whole.height)) for x in range(0, whole.width, EDGE)]
    ends = (
        next((box for strip in strips if (box := _apart(under, base, strip)).area), None)
        for strips in (rows, reversed(rows), columns, reversed(columns))
    )
    found = around([box for box in ends if box])
    shifted = Box(made.span.x + found.x, made.span.y + found.y, found.width, found.height)
    return around([*(layer.box for layer in made.layers if layer), shifted])


def _apart(one: U8, other: U8, strip: Box) -> Box:
    """The smallest box with all pixels of a strip in which two pictures differ."""
    apart = cv2.absdiff(one[strip.slices], other[strip.slices])
    # `boundingRect` needs a single channel, so each pixel takes several columns here.
    left, top, wide, high = cv2.boundingRect(apart.reshape(strip.height, -1))
    x, right = left // one.shape[2], -(-(left + wide) // one.shape[2])
    return Box(strip.x + x, strip.y + top, right - x, high)


def joined(made: CutPlate) -> BuiltPlate:
    """A plate in the form in which it is composed; it shares the memory of the cut plate `made`."""
    layers = tuple(_lit(made, one) if one else None for one in made.layers)
    mirrors = len(layers) - made.screens
    return BuiltPlate(made.span, made.base, layers[mirrors:], layers[:mirrors])


def _lit(made: CutPlate, layer: CutLayer) -> ScreenLayer:
    code = np.ascontiguousarray(made.base[layer.box.within(made.span)][..., :3])
    light = np.asarray(cv2.LUT(code, LINEAR16), np.uint16)
    return ScreenLayer(layer.box, light, layer.gain, layer.matrix, layer.size, layer.haze)


def _packed(made: CutPlate) -> _PackedPlate:
    return _PackedPlate(
        made.span,
        made.base.shape[2],
        _compressed(made.base),
        tuple((_hollow(one), _compressed(one.gain)) if one else None for one in made.layers),
        made.screens,
    )


def _unpacked(packed: _PackedPlate) -> CutPlate:
    span, layers = packed.span, packed.layers
    base = np.empty((span.height, span.width, packed.channels), np.uint8)
    _decompress(packed.base, base)
    return CutPlate(span, base, tuple(one and _filled(*one) for one in layers), packed.screens)


def _hollow(layer: CutLayer) -> CutLayer:
    """A layer without its gain, so that it does not keep the original's memory."""
    return replace(layer, gain=np.empty(0, np.uint16), matrix=layer.matrix.copy())


def _filled(layer: CutLayer, packed: bytes) -> CutLayer:
    gain = np.empty((layer.box.height, layer.box.width), np.uint16)
    _decompress(packed, gain)
    return replace(layer, gain=gain)


def _compressed(pixels: U8 | U16) -> bytes:
    rows = _rows(pixels if pixels.flags.c_contiguous else pixels.copy())
    room = np.empty(residuals.most(*rows.shape), np.uint8)
    return room[: residuals.pack(rows, room)].tobytes()


def _decompress(packed: bytes, pixels: U8 | U16) -> None:
    residuals.unpack(np.frombuffer(packed, np.uint8), _rows(pixels))


def _rows(pixels: U8 | U16) -> U8:
    """The bytes (h, n) of a picture's rows, in the same memory."""
    return pixels.view(np.uint8).reshape(len(pixels), -1)
