"""Slabs posed about a hinge, and the box around them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from ..device import Bend, Slab, Vector

FAR = 1000.0  # mm; beyond the arc of any plate
STEPS = 180  # heights at which the box of a bent slab is measured


def vector(values: Iterable[float]) -> Vector:
    """Three plain floats, rounded to a nanometre."""
    x, y, z = (round(float(value), 6) + 0.0 for value in values)
    return x, y, z


def along(*steps: tuple[float, Vector]) -> Vector:
    """The weighted sum of vectors."""
    x, y, z = (sum(times * direction[axis] for times, direction in steps) for axis in range(3))
    return x, y, z


def cross(a: Vector, b: Vector) -> Vector:
    """The cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def bent(bend: Bend | None, point: Vector) -> Vector:
    """The position of a flat plate's point after the plate is bent (see `render.geometry.bend`)."""
    if bend is None:
        return point
    x, y, z = point
    if bend.axis == "y":
        x, y = -y, x
    turn = max(-bend.reach, min(y, bend.reach)) / bend.radius
    sign, rest = math.copysign(1.0, bend.angle), y - bend.radius * turn
    away = bend.radius + sign * z
    up = away * math.sin(turn) + rest * math.cos(turn)
    deep = sign * (away * math.cos(turn) - bend.radius - rest * math.sin(turn))
    return (up, -x, deep) if bend.axis == "y" else (x, up, deep)


def folded(bend: Bend, slab: Slab) -> Slab:
    """A part on one half of a flat plate, moved to its place on the bent plate, which is longer by the arc.

    It keeps its distance from the fold.
    """
    axis = 1 if bend.axis == "x" else 0
    side = math.copysign(1.0, slab.center[axis])
    far: Vector = (0.0, side * FAR, 0.0) if axis else (side * FAR, 0.0, 0.0)
    start = bent(bend, far)
    units: tuple[Vector, Vector, Vector] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    turned = [along((1, bent(bend, along((1, far), (1, unit)))), (-1, start)) for unit in units]

    def moved(direction: Vector) -> Vector:
        return along(*zip(direction, turned, strict=True))

    place = list(slab.center)
    place[axis] += side * bend.reach
    away = along((1, (place[0], place[1], place[2])), (-1, far))
    return slab.model_copy(
        update={
            "center": vector(along((1, start), (1, moved(away)))),
            "x": vector(moved(slab.x)),
            "y": vector(moved(slab.y)),
        }
    )


def _shares(bend: Bend | None) -> tuple[list[float], list[float]]:
    """Where the outermost points of a plate may be, across and up, from its middle, as shares of its
    sides."""
    ends = [-0.5, 0.5]
    steps = [step / STEPS - 0.5 for step in range(STEPS + 1)]
    if bend is None:
        return ends, ends
    return (ends, steps) if bend.axis == "x" else (steps, ends)


def box_of(slabs: Sequence[Slab]) -> tuple[Vector, Vector]:
    """The lower and upper corner of the box around the slabs, mm."""
    points = [
        along(
            (1, slab.center),
            *zip(bent(slab.bend, reach), (slab.x, slab.y, cross(slab.x, slab.y)), strict=True),
        )
        for slab in slabs
        for signs in itertools.product(*_shares(slab.bend), (-0.5, 0.5))
        for reach in [vector(sign * size for sign, size in zip(signs, slab.size, strict=True))]
    ]
    low, high = ([pick(point[axis] for point in points) for axis in range(3)] for pick in (min, max))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def centred(slabs: Sequence[Slab]) -> tuple[tuple[Slab, ...], Vector]:
    """The slabs moved to centre their common box on the origin, and the box's size."""
    low, high = box_of(slabs)
    middle = along((0.5, low), (0.5, high))
    moved = tuple(
        slab.model_copy(update={"center": vector(along((1, slab.center), (-1, middle)))}) for slab in slabs
    )
    return moved, vector(round(size, 4) for size in along((1, high), (-1, low)))
