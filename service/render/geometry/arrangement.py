"""Arranges a scene's devices by its layout. Lengths are in mm, in the scene's unrotated space.

The space has x to the right, y up and z towards the viewer; its origin is the middle of the whole
arrangement.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import F64
from ...devices.categories import STANDING
from ...settings.layouts import SceneLayout
from ...settings.poses import SPAN
from ...settings.scene import Instance, PlateSpec
from ..memoize import memoize
from .mesh import hull
from .rotation import rotation

KEPT = 64 * 1024  # bytes of cached arrangements: some thirty scenes; by cost
# In device widths, by eye: the gap in a row, and the gap between lying devices in an isometric view.
GAP, FLAT_GAP = 0.16, 0.14
# A fan of devices: degrees between neighbours, and the distance of its pivot below the devices' middles, in
# device heights.
SPREAD, ARM = 13.0, 1.15
LIFT = 1.6  # distance from one device of a fan to the one behind it, in device thicknesses; by eye
ASIDE, BACK = 0.66, 0.5  # offset from one device of a cascade to the next, in device widths; by eye
OVER = 0.30  # offset from one device of a stack to the next, in device heights; by eye
# On a desk, a device overlaps the one behind it by a share of its own width (the first number), but by no
# more than a share of the other's width (the second). The third is the gap between devices, mm. All by eye.
BEFORE, HIDDEN, CLEAR = 0.42, 0.13, 26.0
TURNED = 11.0  # degrees by which devices at the sides of a desk turn inwards; by eye


class Placement(NamedTuple):
    """A device's rotation (3, 3), and the position (3,) of its pivot."""

    turn: F64
    offset: F64


class _Stood(NamedTuple):
    """A device rotated by its layout but not yet moved, and two opposite corners of its box, (3,) each."""

    instance: Instance
    turn: F64
    low: F64
    high: F64

    @property
    def size(self) -> F64:
        return self.high - self.low


def _identity(spec: PlateSpec) -> Hashable:
    return spec.instances, spec.layout, spec.width, spec.height


# Memoized, since it is called several times for each picture, even if the plate is cached.
@memoize(KEPT, key=_identity)
def arranged(spec: PlateSpec) -> tuple[tuple[Placement, ...], float]:
    """The placements of a plate spec's devices, and the px per mm that framing `upright` gives them.

    A device's own angles are added to those of the layout, and its position and depth to its place in the
    layout.
    """
    angles, offsets = _LAYOUTS[spec.layout](spec.instances)
    turns = [_turn(one, angle) for one, angle in zip(spec.instances, angles, strict=True)]
    if spec.layout == "free":
        width, height = (max(sides) for sides in zip(*(one.upright for one in spec.instances), strict=True))
    else:
        boxes = [_box(one, turn, at) for one, turn, at in zip(spec.instances, turns, offsets, strict=True)]
        low, high = np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)
        offsets = [offset - (low + high) / 2 for offset in offsets]
        width, height, _ = (high - low).tolist()
    unit = min(SPAN * spec.height / height, SPAN * spec.width / width)
    half = np.array([spec.width, spec.height]) / (2 * unit)
    moved = [
        offset + np.array([*(half * one.position), one.depth])
        for one, offset in zip(spec.instances, offsets, strict=True)
    ]
    return tuple(Placement(*each) for each in zip(turns, moved, strict=True)), unit


Angles = tuple[float, float, float]
Laid = tuple[list[Angles], list[F64]]
UPRIGHT: Angles = (0.0, 0.0, 0.0)


def _turn(one: Instance, angles: Angles) -> F64:
    turn = rotation(*(a + b for a, b in zip(angles, one.angles, strict=True)))
    return turn @ rotation(0, 0, 90 * one.quarters) if one.quarters else turn


def _box(one: Instance, turn: F64, offset: F64) -> tuple[F64, F64]:
    points = hull(one.device) @ turn.T + offset
    return points.min(axis=0), points.max(axis=0)


def _level(one: Instance) -> Angles:
    """The angles that stand a device on a table."""
    if one.device.category not in STANDING:
        return UPRIGHT
    _, y, z = one.device.up
    return -math.degrees(math.atan2(z, y)), 0.0, 0.0


def _stood(one: Instance, angles: Angles) -> _Stood:
    turn = _turn(one, angles)
    return _Stood(one, turn, *_box(one, turn, np.zeros(3)))


def _free(instances: Sequence[Instance]) -> Laid:
    return [UPRIGHT] * len(instances), [np.zeros(3)] * len(instances)


def _row(instances: Sequence[Instance]) -> Laid:
    """Stand devices side by side on a common floor, with their middles in one plane."""
    angles = [_level(one) for one in instances]
    stood = [_stood(one, angle) for one, angle in zip(instances, angles, strict=True)]
    gap = GAP * float(np.mean([one.size[0] for one in stood]))
    return angles, _side_by_side(stood, gap)


def _side_by_side(stood: Sequence[_Stood], gap: float) -> list[F64]:
    left, offsets = 0.0, []
    for one in stood:
        offsets.append(np.array([left - one.low[0], -one.low[1], 0.0]))
        left += one.size[0] + gap
    return offsets


def _fan(instances: Sequence[Instance]) -> Laid:
    """Rotate all devices about a point below them, so that each is visible; the middle one is in front."""
    middle = (len(instances) - 1) / 2
    arm = ARM * max(one.upright[1] for one in instances)
    lift = LIFT * max(one.device.body[2] for one in instances)
    angles, offsets = [], []
    for place in range(len(instances)):
        turned = SPREAD * (place - middle)
        radians = math.radians(turned)
        # If two devices are in the middle, the left one is in front.
        depth = -lift * (abs(place - middle) + (0.5 if place > middle else 0.0))
        angles.append((0.0, 0.0, -turned))
        offsets.append(np.array([arm * math.sin(radians), arm * (math.cos(radians) - 1), depth]))
    return angles, offsets


def _cascade(instances: Sequence[Instance]) -> Laid:
    """Stand devices on a common floor, each behind and to the right of the previous one."""
    angles = [_level(one) for one in instances]
    stood = [_stood(one, angle) for one, angle in zip(instances, angles, strict=True)]
    step = np.array([ASIDE, 0.0, -BACK]) * float(np.mean([one.size[0] for one in stood]))
    return angles, [place * step - np.array([0.0, one.low[1], 0.0]) for place, one in enumerate(stood)]


def _stack(instances: Sequence[Instance]) -> Laid:
    """Stack upright devices behind each other, the first nearest to the viewer."""
    step = OVER * float(np.mean([min(one.upright) for one in instances]))
    top = 0.0
    offsets = []
    for before, one in zip([None, *instances], instances, strict=False):
        thick = one.device.body[2] / 2
        if before is not None:
            top -= before.device.body[2] / 2 + step + thick
        offsets.append(np.array([0.0, 0.0, top]))
    return [UPRIGHT] * len(instances), offsets


def _desk(instances: Sequence[Instance]) -> Laid:
    """Put standing devices side by side, and others in front of them, from the outside in, turned inwards."""
    behind = [number for number, one in enumerate(instances) if one.device.category in STANDING]
    if not behind:
        # If no device stands by itself, the widest one is put at the back.
        behind = [max(range(len(instances)), key=lambda number: instances[number].upright[0])]
    before = [number for number in range(len(instances)) if number not in behind]
    # Devices alternate between left and right. Larger ones come first, so that they are outside.
    before.sort(key=lambda number: -instances[number].upright[0])
    left, right = before[0::2], before[1::2]
    angles = {number: _level(instances[number]) for number in behind}
    angles |= dict.fromkeys(left, (0.0, TURNED, 0.0))
    angles |= dict.fromkeys(right, (0.0, -TURNED, 0.0))
    stood = [_stood(one, angles[number]) for number, one in enumerate(instances)]
    offsets = dict(zip(behind, _side_by_side([stood[number] for number in behind], CLEAR), strict=True))
    low = min(float(offsets[number][0] + stood[number].low[0]) for number in behind)
    high = max(float(offsets[number][0] + stood[number].high[0]) for number in behind)
    front = max(float(stood[number].high[2]) for number in behind)
    for side, numbers in ((-1, left), (1, right)):
        edge = low if side < 0 else high
        for number in numbers:
            one = stood[number]
            wide = float(one.size[0])
            inner = edge - side * min(BEFORE * wide, HIDDEN * (high - low))
            x = inner - one.low[0] if side > 0 else inner - one.high[0]
            offsets[number] = np.array([x, -one.low[1], front + CLEAR - one.low[2]])
            edge = inner + side * (wide + CLEAR)
    return [angles[number] for number in range(len(instances))], [
        offsets[number] for number in range(len(instances))
    ]


def _isometric(instances: Sequence[Instance]) -> Laid:
    """Lay devices side by side, with every other one shifted; if any device stands, place all as in a row."""
    if any(one.device.category in STANDING for one in instances):
        return _row(instances)
    gap = FLAT_GAP * float(np.mean([one.upright[0] for one in instances]))
    stood = [_stood(one, UPRIGHT) for one in instances]
    offsets = _side_by_side(stood, gap)
    middle = float(np.mean([one.size[1] for one in stood]))
    return [UPRIGHT] * len(instances), [
        np.array([offset[0], (place % 2) * middle * 0.18, 0.0]) for place, offset in enumerate(offsets)
    ]


_LAYOUTS: dict[SceneLayout, Callable[[Sequence[Instance]], Laid]] = {
    "free": _free,
    "row": _row,
    "fan": _fan,
    "cascade": _cascade,
    "stack": _stack,
    "desk": _desk,
    "isometric": _isometric,
}
