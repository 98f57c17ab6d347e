"""Plates of a film that are needed again, packed: loops come to the same poses round after round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from isal import isal_zlib

from ..arrays import U8, U16
from ..render.geometry.raster import Box
from ..render.plates.plate import Plate, ScreenLayer
from ..settings.scene import PlateSpec

# Of packed plates; one of 1920 x 1080 with a phone takes a megabyte and a half.
PACKED_BYTES = 128 << 20
LEVEL = 1


@dataclass(frozen=True, slots=True)
class BuiltPlate:
    """A plate, and the box of the canvas in which it may differ from the first of its film."""

    plate: Plate
    span: Box


@dataclass(frozen=True, slots=True)
class _PackedPlate:
    """A plate without what is as in the first: its span and layers, and deflated pixels."""

    span: Box
    base: bytes
    layers: tuple[tuple[ScreenLayer, bytes, bytes] | None, ...]

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return len(self.base) + sum(len(one[1]) + len(one[2]) for one in self.layers if one)


class PlateStore:
    """Keeps a plate for as long as frames to come have its plate spec, within a limit of bytes."""

    def __init__(self, specs: Iterable[PlateSpec], limit: int = PACKED_BYTES) -> None:
        """`specs` are those of all frames."""
        self._left = Counter(specs)
        self._limit = limit
        self._packed: dict[PlateSpec, _PackedPlate] = {}
        self._first: Plate | None = None
        self._newest: tuple[PlateSpec, BuiltPlate] | None = None

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether a plate is there."""
        return spec in self._packed or (self._newest is not None and self._newest[0] == spec)

    @property
    def nbytes(self) -> int:
        """Memory held by packed plates."""
        return sum(one.nbytes for one in self._packed.values())

    def take(self, spec: PlateSpec) -> BuiltPlate | None:
        """The plate for a frame of this plate spec, None if it is not there."""
        if self._newest is None or self._newest[0] != spec:
            packed = self._packed.get(spec)
            if packed is None:
                return None
            self._newest = spec, self._unpacked(packed)
        self._use(spec)
        return self._newest[1]

    def add(self, spec: PlateSpec, plate: Plate) -> BuiltPlate:
        """Use a plate that was built for a frame, and keep it if others need it."""
        if self._first is None:
            self._first = plate
        built = BuiltPlate(plate, difference(self._first.base, plate.base, plate.screens))
        self._newest = spec, built
        self._use(spec)
        if self._left[spec]:
            packed = _packed(built)
            if self.nbytes + packed.nbytes <= self._limit:
                self._packed[spec] = packed
        return built

    def _use(self, spec: PlateSpec) -> None:
        self._left[spec] -= 1
        if self._left[spec] <= 0:
            self._packed.pop(spec, None)

    def _unpacked(self, packed: _PackedPlate) -> BuiltPlate:
        assert self._first is not None
        base = self._first.base.copy()
        if packed.span.area:
            part = base[packed.span.slices]
            part[...] = _inflated(packed.base, part)
        layers = tuple(
            one
            and ScreenLayer(
                one[0].box,
                _inflated(one[1], one[0].base),
                _inflated(one[2], one[0].gain),
                one[0].matrix,
                one[0].size,
            )
            for one in packed.layers
        )
        return BuiltPlate(Plate(base, layers), packed.span)


def difference(first: U8, base: U8, layers: tuple[ScreenLayer | None, ...]) -> Box:
    """The smallest box that has all pixels in which two bases differ, and all of a plate's screens."""
    height, width, channels = base.shape
    apart = cv2.absdiff(first, base).reshape(height, width * channels)
    # As one channel, in which a pixel takes several columns.
    left, top, wide, high = cv2.boundingRect(apart)
    x, right = left // channels, -(-(left + wide) // channels)
    return around([*(layer.box for layer in layers if layer), Box(x, top, right - x, high)])


def around(boxes: list[Box]) -> Box:
    """The smallest box around others; an empty one around none."""
    boxes = [box for box in boxes if box.area]
    if not boxes:
        return Box(0, 0, 0, 0)
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(x, y, right - x, bottom - y)


def _packed(built: BuiltPlate) -> _PackedPlate:
    return _PackedPlate(
        built.span,
        _deflated(built.plate.base[built.span.slices]),
        tuple(
            (_hollow(one), _deflated(one.base), _deflated(one.gain)) if one else None
            for one in built.plate.screens
        ),
    )


def _hollow(layer: ScreenLayer) -> ScreenLayer:
    """A layer whose pixels take no memory."""

    def none(pixels: U16) -> U16:
        return np.broadcast_to(pixels.dtype.type(0), pixels.shape)

    return ScreenLayer(layer.box, none(layer.base), none(layer.gain), layer.matrix, layer.size)


def _deflated(pixels: np.ndarray[Any, Any]) -> bytes:
    return isal_zlib.compress(np.ascontiguousarray(pixels), LEVEL)


def _inflated(data: bytes, like: np.ndarray[Any, Any]) -> Any:
    return np.frombuffer(isal_zlib.decompress(data), like.dtype).reshape(like.shape)
